// SPDX-License-Identifier: MIT
// A debug session: requests of the Debug Adapter Protocol to the module, answers as promises.
import { Talk } from "./engine.js";

const code_base = 2n ** 52n; // where code lies among the protocol's addresses

const new_signal = () => URL.createObjectURL(new Blob());

export class Session {
    constructor(files, on_event) {
        this.waiting = new Map();
        this.sequence = 0;
        this.on_event = on_event;
        this.signal = new_signal();
        this.talk = new Talk("debug", files, (text) => this.take(JSON.parse(text)));
        this.talk.on_fault = (fault) => this.take({ type: "event", event: "output", body: { category: "stderr", output: fault } });
    }

    take(message) {
        if (message.type === "response") {
            const { good, bad } = this.waiting.get(message.request_seq) ?? {};
            this.waiting.delete(message.request_seq);
            if (message.success)
                good?.(message.body ?? {});
            else
                bad?.(new Error(message.message || message.body?.error?.format || "refused"));
        } else if (message.type === "event") {
            this.on_event(message.event, message.body ?? {});
        }
    }

    ask(command, args = {}) {
        return new Promise((good, bad) => {
            const seq = ++this.sequence;
            this.waiting.set(seq, { good, bad });
            this.talk.say(JSON.stringify({ seq, type: "request", command, arguments: args }), { signal: this.signal });
        });
    }

    // Ends what runs or waits to; the next request may run again.
    pause() {
        URL.revokeObjectURL(this.signal);
        this.signal = new_signal();
    }

    async launch(options) {
        await this.ask("initialize", { adapterID: "gpucode", linesStartAt1: true, columnsStartAt1: true, pathFormat: "path" });
        await this.ask("launch", options);
        await this.ask("configurationDone");
    }

    end() {
        URL.revokeObjectURL(this.signal);
        this.talk.end();
    }
}

// "0x10000000000074" -> {section: 0, offset: 0x74}: the place of an instruction, in bytes of its section.
export function place_of(reference) {
    const address = BigInt(reference) - code_base;
    return { section: Number(address >> 32n), offset: Number(address & 0xffffffffn) };
}
