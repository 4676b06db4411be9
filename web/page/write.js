// SPDX-License-Identifier: MIT
// Writing: an editor with what the assembler says of every line, and the bytes beside it.
import { basicSetup, EditorView } from "codemirror";
import { EditorState } from "@codemirror/state";
import { lintGutter } from "@codemirror/lint";
import { colours } from "./colours.js";
import { h, save, show_status } from "./dom.js";
import { Language } from "./language.js";
import { code_of, target_options } from "./open.js";

const pause_ms = 150; // behind the last key

export class Writer {
    constructor(page) {
        this.page = page;
        this.bytes = h("pre", { class: "bytes", role: "group", tabindex: "0", "aria-label": "bytes" });
        this.place = h("div", { class: "editor" });
        this.element = h("div", { class: "writer" },
            h("div", { class: "tools" },
                h("button", { onclick: () => this.download_code() }, "Download bytes"),
                h("button", { onclick: () => save(this.document.name.replace(/(\.\w+)?$/, ".asm"), this.text()) }, "Download text"),
                h("button", { onclick: () => this.schedule() , class: "for-schedule" }, "Schedule"),
                h("span", { class: "dim" }, "Ctrl-Space completes, F2 renames, F12 goes to the definition, Shift-F12 lists the uses, Shift-Alt-F formats; Esc then Tab leaves")),
            this.place, this.bytes);
    }

    // The editor stands in this view or beside a shader's picture.
    attach() {
        this.bytes.before(this.place);
        return this.has(this.page.document);
    }

    // Shows a document unless it is the one that stands here.
    async has(document) {
        if (document && this.shown !== document) {
            this.shown = document;
            await this.show(document);
        }
        this.view?.requestMeasure();
    }

    text() {
        return this.view.state.doc.toString();
    }

    async show(document) {
        this.document = document;
        const text = document.kind === "source" ? new TextDecoder().decode(document.bytes) : await this.listing_of(document);
        this.source_name = document.kind === "source" ? document.name : `${document.name}.asm`;
        this.view?.destroy();
        this.language?.end();
        const target = document.given ?? (document.kind === "code" ? document.target : null);
        this.language = new Language(document.files, target);
        this.view = new EditorView({
            state: EditorState.create({
                doc: text,
                extensions: [basicSetup, lintGutter(), this.language.plugin(this.source_name, target), colours(this.language),
                    EditorView.contentAttributes.of({ "aria-label": "source", tabindex: "0" }),
                    EditorView.updateListener.of((update) => update.docChanged && this.changed())],
            }),
            parent: this.place,
        });
        await this.assemble();
    }

    changed() {
        this.language.changed();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.assemble(), pause_ms);
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

    // The bytes beside the text; what is wrong the language server says.
    async assemble() {
        const view = this.view, document = this.edited(), code = await code_of(this.page.engine, document);
        if (view !== this.view)
            return;
        const errors = (code.messages ?? []).filter((message) => message.severity === "error").length;
        if (code.bytes) {
            this.code = code;
            this.show_bytes(code.bytes);
            this.page.edited(document);
        }
        show_status(errors ? `${errors} error${errors > 1 ? "s" : ""}` : `assembled: ${code.bytes?.length ?? 0} bytes`, errors ? "error" : "");
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
