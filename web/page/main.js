// SPDX-License-Identifier: MIT
// The page: which document is open, which view of it, the way back to others, and a link that restores them.
import { Engine, Cancelled } from "./engine.js";
import { Front } from "./front.js";
import { pack, unpack } from "./link.js";
import { code_of, errors_in, includes_of, open_document } from "./open.js";
import { print_whole } from "./print.js";
import { Reader } from "./read.js";
import { shader_document, shader_state } from "./recorded.js";
import { Records } from "./records.js";
import { new_id, Shelf } from "./shelf.js";
import { $, clock, h, hide_notice, save, show_notice, show_status } from "./dom.js";
import { is_single, site_file } from "./site.js";
import { documents_among, meant, size_of, taken } from "./take.js";
import { fill_targets, target_title } from "./targets.js";

const encoder = new TextEncoder();
const is_record = ({ kind }) => kind === "stream" || kind === "crash";
const without_place = (hash) => hash.replace(/&at=.*/, "");

class Page {
    constructor() {
        this.engine = new Engine();
        this.documents = new Map(); // id -> document, of this visit
        this.going = Promise.resolve();
        this.shelf = new Shelf((why) => this.show_trouble(why), (record) => this.show_kept(record));
        this.reader = new Reader(this);
        this.records = new Records(this);
        this.front = new Front(this);
        this.views = { read: this.reader };
        this.tabs = [...document.querySelectorAll("[role=tab]")];
        for (const tab of this.tabs) {
            tab.addEventListener("click", () => this.show_view(tab.dataset.view));
            tab.addEventListener("keydown", (event) => this.tab_key(event, tab));
        }
        $("file").addEventListener("change", (event) => this.open_files([...event.target.files]).then(() => { $("file").value = ""; }));
        $("open").addEventListener("click", () => $("file").click());
        $("home").addEventListener("click", () => this.go(() => this.go_home()));
        $("link").addEventListener("click", () => this.busy(() => this.share()));
        $("target").addEventListener("change", () => this.view !== "home" && this.choose_target($("target").value));
        $("documents").addEventListener("change", (event) => this.go(() => this.open_kept(event.target.value)));
        $("cancel").addEventListener("click", () => this.engine.cancel());
        addEventListener("dragover", (event) => event.preventDefault());
        addEventListener("drop", (event) => {
            event.preventDefault();
            this.take_transfer(event.dataTransfer);
        });
        addEventListener("paste", (event) => {
            if (!event.target.closest?.("input, textarea, [contenteditable=true]") && this.take_transfer(event.clipboardData))
                event.preventDefault();
        });
        addEventListener("popstate", () => this.go(() => this.restore()));
        addEventListener("keydown", (event) => this.global_key(event));
        print_whole(() => this.views[this.view]?.whole_text?.() ?? null);
    }

    async begin() {
        this.examples = JSON.parse(new TextDecoder().decode(await site_file("examples/index.json")));
        $("examples").append(...this.examples.map((example) => h("option", { value: example.id }, example.title)));
        $("examples").addEventListener("change", () => {
            this.open_example($("examples").value);
            $("examples").value = ""; // so that the same can be chosen again
        });
        await this.go(() => this.restore()); // first what is waited for
        document.body.dataset.ready = "true";
        this.engine.text(["targets", "--json"]).then(({ out }) => fill_targets($("target"), JSON.parse(out).targets)).then(() => this.show_target());
        this.list_documents();
    }

    // Work that a person waits for: errors end in the status line, never in silence.
    async busy(work) {
        this.works = (this.works ?? 0) + 1; // one within another
        document.body.dataset.busy = "true";
        try {
            return await work();
        } catch (error) {
            show_status(error instanceof Cancelled ? "cancelled" : error.message, "error");
        } finally {
            if (!--this.works)
                delete document.body.dataset.busy;
        }
    }

    // Documents and views are gone to one after the other, however fast they are asked for.
    go(work) {
        return this.busy(() => {
            const next = this.going.then(() => this.views.write?.settle()).then(work);
            this.going = next.catch(() => {});
            return next;
        });
    }

    // Files, or text that is one; false: there is nothing to take.
    take_transfer(transfer) {
        const text = transfer.getData("text/plain");
        if (transfer.files.length)
            this.open_files([...transfer.files]);
        else if (text.trim())
            this.take_text(text);
        return transfer.files.length > 0 || text.trim() !== "";
    }

    take_text(text) {
        const { bytes, form } = meant(encoder.encode(text));
        return this.go(() => this.take_files({ [form ? "pasted.bin" : "pasted.asm"]: bytes }, form ? [`what was pasted is read as ${form}`] : []));
    }

    open_files(files) {
        return this.go(async () => {
            const named = {}, notes = [];
            for (const file of files) {
                const { bytes, form } = await taken(file);
                named[file.name] = bytes;
                if (form)
                    notes.push(`${file.name} is read as ${form}`);
            }
            if (files.length)
                await this.take_files(named, notes);
        });
    }

    async take_files(files, notes) {
        const missing = this.view !== "home" && this.document ? this.missing_files() : [];
        if (Object.keys(files).every((name) => missing.includes(name)))
            return this.add_files(files);
        const opened = [], refused = [];
        hide_notice("note"); // of what was opened before
        for (const one of documents_among(files))
            await this.make_document({ name: one.name, files: one.files, given: this.view === "home" ? $("target").value || null : null })
                .then((made) => opened.push(made), (error) => refused.push(error));
        if (!opened.length)
            throw refused[0];
        if (notes.length)
            show_notice(`${notes.join("; ")}.`);
        const same = (...kinds) => opened.length === 2 && opened.every((one) => kinds.includes(one.kind)), two = same("code"), streams = same("stream", "crash");
        if (opened.length > 1 && !two && !streams)
            show_notice(`${opened.length} documents are open: ${opened.map((one) => one.name).join(", ")}.`);
        await this.enter(opened[0], two ? "see" : "read");
        if (refused.length)
            show_status(refused.map((error) => error.message).join("; "), "error");
        if (two)
            await this.views.see.compare_with(opened[1]);
        if (streams)
            await this.records.compare_with(opened[1]);
    }

    // A document that is new here, of {name, files, given} and more. What it is is found; without a target any it could be is offered.
    async make_document({ name, files, given = null, id = new_id(), ...rest }) {
        show_status(`opening ${name} …`);
        const made = await open_document(this.engine, name, files[name], files, given).catch((error) => {
            if (error.unknown)
                this.offer_targets(name, files);
            throw error;
        });
        Object.assign(made, { id, time: Date.now(), state: {}, texts: {}, edited: false, ...rest, opened: Symbol(name) }); // opened: the same for what an editor makes of it
        made.good = made;
        this.documents.set(id, made);
        if (!made.example)
            this.keep(made);
        return made;
    }

    offer_targets(name, files) {
        const as = (target) => [target_title(target), () => this.go(async () => this.enter(await this.make_document({ name, files, given: target })))];
        show_notice(`${name} does not say what it is. Read it as`, ["afuc:a6xx", "afuc:a7xx", "a3xx", "ir3:a6xx", "hwsq:nv50", "mme:fermi"].map(as));
    }

    open_example(id, view = "read", place = null) {
        return this.go(() => this.go_to_example(id, view, place));
    }

    async go_to_example(id, view, place) {
        const example = this.examples.find((one) => one.id === id), files = {};
        if (!example)
            throw new Error(`there is no example “${id}”`);
        await Promise.all(example.files.map(async (name) => {
            files[name] = await site_file(`examples/${id}/${name}`);
        }));
        const known = this.documents.get(`example:${id}`);
        const one = known ?? (await this.make_document({ name: example.files[0], files, given: example.target || null, id: `example:${id}`, example,
            state: { commands: example.commands?.join("\n") ?? "", picture: example.given ?? null } }));
        await this.enter(one, view, place);
        const draft = (await this.shelf.all()).find((record) => record.edited && record.example === id);
        if (draft && this.document === one)
            show_notice(`This is the example as it comes. There is a text of yours of ${clock(draft.time)}.`, [["Open it", () => this.go(() => this.open_kept(draft.id))]]);
    }

    // A document of this visit or of an earlier one.
    async open_kept(id, view = null, place = null) {
        let known = this.documents.get(id);
        if (!known) {
            const record = await this.shelf.get(id);
            if (!record)
                throw new Error("This document is not kept in this browser.");
            const { kind, given, ...rest } = record;
            known = await this.make_document({ ...rest, given, example: this.examples.find((one) => one.id === record.example) ?? null });
        }
        await this.enter(known, view ?? known.state.view ?? "read", place ?? known.state.place ?? null);
    }

    // Shows a document that has been opened.
    async enter(one, view = "read", place = null) {
        this.document = one;
        this.place = place;
        this.launch_fields = this.launch_files = null;
        hide_notice("stale");
        const record = is_record(one);
        if (record && this.shader_wanted)
            one.state.shader = this.shader_wanted;
        this.views.read = record ? this.records : this.reader;
        await this.show_tabs();
        const shown = this.tabs.find((tab) => tab.dataset.view === view && !tab.hidden) ? view : "read";
        show_status(`${one.name}: ${size_of(one.bytes)} bytes`);
        await this.display(shown);
        if (place && shown === "read")
            this.views.read.go_to(place);
        this.list_documents();
    }

    // Which views a document has; a source's target may change while it is typed.
    async show_tabs() {
        const one = this.document, record = is_record(one);
        const code = record ? {} : await code_of(this.engine, one), written = record ? null : new TextDecoder().decode(one.bytes.subarray(0, 1 << 20)).match(/^\s*\.target\s+(\S+)/m)?.[1];
        const target = code.target ?? (one.kind === "source" ? written : null) ?? one.given;
        one.errors = code.bytes ? 0 : errors_in(code.messages);
        one.found = target ?? null;
        for (const tab of this.tabs)
            tab.hidden = record && tab.dataset.view !== "read" && !(tab.dataset.view === "run" && one.state.shader);
        this.tabs.find((tab) => tab.dataset.view === "picture").hidden = record || !/^(a3xx|ir3)/.test(target ?? "");
        this.show_target();
        document.title = `${one.name} - gpucode`;
        document.body.dataset.open = "true";
    }

    show_target() {
        const select = $("target"), one = this.view === "home" ? null : this.document;
        select.value = one?.given ?? "";
        select.options[0].textContent = one?.found && !one.given ? `found: ${target_title(one.found)}` : "target: found";
        select.disabled = Boolean(one && is_record(one));
    }

    // Of this document alone; the way back is one click.
    choose_target(target) {
        return this.go(async () => {
            const before = this.document, { view, place } = this;
            try {
                const { id, name, files, state, texts, edited, example } = before;
                const after = await this.make_document({ id: this.own_id(id), name, files, state, texts, edited, example: example ?? null, given: target || null });
                this.keep(after);
                await this.enter(after, view, place);
                show_notice(target ? `Read as ${target_title(target)}.` : "The target is found again.", [["Undo", () => this.go(async () => {
                    if (after.id !== before.id)
                        await this.forget(after.id);
                    this.documents.set(before.id, before);
                    this.keep(before);
                    await this.enter(before, view, place);
                })]]);
            } catch (error) {
                this.show_target();
                throw error;
            }
        });
    }

    async forget(id) {
        this.documents.delete(id);
        await this.shelf.forget(id);
        await this.list_documents();
    }

    own_id(id) {
        return id.startsWith("example:") ? new_id() : id;
    }

    // Something was done to the document: it is kept with it. An example stays what it was; what is done to it is a document of one's own.
    touch(change = {}) {
        const one = this.document;
        if (!one || this.view === "home")
            return;
        Object.assign(this.shows_shader() ? shader_state(one) : one.state, change);
        if (one.id.startsWith("example:")) {
            const { id } = one;
            this.documents.delete(id);
            one.id = new_id();
            one.edited = true;
            this.documents.set(one.id, one);
            this.remember(false);
            this.list_documents();
        }
        this.keep(one);
    }

    keep({ id, name, files, given, example, state, edited, time, texts }) {
        if (!id.startsWith("example:"))
            this.shelf.keep({ id, name, files, given: given ?? null, example: example?.id ?? null, state, edited, time, texts });
    }

    show_trouble(why) {
        if (why)
            show_notice(`Nothing is kept here (${why}): save what you write before you leave.`, [], "trouble");
        else
            hide_notice("trouble");
        $("kept").textContent = why ? "not kept" : "";
        $("kept").dataset.kind = why ? "error" : "";
    }

    show_kept({ edited, id }) {
        if (edited && this.document?.id === id)
            $("kept").textContent = `kept ${clock(Date.now())}`;
    }

    async list_documents() {
        const records = await this.shelf.all(), here = this.view === "home" ? null : this.document;
        const names = new Map([...this.documents.values()].map((one) => [one.id, one]));
        for (const record of records)
            if (!names.has(record.id))
                names.set(record.id, record);
        const option = (one) => h("option", { value: one.id, selected: one.id === here?.id }, `${one.name}${one.edited ? ` (yours, ${clock(one.time)})` : ""}`);
        $("documents").replaceChildren(...(here ? [] : [h("option", { value: "" }, "Documents…")]), ...[...names.values()].map(option));
        $("documents").hidden = !names.size;
        if (this.view === "home")
            this.front.list(records);
    }

    async view_named(name) {
        if (!this.views[name]) {
            const makers = {
                write: async () => new (await import("./write.js")).Writer(this),
                run: async () => new (await import("./run.js")).Runner(this),
                picture: async () => new (await import("./shader.js")).Shader(this),
                see: async () => new (await import("./see.js")).Seer(this),
            };
            this.views[name] = await makers[name]();
            if (name === "run")
                this.runner = this.views.run;
        }
        return this.views[name];
    }

    show_view(name) {
        return this.go(() => (this.document ? this.display(name) : null));
    }

    async display(name) {
        for (const tab of this.tabs) {
            tab.setAttribute("aria-selected", tab.dataset.view === name ? "true" : "false");
            tab.tabIndex = tab.dataset.view === name ? 0 : -1;
        }
        document.body.dataset.view = this.view = name;
        if (!this.restoring)
            this.remember(); // before anything is waited for: Back may be pressed meanwhile
        const view = await this.view_named(name);
        $("welcome").hidden = true;
        if (view.element.parentNode !== $("view"))
            $("view").replaceChildren(view.element);
        $("view").setAttribute("aria-labelledby", `tab-${name}`);
        // an editor shows what is typed, other views the last version that has no errors; what runs is not taken away
        const wanted = this.shows_shader() ? await this.shader_shown() : name === "write" ? this.document : this.document.good ?? this.document;
        const stays = view.stays && view.shown?.opened === wanted.opened;
        if (view.shown !== wanted && !stays) {
            view.shown = wanted;
            await view.show(wanted);
        }
        this.mark_stale();
        this.document.state.view = name;
        this.keep(this.document);
        await view.attach?.();
        if (this.restoring)
            this.remember();
        else
            this.remember_place();
    }

    // Is it a shader of the recording that is open?
    shows_shader() {
        return this.view === "run" && is_record(this.document) && Boolean(this.document.state.shader);
    }

    // The shader as a document; the recording itself where there is no such shader.
    async shader_shown() {
        try {
            return await shader_document(this.engine, this.document);
        } catch (error) {
            delete this.document.state.shader;
            await this.show_tabs();
            await this.display("read");
            throw error;
        }
    }

    // A shader of a draw of the recording that is open.
    run_shader(shader, inputs = null) {
        return this.go(async () => {
            this.document.state.shader = shader;
            if (inputs) {
                Object.assign(shader_state(this.document), inputs);
                if (this.views.run)
                    this.views.run.shown = null;
            }
            await this.show_tabs();
            await this.display("run");
        });
    }

    go_to_draw(draw) {
        return this.go(async () => {
            await this.display("read");
            this.records.go_to({ section: "draws", at: Number(draw) });
        });
    }

    // Says it where what is shown is not what stands in the editor.
    mark_stale() {
        const view = this.views[this.view], one = this.document, behind = this.view !== "write" && !this.shows_shader() && view.shown !== one;
        $("view").classList.toggle("stale", behind);
        if (!behind && !(one.errors && this.view !== "write"))
            return hide_notice("stale");
        const version = behind ? `; this ${this.view === "run" ? "runs" : "shows"} the version of ${clock(view.shown.time, true)}` : "";
        if (one.errors)
            show_notice(`The source has ${one.errors} error${one.errors > 1 ? "s" : ""}${version}.`, [["Go to the error", () => this.go_to_error()]], "stale");
        else
            show_notice(`The source has changed${version}.`, [["Take the new version", () => this.go(() => {
                view.shown = null;
                return this.display(this.view);
            })]], "stale");
    }

    async go_to_error(message) {
        await this.show_view("write");
        await this.views.write.go_to_error(message);
    }

    async go_home() {
        this.view = "home";
        document.body.dataset.view = "home";
        document.title = "gpucode";
        delete document.body.dataset.open;
        ["stale", "note"].forEach(hide_notice);
        $("welcome").hidden = false;
        $("view").replaceChildren();
        this.show_target();
        show_status("");
        await this.list_documents();
        this.remember();
    }

    // What stands in the editor becomes the document, and is kept at once.
    typed(edited) {
        Object.assign(edited, { time: Date.now(), edited: true });
        if (this.document?.opened !== edited.opened || this.view === "home")
            return this.keep(edited);
        this.document = this.views.write.shown = edited;
        this.documents.set(edited.id, edited);
        this.touch();
    }

    // Whether it assembles: with errors other views keep the last version that had none.
    judged(document, errors) {
        if (document.good === document && !errors && !document.errors)
            return;
        document.errors = errors;
        if (!errors || !document.good || document.good.errors)
            document.good = document;
        this.show_tabs();
        const picture = this.view === "picture" ? this.views.picture : null;
        if (picture?.document && !errors) {
            picture.shown = document;
            picture.edited(document);
        }
        this.mark_stale();
    }

    // The names that sources of the document include and that are not there.
    missing_files() {
        const { files } = this.document;
        const wanted = Object.values(files).filter((bytes) => bytes.length < 4 << 20).flatMap((bytes) => includes_of(new TextDecoder().decode(bytes)));
        return this.document.kind === "source" ? [...new Set(wanted)].filter((name) => !files[name]) : [];
    }

    async add_files(files) {
        const { id, name, state, texts, edited, example, given, files: old } = this.document;
        const after = await this.make_document({ id: this.own_id(id), name, state, texts: { ...texts, ...files }, edited, example, given, files: { ...old, ...files } });
        this.keep(after);
        await this.enter(after, this.view);
    }

    place_changed(place) {
        this.place = place;
        if (this.document)
            this.document.state.place = place;
        this.remember_place();
    }

    // The address has the place of what it names.
    remember_place() {
        if (without_place(this.hash()) === without_place(location.hash)) // else another step was made meanwhile
            this.remember(false);
    }

    hash() {
        if (this.view === "home" || !this.document)
            return "";
        const { id } = this.document, parts = [id.startsWith("example:") ? `example=${id.slice(8)}` : `doc=${id}`, `view=${this.view}`];
        if (this.shows_shader())
            parts.push(`draw=${this.document.state.shader.draw}`, `stage=${this.document.state.shader.stage}`);
        else if (this.place && this.view !== "see")
            parts.push(`at=${encodeURIComponent(this.place.section)}:${this.place.at.toString(16)}`);
        return `#${parts.join("&")}`;
    }

    // The address says which document, view and place; a new document or view is a step that Back takes back.
    remember(step = true) {
        const hash = this.hash();
        if (hash === location.hash || (this.restoring && location.hash !== this.restored)) // Back was pressed again meanwhile
            return;
        const url = hash || location.pathname + location.search;
        if (step && !this.restoring && without_place(hash) !== without_place(location.hash))
            history.pushState(null, "", url);
        else if (!this.restoring || hash)
            history.replaceState(null, "", url);
    }

    async restore() {
        const wanted = new URLSearchParams(location.hash.slice(1)), example = wanted.get("example"), id = wanted.get("doc"), packed = wanted.get("code");
        const [section, at] = (wanted.get("at") ?? "").split(":"), place = at ? { section, at: parseInt(at, 16) } : null, view = wanted.get("view");
        this.shader_wanted = wanted.has("draw") ? { draw: Number(wanted.get("draw")), stage: wanted.get("stage") ?? "fs" } : null;
        this.restoring = true;
        this.restored = location.hash;
        try {
            if (packed)
                await this.open_link(packed);
            else if (example)
                await this.go_to_example(example, view ?? "read", place);
            else if (id)
                await this.open_kept(id, view, place);
            else
                await this.go_home();
        } catch (error) {
            if (!this.document)
                await this.go_home();
            throw error;
        } finally {
            this.restoring = false;
            this.shader_wanted = null;
        }
    }

    // Everything of it is in the link; it becomes a document of one's own here.
    async open_link(packed) {
        const { name, files, given, state = {}, inputs = [], view, place } = await unpack(packed);
        if (state.picture)
            state.picture.files = Object.fromEntries(inputs.map((one) => [one, files[one]]));
        await this.enter(await this.make_document({ name, files, given, state }), view, place ?? null);
        show_notice("This document came with the link. It is kept here, and was sent nowhere.");
    }

    // What one sees, as an address that has all of it.
    async share() {
        const { name, files, given, state } = this.document, { view, place } = this;
        if (Object.values(files).some((bytes) => bytes instanceof Blob))
            throw new Error(`${name} is too large for a link.`);
        const inputs = state.picture?.files ?? {}, picture = state.picture && { ...state.picture, files: undefined };
        const packed = await pack({ name, files: { ...inputs, ...files }, inputs: Object.keys(inputs), given: given ?? null,
            state: { commands: state.commands, breakpoints: state.breakpoints, file: state.file, shader: state.shader, shaders: state.shaders, picture }, view, place: place ?? null });
        const url = `${location.href.replace(/#.*/, "")}#code=${packed}`;
        const box = h("input", { readonly: true, value: url, "aria-label": "link", onfocus: () => box.select() });
        const copied = await navigator.clipboard?.writeText(url).then(() => true, () => false);
        show_notice(`${copied ? "The link is on the clipboard: " : "The link: "}${url.length} characters with source, target and inputs${url.length > 100_000 ? "; many programs cut links as long as that" : ""}. Nothing was uploaded.`, [], "note", box);
    }

    async save_text() {
        const { options, name, files } = this.reader.view;
        const { out } = await this.engine.run(["disasm", ...options, name], files);
        save(`${this.document.name}.asm`, out);
    }

    // What a shader was given for its picture, and which pixel of that: fields of a launch, and files that they name.
    debug_pixel(fields, files) {
        this.launch_fields = fields;
        this.launch_files = files;
        if (this.views.run)
            this.views.run.shown = null;
        return this.show_view("run");
    }

    tab_key(event, tab) {
        const shown = this.tabs.filter((one) => !one.hidden), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step)
            return;
        const next = shown[(shown.indexOf(tab) + step + shown.length) % shown.length];
        next.focus();
        this.show_view(next.dataset.view);
        event.preventDefault();
    }

    // Alt with a digit chooses a view, Alt-O opens; in Run the debugger's keys act wherever the focus is.
    global_key(event) {
        if (!event.altKey) {
            if (this.view === "run" && !event.ctrlKey && !event.metaKey && !event.shiftKey)
                this.runner?.function_key(event);
            return;
        }
        if (event.key === "o")
            $("file").click();
        else if (/^[1-9]$/.test(event.key)) {
            const tab = this.tabs.filter((one) => !one.hidden)[Number(event.key) - 1];
            if (!tab)
                return;
            this.show_view(tab.dataset.view);
            tab.focus();
        } else
            return;
        event.preventDefault();
    }
}

const page = new Page();
window.gpucode_page = page;
page.begin().catch((error) => show_status(error.message, "error")).then(() => {
    if (!is_single && "serviceWorker" in navigator && location.protocol.startsWith("http"))
        navigator.serviceWorker.register("sw.js"); // it fetches all files, and would keep the first ones waiting
});
