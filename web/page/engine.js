// SPDX-License-Identifier: MIT
// The page's side of the worker.
import { Thread } from "./site.js";

const out_limit = 64 << 20; // bytes of a command's output that the page takes

export class Cancelled extends Error {}

// A message as the program words it without --json.
const sentence = ({ file, line, column, severity, message, hint }) =>
    [[file, line, column].filter(Boolean).concat(` ${severity}`, ` ${message}`).join(":").trim(), ...(hint ? [`hint: ${hint}`] : [])];

// Runs commands one after the other. A command that takes too long is ended by ending its worker.
export class Engine {
    constructor() {
        this.begin();
    }

    begin() {
        this.waiting = new Map();
        this.next = 1;
        this.thread = new Thread((data) => {
            const waits = this.waiting.get(data.id);
            this.waiting.delete(data.id);
            if (data.fault)
                waits?.bad(new Error(data.fault));
            else
                waits?.good(data);
        }, (error) => this.fail(error));
    }

    fail(error) {
        const waiting = this.waiting;
        this.waiting = new Map();
        for (const { bad } of waiting.values())
            bad(error);
    }

    // {code, out (bytes), err (text), made (files by name), cut (there was more)}; rejected when the program did not come to an end
    run(args, files = {}, { wanted = [], limit = out_limit } = {}) {
        return new Promise((good, bad) => {
            const id = this.next++;
            this.waiting.set(id, { good, bad });
            this.thread.post({ do: "run", id, args, files, wanted, limit });
        });
    }

    async text(args, files, options) {
        const result = await this.run(args, files, options);
        return { ...result, out: new TextDecoder().decode(result.out) };
    }

    // The objects of a command with --json: one, or one a line.
    async objects(args, files, options) {
        const result = await this.text([...args, "--json"], files, options);
        const objects = [];
        for (const line of result.out.split("\n"))
            if (line.startsWith("{"))
                objects.push(JSON.parse(line));
        const lines = result.err.split("\n"), messages = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
        const err = lines.flatMap((line) => (line.startsWith("{") ? sentence(JSON.parse(line)) : line)).join("\n"); // for people
        return { ...result, objects, messages, err };
    }

    cancel() {
        this.thread.end();
        const waiting = this.waiting;
        this.begin();
        for (const { bad } of waiting.values())
            bad(new Cancelled("cancelled"));
    }
}

// A conversation in a worker of its own: `debug` or `language`.
export class Talk {
    constructor(kind, files, on_message) {
        this.kind = kind;
        this.thread = new Thread((data) => (data.fault ? this.on_fault?.(data.fault) : on_message(data.text)), (error) => this.on_fault?.(error.message));
        this.thread.post({ do: "begin", kind, files });
    }

    // `signal`: an address that is taken back when what the text asks for takes too long.
    say(text, { files, signal } = {}) {
        this.thread.post({ do: "say", kind: this.kind, text, files, signal });
    }

    end() {
        this.thread.end();
    }
}
