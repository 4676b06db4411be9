// SPDX-License-Identifier: MIT
// The page: which document is open, which view of it, and a link that restores both.
import { Engine, Cancelled } from "./engine.js";
import { open_document } from "./open.js";
import { Reader } from "./read.js";
import { Records } from "./records.js";
import { $, h, save, show_status } from "./dom.js";
import { is_single, site_file } from "./site.js";

class Page {
    constructor() {
        this.engine = new Engine();
        this.reader = new Reader(this);
        this.records = new Records(this);
        this.views = { read: this.reader };
        this.tabs = [...document.querySelectorAll("[role=tab]")];
        for (const tab of this.tabs) {
            tab.addEventListener("click", () => this.show_view(tab.dataset.view));
            tab.addEventListener("keydown", (event) => this.tab_key(event, tab));
        }
        $("file").addEventListener("change", (event) => this.open_files([...event.target.files]));
        $("open").addEventListener("click", () => $("file").click());
        $("target").addEventListener("change", () => this.reopen());
        $("cancel").addEventListener("click", () => this.engine.cancel());
        addEventListener("dragover", (event) => event.preventDefault());
        addEventListener("drop", (event) => {
            event.preventDefault();
            this.open_files([...event.dataTransfer.files]);
        });
        addEventListener("hashchange", () => this.restore());
        addEventListener("keydown", (event) => this.global_key(event));
    }

    async begin() {
        this.examples = JSON.parse(new TextDecoder().decode(await site_file("examples/index.json")));
        $("examples").append(...this.examples.map((example) => h("option", { value: example.id }, example.title)));
        $("examples").addEventListener("change", (event) => event.target.value && this.open_example(event.target.value));
        await this.restore(); // first what is waited for
        document.body.dataset.ready = "true";
        this.engine.text(["targets"]).then(({ out }) => {
            const names = [...new Set(out.match(/\b(?:afuc|hwsq|mme):[\w-]+|\ba3xx\b/g) ?? [])];
            $("target").append(...names.map((name) => h("option", { value: name }, name)));
        });
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

    open_files(files) {
        return files.length && this.busy(async () => {
            const siblings = {};
            for (const file of files)
                siblings[file.name] = new Uint8Array(await file.arrayBuffer());
            this.example = null;
            // the file that no other includes is the one to show
            const texts = files.map((file) => new TextDecoder().decode(siblings[file.name].subarray(0, 1 << 20)));
            const main = files.find((file) => !texts.some((text) => text.includes(`"${file.name}"`))) ?? files[0];
            await this.open(main.name, siblings[main.name], siblings);
        });
    }

    async open_example(id, view = "read", place = null) {
        const example = this.examples.find((one) => one.id === id);
        if (!example)
            return;
        const files = {};
        await Promise.all(example.files.map(async (name) => {
            files[name] = await site_file(`examples/${id}/${name}`);
        }));
        this.example = example;
        await this.open(example.files[0], files[example.files[0]], files, view, place);
    }

    reopen() {
        if (this.document)
            this.open(this.document.name, this.document.bytes, this.document.files, this.view, this.place);
    }

    open(name, bytes, siblings, view = "read", place = null) {
        return this.busy(async () => {
            show_status(`opening ${name} …`);
            const target = $("target").value || this.example?.target || null;
            this.launch_fields = this.launch_files = null;
            this.document = await open_document(this.engine, name, bytes, siblings, target);
            this.document.opened = Symbol(name); // the same for what an editor makes of it
            $("name").textContent = `${name}${this.document.target ? `, ${this.document.target}` : ""}`;
            document.title = `${name} - gpucode`;
            const record = this.document.kind === "stream" || this.document.kind === "crash";
            this.views.read = record ? this.records : this.reader;
            for (const tab of this.tabs)
                tab.hidden = record && tab.dataset.view !== "read";
            const shader = (this.document.target ?? this.example?.target ?? "").startsWith("a3xx") || /\.a3xx$/.test(name);
            this.tabs.find((tab) => tab.dataset.view === "picture").hidden = record || !shader;
            show_status(`${name}: ${bytes.length} bytes`);
            $("welcome").hidden = true;
            await this.show_view(record ? "read" : view);
            if (place)
                this.reader.go_to(place);
        });
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
        return this.busy(async () => {
            for (const tab of this.tabs) {
                tab.setAttribute("aria-selected", tab.dataset.view === name ? "true" : "false");
                tab.tabIndex = tab.dataset.view === name ? 0 : -1;
            }
            this.view = name;
            const view = await this.view_named(name);
            $("view").replaceChildren(view.element);
            $("view").setAttribute("aria-labelledby", `tab-${name}`);
            if (this.document && view.shown !== this.document) {
                view.shown = this.document;
                await view.show(this.document);
            }
            await view.attach?.();
            this.remember();
        });
    }

    // The text in the editor becomes the document of the other views.
    edited(edited) {
        this.document = edited;
        this.views.write.shown = edited;
        if (this.view === "picture" && this.views.picture.document) {
            this.views.picture.shown = edited;
            this.views.picture.edited(edited);
        }
    }

    place_changed(place) {
        this.place = place;
        this.remember();
    }

    // Examples can be restored from a link; a person's own file cannot, nothing of it is anywhere but here.
    remember() {
        const parts = [];
        if (this.example)
            parts.push(`example=${this.example.id}`);
        if (this.document)
            parts.push(`view=${this.view}`);
        if (this.example && this.place)
            parts.push(`at=${encodeURIComponent(this.place.section)}:${this.place.at.toString(16)}`);
        const hash = parts.length ? `#${parts.join("&")}` : "";
        if (hash && hash !== location.hash)
            history.replaceState(null, "", hash);
    }

    async restore() {
        const wanted = new URLSearchParams(location.hash.slice(1)), id = wanted.get("example");
        const [section, at] = (wanted.get("at") ?? "").split(":");
        if (id)
            await this.open_example(id, wanted.get("view") ?? "read", at ? { section, at: parseInt(at, 16) } : null);
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

    // Alt with a digit chooses a view, Alt-O opens.
    global_key(event) {
        if (!event.altKey)
            return;
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
