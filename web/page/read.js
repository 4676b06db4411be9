// SPDX-License-Identifier: MIT
// Reading code: the listing, what is in it, and what the chosen instruction is.
import { unit_cells } from "./code_lines.js";
import { code_view, listing_of } from "./code_view.js";
import { draw_bits, row_of } from "./bits.js";
import { Listing } from "./listing.js";
import { h, hex, show_status } from "./dom.js";
import { render_markdown } from "./markdown.js";

const bytes_shown = 512 << 10; // of code; no firmware is as long
const manuals = new Map(); // set -> rows, for all files of one visit

async function rows_of(engine, set) {
    if (!manuals.has(set)) {
        const { out } = await engine.text(["manual", "--json", set]);
        manuals.set(set, JSON.parse(out).rows ?? []);
    }
    return manuals.get(set);
}

const set_of = (target) => (target ?? "").split(":")[0];

export class Reader {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({
            label: "listing", line: (i) => this.row(i), on_choose: (i) => this.chosen(i),
            on_key: (event, i) => this.key(event, i),
        });
        this.search = h("input", { type: "search", placeholder: "search, or go to 0x1f", "aria-label": "search the listing",
            onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1) });
        this.outline = h("nav", { class: "outline", "aria-label": "contents" });
        this.details = h("section", { class: "details", "aria-label": "about the chosen instruction", "aria-live": "polite" });
        this.element = h("div", { class: "reader" },
            h("div", { class: "tools" }, this.search,
                h("button", { onclick: () => this.find(1) }, "Find next"),
                h("button", { onclick: () => this.find_pattern(),
                    title: "Instructions as the listing writes them, as: mov $x, *; ...; store $x, * – * is any operand, $x or ?name the same wherever it stands, ... any number of instructions" },
                    "Find pattern"),
                h("button", { onclick: () => page.save_text() }, "Save listing")),
            this.listing.element, this.details, this.outline);
    }

    async show(document) {
        this.document = document;
        const view = await code_view(this.page.engine, document, bytes_shown);
        if (!view.bytes) {
            this.lines = null;
            this.listing.set_count(0);
            this.outline.replaceChildren();
            this.details.replaceChildren(h("p", {}, "The source has errors; “Write” shows them."), h("ul", {}, view.messages.slice(0, 20).map((message) =>
                h("li", {}, h("button", { class: "link", onclick: () => this.page.go_to_error(message) }, [message.file, message.line, ` ${message.message}`].filter(Boolean).join(":"))))));
            return false;
        }
        this.view = view;
        const { lines, cut } = await listing_of(this.page.engine, view);
        this.lines = lines;
        this.target = view.target;
        this.generation = document.info?.generation;
        this.wide = this.lines.count ? Math.max(...[0, this.lines.count >> 1].map((i) => this.lines.unit(i).bits.length - 2)) : 8;
        this.listing.set_count(this.lines.count);
        this.listing.choose(0, { tell: false });
        if (cut || view.long)
            show_status(`The file is long: its first ${this.lines.count} instructions are shown.`, "note");
        await this.draw_outline();
        this.listing.choose(0);
        return true;
    }

    row(index) {
        const unit = this.lines.unit(index);
        return { cells: unit_cells(unit, this.wide), class: unit.kind === "data" ? "data" : "" };
    }

    async draw_outline() {
        const info = this.document.info ?? (await this.page.engine.objects(["info", ...this.view.options, this.view.name], this.view.files)).objects[0];
        this.info = info;
        const to = (section, at) => this.listing.choose(this.lines.find(section, at)) ?? this.listing.element.focus();
        const facts = h("dl", { class: "facts" });
        for (const [name, value] of [["target", this.target], ["size", info && `${info.size_bytes} bytes`], ["version", info?.version]])
            if (value)
                facts.append(h("dt", {}, name), h("dd", {}, value));
        const group = (title, items) => items.length
            ? h("details", { open: items.length < 400 }, h("summary", {}, `${title} (${items.length})`), h("ul", {}, items))
            : null;
        const link = (text, act, more) => h("li", {}, h("button", { class: "link", onclick: act }, text), more && h("span", { class: "dim" }, ` ${more}`));
        const sections = this.lines.sections().map((run) => link(run.name, () => this.listing.choose(run.first), `${run.last - run.first + 1} words`));
        const handlers = new Map();
        for (const packet of info?.packets ?? []) {
            const key = `${packet.section}:${packet.handler_words}`;
            handlers.set(key, [...(handlers.get(key) ?? []), packet]);
        }
        const packets = [...handlers.values()].sort((a, b) => a[0].handler_words - b[0].handler_words)
            .map((all) => link(all.length > 3 ? `${all[0].name} and ${all.length - 1} more` : all.map((packet) => packet.name).join(", "),
                () => to(all[0].section, all[0].handler_words), hex(all[0].handler_words)));
        const routines = this.lines.routines().map((routine) => link(routine.name, () => this.listing.choose(routine.index),
            hex(this.lines.unit(routine.index).at)));
        this.outline.replaceChildren(facts, ...[group("Sections", sections), group("Packets", packets), group("Routines", routines)].filter(Boolean));
    }

    async chosen(index) {
        const unit = this.lines.unit(index), turn = (this.turn = (this.turn ?? 0) + 1);
        this.page.place_changed({ section: unit.section, at: unit.at });
        const rows = await rows_of(this.page.engine, set_of(this.target));
        if (turn !== this.turn)
            return;
        const row = unit.kind === "code" ? row_of(rows, unit.bits, this.generation) : null;
        const parts = [h("h2", {}, unit.text)];
        if (unit.labels?.length)
            parts.push(h("p", {}, `${unit.labels.length > 1 ? "Labels" : "Label"}: ${unit.labels.join(", ")}`));
        parts.push(h("p", { class: "dim" }, [unit.section, unit.routine && `in ${unit.routine}`, `at ${hex(unit.at)}`, unit.bits].filter(Boolean).join(", ")));
        if (row) {
            parts.push(h("div", { class: "wide" }, draw_bits(row, unit.bits)), h("p", {}, row.doc));
            if (unit.operands?.length)
                parts.push(this.operand_table(unit));
            parts.push(h("details", {}, h("summary", {}, "Meaning"), h("pre", {}, row.action ?? "")),
                h("p", { class: "dim" }, `${row.id}; source: ${row.source} (${row.evidence})`));
        } else if (unit.kind === "code") {
            parts.push(h("p", {}, "No single row describes these bits."));
        } else {
            parts.push(h("p", {}, "Data: not an instruction, or not known to be one."));
        }
        const people = h("div", {});
        parts.push(h("button", { onclick: () => this.who(unit, people) }, "Who uses this place?"), people,
            h("button", { onclick: () => this.manual(unit, people) }, "Manual"));
        this.details.replaceChildren(...parts.filter(Boolean));
    }

    operand_table(unit) {
        const use = (operand, box) => operand.space && operand.space !== "general"
            ? h("button", { class: "link", onclick: () => this.uses(operand.text, box) }, operand.text) : operand.text;
        const box = h("div", {});
        return h("div", {}, h("table", { class: "operands" }, h("tbody", {}, unit.operands.map((operand) => h("tr", {},
            h("th", { scope: "row" }, use(operand, box)), h("td", {}, operand.kind),
            h("td", {}, operand.value !== undefined ? `${hex(operand.value >>> 0)} = ${operand.value}` : operand.access ?? ""))))), box);
    }

    who(unit, box) {
        return this.uses(unit.labels?.[0] ?? hex(unit.at), box);
    }

    async uses(what, box) {
        box.replaceChildren("…");
        const { objects, messages } = await this.page.engine.objects(["xref", ...this.view.options, this.view.name, what], this.view.files);
        box.replaceChildren(objects.length
            ? h("ul", {}, objects.slice(0, 200).map((use) => h("li", {},
                h("button", { class: "link", onclick: () => this.listing.choose(this.lines.find(use.section, use.at_words ?? use.at_bytes)) },
                    `${use.function ?? ""} ${hex(use.at_words ?? use.at_bytes ?? 0)}`),
                ` ${use.access ?? use.kind ?? ""}${use.value ? ` ${use.value}` : ""}`)))
            : h("p", { class: "dim" }, messages[0]?.message ?? `nothing uses ${what}`));
    }

    async manual(unit, box) {
        const { out } = await this.page.engine.text(["manual", set_of(this.target), unit.mnemonic ?? unit.text.split(" ")[0]]);
        box.replaceChildren(h("article", { class: "manual" }, render_markdown(out)));
    }

    find(step) {
        const text = this.search.value.trim(), from = Math.max(0, this.listing.chosen);
        if (!text || !this.lines)
            return;
        const place = /^0x[0-9a-f]+$/i.test(text) ? this.lines.find(this.lines.unit(from).section, Number(text)) : -1;
        const index = place >= 0 ? place : this.lines.search(text, from, step);
        if (index >= 0)
            this.listing.choose(index);
        show_status(index >= 0 ? `found at ${hex(this.lines.unit(index).at)}` : `“${text}” is not in the listing`, index >= 0 ? "" : "note");
    }

    // All places of a pattern over instructions, as `gpucode search` finds them, ahead of the contents.
    async find_pattern() {
        const pattern = this.search.value.trim(), view = this.view;
        if (!pattern || !this.lines)
            return;
        const { objects, messages } = await this.page.engine.objects(
            ["search", ...this.view.options, ...this.view.symbols, this.view.name, pattern], this.view.files);
        if (view !== this.view)
            return;
        const at = (insn) => insn.at_words ?? insn.at_bytes, places = objects.filter((match) => match.instructions);
        show_status(places.length ? `found at ${places.length} place${places.length > 1 ? "s" : ""}`
            : messages[0]?.message ?? "no place has this pattern", places.length ? "" : "note");
        this.found?.remove();
        this.found = h("details", { class: "found", open: true }, h("summary", {}, `${pattern} (${places.length})`),
            h("ul", {}, places.slice(0, 500).map((match) => h("li", {},
                h("button", { class: "link", onclick: () => this.listing.choose(this.lines.find(match.section, at(match.instructions[0]))) },
                    match.instructions.map((insn) => insn.text).join("; ")),
                h("span", { class: "dim" }, ` ${hex(at(match.instructions[0]))}`,
                    ...(match.bound ?? []).map((name) => `, ${name.name} = ${name.text}`))))));
        this.outline.prepend(this.found);
    }

    key(event, index) {
        if (event.key === "/" || (event.key === "f" && event.ctrlKey)) {
            this.search.focus();
            return true;
        }
        if (event.key === "Enter") { // follow the operand that is a place
            const target = this.lines.unit(index).operands?.map((operand) => operand.text.match(/#(?:\w+::?)?(\w+)/)?.[1]).find(Boolean);
            const found = target ? this.find_label(target) : -1;
            if (found >= 0)
                this.listing.choose(found);
            return found >= 0;
        }
        return false;
    }

    find_label(label) {
        for (let i = 0; i < this.lines.count; i++)
            if (this.lines.text(i).includes(`"${label}"`) && this.lines.unit(i).labels?.includes(label))
                return i;
        return -1;
    }

    whole_text() {
        return this.listing.whole_text();
    }

    go_to({ section = null, at }) {
        const index = this.lines?.find(section, at) ?? -1;
        if (index >= 0)
            this.listing.choose(index);
    }
}
