// SPDX-License-Identifier: MIT
// Writing: an editor with what the assembler says of every line, and the bytes beside it.
import { basicSetup, EditorView } from "codemirror";
import { EditorState } from "@codemirror/state";
import { linter, lintGutter, forceLinting } from "@codemirror/lint";
import { h, save, show_status } from "./dom.js";
import { code_of, target_options } from "./open.js";

const pause_ms = 150; // behind the last key

// Columns of the program are bytes from 1; the editor's are UTF-16 units from 0.
function column_of(line, byte_column) {
    let bytes = 1, at = 0;
    for (const letter of line) {
        if (bytes >= byte_column)
            break;
        bytes += new TextEncoder().encode(letter).length;
        at += letter.length;
    }
    return at;
}

function diagnostic_of(document, message) {
    const number = Math.min(Math.max(message.line ?? 1, 1), document.lines), line = document.line(number);
    const from = line.from + column_of(line.text, message.column ?? 1);
    const to = message.length ? line.from + column_of(line.text, (message.column ?? 1) + message.length) : line.to;
    return {
        from: Math.min(from, line.to), to: Math.min(Math.max(to, from + 1), line.to),
        severity: { error: "error", warning: "warning", note: "info" }[message.severity] ?? "error",
        message: [message.message, message.hint ?? message.fix].filter(Boolean).join("; "), source: message.code,
    };
}

export class Writer {
    constructor(page) {
        this.page = page;
        this.bytes = h("pre", { class: "bytes", tabindex: "0", "aria-label": "bytes" });
        this.place = h("div", { class: "editor" });
        this.element = h("div", { class: "writer" },
            h("div", { class: "tools" },
                h("button", { onclick: () => this.download_code() }, "Download bytes"),
                h("button", { onclick: () => save(this.document.name.replace(/(\.\w+)?$/, ".asm"), this.text()) }, "Download text"),
                h("button", { onclick: () => this.schedule() , class: "for-schedule" }, "Schedule"),
                h("span", { class: "dim" }, "Ctrl-Space completes; Esc then Tab leaves the editor")),
            this.place, this.bytes);
    }

    text() {
        return this.view.state.doc.toString();
    }

    async show(document) {
        this.document = document;
        const text = document.kind === "source" ? new TextDecoder().decode(document.bytes) : await this.listing_of(document);
        this.source_name = document.kind === "source" ? document.name : `${document.name}.asm`;
        this.view?.destroy();
        this.view = new EditorView({
            state: EditorState.create({
                doc: text,
                extensions: [basicSetup, lintGutter(), linter((view) => this.check(view), { delay: pause_ms }),
                    EditorView.contentAttributes.of({ "aria-label": "source" }), ...(await this.page.language(this.source_name))],
            }),
            parent: this.place,
        });
        forceLinting(this.view);
    }

    async listing_of(document) {
        const { out } = await this.page.engine.text(["disasm", ...target_options(document), document.name], document.files);
        return out;
    }

    // The document as it stands in the editor.
    edited() {
        const bytes = new TextEncoder().encode(this.text());
        return {
            ...this.document, kind: "source", name: this.source_name, bytes,
            given: this.document.given ?? (this.document.kind === "code" ? this.document.target : null),
            files: { ...this.document.files, [this.source_name]: bytes },
        };
    }

    async check(view) {
        const document = this.edited(), code = await code_of(this.page.engine, document);
        if (view !== this.view)
            return [];
        const messages = [...(code.messages ?? [])];
        if (code.bytes) {
            const { objects } = await this.page.engine.objects(["lint", ...target_options(document), document.name], document.files);
            messages.push(...objects.filter((finding) => finding.line && (!finding.file || finding.file === document.name)));
            this.code = code;
            this.show_bytes(code.bytes);
            this.page.edited(document);
        }
        const own = messages.filter((message) => !message.file || message.file === document.name);
        const errors = own.filter((message) => message.severity === "error").length;
        show_status(errors ? `${errors} error${errors > 1 ? "s" : ""}` : `assembled: ${code.bytes?.length ?? 0} bytes`, errors ? "error" : "");
        return own.slice(0, 500).map((message) => diagnostic_of(view.state.doc, message)).sort((a, b) => a.from - b.from);
    }

    show_bytes(bytes) {
        const lines = [];
        for (let at = 0; at < Math.min(bytes.length, 1 << 16); at += 16)
            lines.push(`${at.toString(16).padStart(6, "0")}  ${[...bytes.subarray(at, at + 16)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`);
        if (bytes.length > 1 << 16)
            lines.push(`… ${bytes.length} bytes in all`);
        this.bytes.textContent = lines.join("\n");
    }

    async download_code() {
        const code = await code_of(this.page.engine, this.edited());
        if (code.bytes)
            save(this.document.name.replace(/\.\w+$/, "") + ".bin", code.bytes);
        else
            show_status("the source has errors", "error");
    }

    // Missing delays and sync bits put in.
    async schedule() {
        const document = this.edited();
        const { out, code, err } = await this.page.engine.text(["schedule", ...target_options(document), document.name], document.files);
        if (code > 1 || !out)
            show_status(err.split("\n")[0] || "nothing to schedule", "error");
        else
            this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: out } });
    }
}
