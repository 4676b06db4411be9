// SPDX-License-Identifier: MIT
// Recorded streams and crash dumps: the time line, and what the program says of them as text that can be searched.
import { Listing } from "./listing.js";
import { choose_button, fold_button, h, is_narrow, save, show_status } from "./dom.js";
import { Moment } from "./moment.js";
import { size_of, taken } from "./take.js";
import { Second } from "./second.js";
import { event_id, Strip } from "./strip.js";

const views = {
    stream: [["Draws", ["decode", "--draws"]], ["Summary", ["decode", "--summary"]], ["Packets", ["decode"]], ["Events", ["decode", "--time-line"]]],
    crash: [["Report", ["crash"]], ["Everything", ["crash", "--verbose"]], ["Streams", ["decode"]], ["Events", ["decode", "--time-line"]]],
};
const whole_bytes = 2 << 20; // of a file; larger ones are loaded stream by stream, as are those whose events are too many
const window_words = 1 << 20; // in view, for which streams are loaded
const waits_ms = 150; // until a view that moves is taken for one that stays

const decoder = new TextDecoder();

export class Records {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({ label: "report", line: (i) => ({ cells: [["text", this.line(i)]] }), on_choose: (i) => this.line_chosen(i) });
        this.listing.id = "record";
        this.search = h("input", { type: "search", placeholder: "search", "aria-label": "search the report",
            onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1) });
        this.choices = h("span", { role: "group", "aria-label": "view" });
        this.verdict = h("p", { class: "verdict" });
        this.strip = new Strip({ on_choose: (event) => this.event_chosen(event), on_range: (from, to) => this.range_changed(from, to) });
        this.second = new Second(this);
        this.other = h("input", { type: "file", "aria-label": "another recording or a firmware, with a time line below this one", onchange: () => page.busy(() => this.take_other()) });
        this.moment = new Moment(page);
        this.element = h("div", { class: "records" }, h("div", { class: "tools" }, this.choices, this.search,
            h("button", { onclick: () => this.find(1) }, "Find next"),
            h("button", { onclick: () => save(`${this.document.name}.txt`, this.bytes) }, "Save text"),
            h("button", { title: "a trace that ui.perfetto.dev opens", onclick: () => page.busy(() => this.save_trace()) }, "Save trace"), choose_button("Compare with…", this.other),
            fold_button(this.strip.element, "Time line"), fold_button(this.moment.element, "Details", !is_narrow())), this.verdict, h("div", { class: "strips" }, this.strip.element, this.second.element), this.listing.element, this.moment.element);
    }

    async show(document) {
        this.document = document;
        this.verdict.textContent = "";
        this.moment.forget();
        this.second.close();
        this.other.value = "";
        this.choices.replaceChildren(...views[document.kind].map(([name, args]) => h("button", { onclick: () => this.load(name, args) }, name)));
        const steps = [() => this.load(...views[document.kind][0]), () => this.load_strip()];
        for (const step of document.bytes instanceof Blob ? steps.reverse() : steps) // the strip needs only the beginning of it
            await step();
        return true;
    }

    async load(name, args) {
        for (const button of this.choices.children)
            button.setAttribute("aria-pressed", button.textContent === name ? "true" : "false");
        show_status(`reading ${this.document.name} …`);
        const { out, err, cut, code } = await this.page.engine.run([...args, this.document.name], this.document.files);
        this.name = name;
        this.bytes = out;
        this.starts = [0];
        for (let at = out.indexOf(10); at >= 0; at = out.indexOf(10, at + 1))
            this.starts.push(at + 1);
        this.listing.set_count(this.starts.length - 1);
        this.listing.element.scrollTop = 0;
        this.listing.choose(0, { tell: false });
        if (this.document.kind === "crash" && args.length === 1)
            this.verdict.textContent = this.first_sentence();
        show_status(code > 1 ? err.split("\n")[0] : cut ? `long: the first ${this.starts.length - 1} lines are shown` : `${this.starts.length - 1} lines`, code > 1 ? "error" : "");
    }

    // --- the time line ---

    // Events of a part of the file, which options choose; the first record says what times are.
    async events({ name, files }, options, command = "decode") {
        const { out, code, cut } = await this.page.engine.run([command, "--time-line", "--json", ...options, name], files);
        const lines = decoder.decode(out), whole = lines.slice(0, lines.lastIndexOf("\n"));
        return { cut, records: code > 1 || !whole ? [] : JSON.parse(`[${whole.replaceAll("\n", ",")}]`) };
    }

    async load_strip() {
        const { name, files } = this.document;
        let large = size_of(files[name]) > whole_bytes, { records, cut } = await this.events(this.document, large ? ["--frame", "0"] : []);
        if (cut && !large)
            [large, { records, cut }] = [true, await this.events(this.document, ["--frame", "0"])];
        this.cut = cut;
        const line = records.find((one) => one.unit);
        this.times = line ?? null;
        this.strip.element.hidden = !line || records.length < 2;
        this.loaded = large ? new Set([0]) : null; // null: all of it
        if (this.strip.element.hidden)
            return;
        this.all = records.filter((one) => one.lane);
        this.show_events(false);
    }

    show_events(keep) {
        const streams = this.all.filter(({ lane }) => lane === "streams").length;
        this.strip.show(this.times, this.all, { keep });
        if (this.cut)
            this.strip.note("; a stream has too many events: its last ones are left out");
        if (this.loaded && this.loaded.size < streams)
            this.strip.note(`; packets of ${this.loaded.size} of ${streams} streams are loaded, those of others when one zooms in on them`);
    }

    go_to({ section, at }) {
        if (!this.strip.element.hidden)
            this.strip.go_to(`${section}:${at}`);
    }

    // Of a large file the streams in view are loaded when the view has come to rest and is narrow enough.
    range_changed(from, to) {
        this.second.first_moved(from, to);
        if (!this.loaded)
            return;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.load_window(), waits_ms);
    }

    async load_window() {
        const { from, to } = this.strip, { document } = this;
        const wanted = this.all.filter((one) => one.lane === "streams" && one.start < to && one.end > from && !this.loaded.has(one.frame)).map(({ frame }) => frame);
        if (this.loading || to - from > window_words || !wanted.length)
            return;
        this.loading = true;
        const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
        show_status(`loading the events of streams ${first} to ${last} …`);
        const { records, cut } = await this.events(document, ["--from", `${first}`, "--to", `${last}`]), more = records.filter((one) => one.lane && !["submits", "streams"].includes(one.lane) && !this.loaded.has(one.frame));
        this.loading = false;
        if (document !== this.document)
            return;
        for (let frame = first; frame <= last; frame++)
            this.loaded.add(frame);
        this.all = this.all.concat(more);
        this.cut ||= cut;
        this.show_events(true);
        show_status(`${more.length} events more`);
    }

    async event_chosen(event) {
        this.page.place_changed({ section: event.lane, at: event.number });
        this.show_line(event);
        await this.moment.show(this.document, this.strip, event);
        await this.second.first_chosen(event);
    }

    // Another recording, whose strip comes below this one's.
    async take_other() {
        const [file] = this.other.files;
        if (file)
            await this.compare_with({ name: file.name, files: { [file.name]: (await taken(file)).bytes } });
    }

    async compare_with({ name, files }) {
        const own = name === this.document.name ? `second-${name}` : name;
        await this.second.open({ name: own, files: { [own]: files[name] } });
    }

    // The line of the report that an event stands in.
    show_line(event) {
        const address = event.address?.toString(16).padStart(12, "0");
        const draw = this.moment.draw_at(this.strip, event)?.draw, packets = (line) => address && line.slice(2).trimStart().startsWith(address);
        const is_its = { Packets: packets, Streams: packets, Draws: (line) => line.startsWith(`draw ${draw}:`), Events: (line) => this.event_of(line) === event_id(event) }[this.name];
        for (let i = 0; is_its && i < this.listing.count; i++)
            if (is_its(this.line(i)))
                return this.listing.choose(i, { tell: false });
    }

    event_of(line) {
        const [, lane, number] = line.match(/^\s*\d+\s+\d+\s+(\S+)\s+(\d+) /) ?? [];
        return lane ? `${lane}:${number}` : null;
    }

    // The other way round: a line of events or draws chooses its event.
    line_chosen(index) {
        const line = this.line(index), draw = line.match(/^draw (\d+):/)?.[1];
        const id = this.name === "Events" ? this.event_of(line) : draw ? `draws:${draw}` : null;
        if (id && this.times && !this.strip.element.hidden && (!this.strip.chosen || event_id(this.strip.chosen) !== id))
            this.strip.go_to(id);
    }

    async save_trace() {
        const out = "page-trace.json", { made } = await this.page.engine.run(["decode", "--perfetto", out, this.document.name], this.document.files, { wanted: [out] });
        if (!made[out])
            throw new Error("There is no time line to save.");
        save(`${this.document.name}.trace.json`, made[out]);
    }

    // --- the report ---

    // The program wraps its lines; a sentence ends with a full stop.
    first_sentence() {
        const text = decoder.decode(this.bytes.subarray(0, 4096)).split("\n\n")[0].replaceAll("\n", " ");
        return text.match(/^.*?\.(?= |$)/)?.[0] ?? text;
    }

    whole_text() {
        return decoder.decode(this.bytes);
    }

    line(index) {
        return decoder.decode(this.bytes.subarray(this.starts[index], this.starts[index + 1] - 1));
    }

    find(step) {
        const wanted = this.search.value.toLowerCase(), count = this.listing.count;
        for (let n = 1; wanted && n <= count; n++) {
            const i = (((Math.max(this.listing.chosen, 0) + step * n) % count) + count) % count;
            if (this.line(i).toLowerCase().includes(wanted)) {
                this.listing.choose(i);
                return;
            }
        }
        show_status(`“${this.search.value}” is not in the report`, "note");
    }
}
