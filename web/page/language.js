// SPDX-License-Identifier: MIT
// The language server in a worker, as the editor's extensions: completion, hover, names, formatting, diagnostics.
import { LSPClient, languageServerExtensions } from "@codemirror/lsp-client";
import { Talk } from "./engine.js";

export class Language {
    constructor(files, target) {
        const takers = new Set();
        this.talk = new Talk("language", files, (text) => takers.forEach((take) => take(text)));
        this.client = new LSPClient({ rootUri: "file:///", timeout: 10_000, extensions: languageServerExtensions() }).connect({
            send: (text) => this.talk.say(text),
            subscribe: (take) => takers.add(take),
            unsubscribe: (take) => takers.delete(take),
        });
        if (target)
            this.client.initializing.then(() => this.client.notification("workspace/didChangeConfiguration", { settings: { gpucode: { target } } }));
    }

    plugin(name, target) {
        return this.client.plugin(`file:///${name}`, (target ?? "").split(":")[0] || "asm");
    }

    end() {
        this.client.disconnect();
        this.talk.end();
    }
}
