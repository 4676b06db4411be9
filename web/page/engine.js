// SPDX-License-Identifier: MIT
// The page's side of the worker.

const out_limit = 64 << 20; // bytes of a command's output that the page takes

export class Cancelled extends Error {}

// Runs commands one after the other. A command that takes too long is ended by ending its worker.
export class Engine {
    constructor() {
        this.begin();
    }

    begin() {
        this.waiting = new Map();
        this.next = 1;
        this.worker = new Worker(new URL("worker.js", document.baseURI));
        this.worker.onmessage = ({ data }) => {
            const waits = this.waiting.get(data.id);
            this.waiting.delete(data.id);
            waits?.good(data);
        };
        this.worker.onerror = (event) => this.fail(new Error(event.message || "the worker did not start"));
    }

    fail(error) {
        const waiting = this.waiting;
        this.waiting = new Map();
        for (const { bad } of waiting.values())
            bad(error);
    }

    // {code, out (bytes), err (text), made (files by name), cut (there was more), fault}
    run(args, files = {}, { wanted = [], limit = out_limit } = {}) {
        return new Promise((good, bad) => {
            const id = this.next++;
            this.waiting.set(id, { good, bad });
            this.worker.postMessage({ do: "run", id, args, files, wanted, limit });
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
        const messages = result.err.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
        return { ...result, objects, messages };
    }

    cancel() {
        this.worker.terminate();
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
        this.worker = new Worker(new URL("worker.js", document.baseURI));
        this.worker.onmessage = ({ data }) => {
            if (data.fault)
                this.on_fault?.(data.fault);
            else
                on_message(data.text);
        };
        this.worker.postMessage({ do: "begin", kind, files });
    }

    // `signal`: an address that is taken back when what the text asks for takes too long.
    say(text, { files, signal } = {}) {
        this.worker.postMessage({ do: "say", kind: this.kind, text, files, signal });
    }

    end() {
        this.worker.terminate();
    }
}
