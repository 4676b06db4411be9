// SPDX-License-Identifier: MIT
// The language server in a worker, as the editor's extensions: completion, hover, names, formatting, diagnostics.
import { LSPClient, languageServerExtensions } from "@codemirror/lsp-client";
import { Talk } from "./engine.js";

const patience_ms = 1000; // then an answer is not waited for any longer

export class Language {
    constructor(files, target) {
        const takers = new Set();
        this.talk = new Talk("language", files, (text) => {
            takers.forEach((take) => take(text));
            if (text.includes('"textDocument/publishDiagnostics"'))
                this.answered();
        });
        this.client = new LSPClient({ rootUri: "file:///", timeout: 10_000, extensions: languageServerExtensions() }).connect({
            send: (text) => this.talk.say(text),
            subscribe: (take) => takers.add(take),
            unsubscribe: (take) => takers.delete(take),
        });
        if (target)
            this.client.initializing.then(() => this.client.notification("workspace/didChangeConfiguration", { settings: { gpucode: { target } } }));
    }

    // The client by itself would wait half a second behind a change. The server is told at once, but of no further change
    // before it has said what it thinks of the one before.
    changed() {
        this.again = this.asked && performance.now() - this.asked < patience_ms;
        if (this.again)
            return;
        this.asked = performance.now();
        queueMicrotask(() => this.client.sync()); // behind the update that the change is of
    }

    answered() {
        this.asked = 0;
        if (this.again)
            this.changed();
        else
            this.on_answer?.();
    }

    plugin(name, target) {
        return this.client.plugin(`file:///${name}`, (target ?? "").split(":")[0] || "asm");
    }

    end() {
        this.client.disconnect();
        this.talk.end();
    }
}
