// SPDX-License-Identifier: MIT
// Writing: an editor with what the assembler says of every line, the instructions and bytes beside it, and the files of the source.
import { basicSetup, EditorView } from "codemirror";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration } from "@codemirror/view";
import { lintGutter } from "@codemirror/lint";
import { coloured } from "./code_lines.js";
import { code_view, listing_of } from "./code_view.js";
import { colours } from "./colours.js";
import { h, save, show_status } from "./dom.js";
import { Language } from "./language.js";
import { Listing } from "./listing.js";
import { code_of, errors_in, includes_of, target_options } from "./open.js";
import { SourceMap } from "./source_map.js";

const pause_ms = 150; // after the last key
const listed_bytes = 512 << 10, slow_bytes = 32 << 10, slow_ms = 700; // a long listing waits until the typing has ended
const bytes_shown = 1 << 16;

const light = StateEffect.define();
const lit_lines = StateField.define({
    create: () => Decoration.none,
    update(lines, transaction) {
        let now = lines.map(transaction.changes);
        for (const effect of transaction.effects)
            if (effect.is(light))
                now = Decoration.set(effect.value.filter((line) => line >= 1 && line <= transaction.state.doc.lines)
                    .map((line) => Decoration.line({ class: "lit" }).range(transaction.state.doc.line(line).from)));
        return now;
    },
    provide: (field) => EditorView.decorations.from(field),
});

const text_of = (bytes) => new TextDecoder().decode(bytes);

export class Writer {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({ label: "instructions beside the source", line: (i) => this.row(i), on_choose: (i) => this.chosen(i) });
        this.listing.id = "beside";
        this.bytes = h("pre", { class: "bytes", role: "group", tabindex: "0", "aria-label": "bytes" });
        this.place = h("div", { class: "editor" });
        this.files = h("nav", { class: "files", "aria-label": "files" });
        this.beside = h("div", { class: "beside-source" }, this.listing.element, this.bytes);
        this.element = h("div", { class: "writer" },
            h("div", { class: "tools" },
                h("button", { onclick: () => this.download_code() }, "Download bytes"),
                h("button", { onclick: () => save(this.file.replace(/(\.\w+)?$/, ".asm"), this.text()) }, "Download text"),
                h("button", { onclick: () => this.schedule() , class: "for-schedule" }, "Schedule"),
                h("span", { class: "dim hints" }, "Ctrl-Space completes, F2 renames, F12 goes to the definition, Shift-F12 lists the uses, Shift-Alt-F formats; Esc then Tab leaves")),
            this.files, this.place, this.beside);
        page.shelf.on_leave = () => this.dirty && this.page.typed(this.edited());
    }

    // The editor stands in this view or beside a shader's picture.
    attach() {
        this.beside.before(this.place);
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

    whole_text() {
        return this.text();
    }

    async show(document, file = document.state.file) {
        this.document = document;
        this.main = document.kind === "source" ? document.name : `${document.name}.asm`;
        this.file = document.kind === "source" && document.files[file] ? file : this.main;
        const text = document.kind === "source" ? text_of(document.files[this.file]) : await this.listing_text(document);
        this.view?.destroy();
        this.language?.end();
        const target = document.given ?? (document.kind === "code" ? document.target : null);
        this.language = new Language(document.files, target);
        this.dirty = false;
        this.view = new EditorView({
            state: EditorState.create({
                doc: text,
                extensions: [basicSetup, lintGutter(), lit_lines, this.language.plugin(this.file, target), colours(this.language),
                    EditorView.contentAttributes.of({ "aria-label": "source", tabindex: "0" }),
                    EditorView.updateListener.of((update) => this.updated(update))],
            }),
            parent: this.place,
        });
        this.draw_files();
        await this.assemble();
    }

    updated(update) {
        if (update.docChanged) {
            this.dirty = true;
            this.page.touch();
            this.language.changed();
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.assemble(), pause_ms);
        } else if (update.selectionSet && !this.lighting) {
            queueMicrotask(() => this.light_line(this.line()));
        }
    }

    line() {
        return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
    }

    async listing_text(document) {
        const { out } = await this.page.engine.text(["disasm", ...target_options(document), document.name], document.files);
        return out;
    }

    // The document as it stands in the editor.
    edited() {
        const bytes = new TextEncoder().encode(this.text()), before = this.page.document.opened === this.document.opened ? this.page.document : this.document;
        const given = before.given ?? (before.kind === "code" ? before.target : null), main = this.file === this.main;
        return {
            ...before, kind: "source", name: this.main, bytes: main ? bytes : before.bytes, given, target: given, info: undefined,
            files: { ...before.files, [this.file]: bytes }, texts: { ...before.texts, [this.file]: bytes },
        };
    }

    // What was typed and not yet taken is taken now.
    async settle() {
        if (this.dirty)
            await this.assemble();
    }

    // Makes the code; what is wrong the language server says at its places.
    async assemble() {
        clearTimeout(this.timer);
        const view = this.view, document = this.dirty ? this.edited() : this.page.document;
        if (this.dirty) {
            this.dirty = false;
            this.document = document;
            this.page.typed(document);
        }
        const code = await code_of(this.page.engine, document);
        if (view !== this.view || document !== this.page.document)
            return;
        const errors = code.bytes ? 0 : errors_in(code.messages);
        this.page.judged(document, errors);
        if (code.bytes) {
            this.code = code;
            this.show_bytes(code.bytes);
        }
        this.beside.classList.toggle("stale", !code.bytes);
        show_status(errors ? `${errors} error${errors > 1 ? "s" : ""}` : `assembled: ${code.bytes?.length ?? 0} bytes`, errors ? "error" : "");
        this.draw_files();
        if (code.bytes) {
            clearTimeout(this.later);
            this.later = setTimeout(() => this.list(document).catch((error) => show_status(error.message, "error")), code.bytes.length > slow_bytes ? slow_ms : 0);
        }
    }

    // The instructions beside the text.
    async list(document) {
        const view = await code_view(this.page.engine, document, listed_bytes);
        if (!view.bytes)
            return;
        const { lines } = await listing_of(this.page.engine, view), code = await code_of(this.page.engine, document);
        if (this.page.document !== document)
            return;
        this.lines = lines;
        this.map = code.map ? new SourceMap(code.map, lines, code.bytes) : null;
        this.units = new Set();
        this.listing.chosen = -1;
        this.listing.set_count(lines.count);
        this.light_line(this.line());
    }

    row(index) {
        const unit = this.lines.unit(index);
        return {
            cells: [["at", unit.at.toString(16).padStart(4, "0")], ["bits", unit.bits.slice(2)], ["label", unit.labels?.length ? `${unit.labels[0]}:` : ""],
                ["text", unit.text, unit.kind === "code" ? coloured(unit.text) : undefined]],
            class: `${unit.kind === "data" ? "data" : ""}${this.units.has(index) ? " lit" : ""}`,
        };
    }

    // A line was chosen in the editor: its instructions and bytes.
    light_line(number) {
        if (!this.map || !this.view)
            return;
        this.light(this.map.units_of(this.file, number), [number]);
        const first = [...this.units][0] ?? -1;
        if (first >= 0)
            this.listing.choose(first, { tell: false });
        else
            this.listing.draw();
    }

    // An instruction was chosen: its line, in whichever file that is, and its bytes.
    async chosen(index) {
        const source = this.map?.source_of(index);
        if (source && source.file !== this.file && this.document.files[source.file])
            await this.edit_file(source.file);
        const here = source && source.file === this.file && source.line <= this.view.state.doc.lines;
        this.light([index], here ? [source.line] : []);
        if (here)
            this.go_to(source.line, false);
        this.listing.draw();
    }

    light(units, lines) {
        this.units = new Set(units);
        this.lighting = true;
        this.view.dispatch({ effects: light.of(lines) });
        this.lighting = false;
        this.mark_bytes(units.map((index) => this.map?.bytes_of(index)).filter(Boolean));
    }

    go_to(number, focus = true) {
        const { from } = this.view.state.doc.line(Math.min(number, this.view.state.doc.lines));
        this.lighting = !focus;
        this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
        this.lighting = false;
        if (focus)
            this.view.focus();
    }

    // The first error of the source, or a message's place.
    async go_to_error(message = null) {
        const wanted = message ?? (await code_of(this.page.engine, this.page.document)).messages?.find(({ severity }) => severity === "error");
        const file = wanted?.file?.replace(/^\.?\//, "");
        if (file && file !== this.file && this.page.document.files[file])
            await this.edit_file(file);
        if (wanted?.line)
            this.go_to(wanted.line);
    }

    show_bytes(bytes) {
        const lines = [];
        for (let at = 0; at < Math.min(bytes.length, bytes_shown); at += 16)
            lines.push(`${at.toString(16).padStart(6, "0")}  ${[...bytes.subarray(at, at + 16)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`);
        if (bytes.length > bytes_shown)
            lines.push(`… ${bytes.length} bytes in all`);
        this.dump = lines.join("\n");
        this.dump_width = 8 + 16 * 3; // letters of a full line, with its end
        this.bytes.textContent = this.dump;
    }

    mark_bytes(ranges) {
        const parts = [];
        let done = 0;
        for (const [from, end] of ranges.sort((a, b) => a[0] - b[0]))
            for (let at = from; at < Math.min(end, bytes_shown); at = (at | 15) + 1) {
                const last = Math.min(end - 1, at | 15), place = (byte) => (byte >> 4) * this.dump_width + 8 + (byte & 15) * 3;
                parts.push(this.dump.slice(done, place(at)), h("mark", {}, this.dump.slice(place(at), place(last) + 2)));
                done = place(last) + 2;
            }
        this.bytes.replaceChildren(...parts, this.dump.slice(done));
        const first = this.bytes.querySelector("mark");
        if (first)
            this.bytes.scrollTop = Math.max(0, first.offsetTop - this.bytes.offsetTop - this.bytes.clientHeight / 2);
    }

    // The source's files: the one that is assembled, what it includes, and what is missing.
    draw_files() {
        const { files } = this.page.document, names = [this.main], missing = new Set();
        for (const name of names)
            for (const other of files[name] ? includes_of(text_of(files[name])) : [])
                if (!files[other])
                    missing.add(other);
                else if (!names.includes(other))
                    names.push(other);
        this.files.hidden = names.length + missing.size < 2;
        this.files.replaceChildren(...names.map((name) => h("button", { "aria-pressed": String(name === this.file), onclick: () => this.page.busy(() => this.edit_file(name)) }, name)),
            ...[...missing].map((name) => h("button", { class: "missing", title: "this file is included and not here: choose it, or drop it", onclick: () => document.getElementById("file").click() }, `${name}: missing, open…`)));
    }

    async edit_file(name) {
        await this.settle();
        this.page.document.state.file = name;
        await this.show(this.page.document, name);
    }

    async download_code() {
        await this.settle();
        const code = await code_of(this.page.engine, this.page.document);
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
