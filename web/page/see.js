// SPDX-License-Identifier: MIT
// Pictures: graphs of the code with what ran in colours, two firmwares side by side, a script's time line.
import { code_view, listing_of } from "./code_view.js";
import { colour, coverage_of } from "./covered.js";
import { choose_button, h, save, show_status } from "./dom.js";
import { taken } from "./take.js";
import { time_line_of } from "./time_line.js";
import { Zoom } from "./zoom.js";

// Graphviz has no fonts here; the widths of this one it knows by heart, and all fonts of one width have the same.
async function draw_graph(dot) {
    const { instance } = await import("@viz-js/viz");
    const drawn = (await instance()).renderSVGElement(dot.replace(/fontname="[^"]*"/g, 'fontname="Courier"'));
    for (const text of drawn.querySelectorAll("[font-family]"))
        text.setAttribute("font-family", "ui-monospace, monospace");
    return drawn;
}

export class Seer {
    constructor(page) {
        this.page = page;
        this.picture = h("div", { class: "picture", role: "group", tabindex: "0", "aria-label": "picture" });
        this.zoom = new Zoom(this.picture, (node, target) => this.follow(node, target));
        this.text = h("pre", { class: "as-text", role: "group", tabindex: "0", "aria-label": "the same as text" });
        this.routine = h("input", { placeholder: "routine", size: 14, "aria-label": "routine", list: "routines",
            onkeydown: (event) => event.key === "Enter" && this.graph("flow") });
        this.names = h("datalist", { id: "routines" });
        this.other = h("input", { type: "file", "aria-label": "another version to compare with", onchange: () => page.busy(() => this.compare()) });
        this.buttons = {
            calls: h("button", { onclick: () => page.busy(() => this.graph("calls")) }, "Call graph"),
            flow: h("button", { onclick: () => page.busy(() => this.graph("flow")) }, "Flow of"),
            coverage: h("button", { "aria-pressed": "false", title: "what the packets of “Run” run, in colours", onclick: () => page.busy(() => this.toggle_coverage()) }, "Coverage"),
            time: h("button", { onclick: () => page.busy(() => this.time_line()) }, "Time line"),
            save: h("button", { hidden: true, onclick: () => save(...this.saved) }, "Save"),
        };
        this.element = h("div", { class: "seer" }, h("div", { class: "tools" }, this.buttons.calls, this.buttons.flow, this.routine, this.names,
            this.buttons.coverage, this.buttons.time, choose_button("Compare with…", this.other), this.zoom.buttons, this.buttons.save),
        this.picture, h("details", {}, h("summary", {}, "As text"), this.text));
    }

    async show(document) {
        const view = await code_view(this.page.engine, document);
        if (!view.bytes) {
            this.put([], "");
            show_status("The source has errors; “Write” shows them.", "error");
            return false;
        }
        this.document = document;
        this.view = view;
        const is_script = (view.target ?? "").startsWith("hwsq"), has_calls = (view.target ?? "").startsWith("afuc"), is_shader = /^(a3xx|ir3)/.test(view.target ?? "");
        this.has_calls = has_calls;
        this.buttons.time.hidden = !is_script;
        this.buttons.calls.hidden = this.routine.hidden = !has_calls;
        this.buttons.flow.hidden = this.buttons.coverage.hidden = !has_calls && !is_shader;
        this.lines = (await listing_of(this.page.engine, view)).lines;
        this.names.replaceChildren(...this.lines.routines().map((routine) => h("option", { value: routine.name })));
        this.put([], "");
        if (is_script)
            await this.time_line();
        else if (has_calls || is_shader)
            await this.graph(has_calls ? "calls" : "flow");
        return true;
    }

    // A moment of Run lights the graph: what had run before it.
    async attach() {
        const { moment } = this.document ?? {};
        if (moment === undefined || moment === this.lit || this.buttons.coverage.hidden)
            return;
        this.lit = moment;
        this.buttons.coverage.setAttribute("aria-pressed", "true");
        await this.graph(this.kind ?? "calls");
    }

    // What is seen, the same as text, and the name and bytes of a file of it.
    put(elements, text, saved = null) {
        this.picture.replaceChildren(...elements);
        this.zoom.take(elements[0] instanceof SVGElement ? elements[0] : null);
        this.text.textContent = text;
        this.saved = saved;
        this.buttons.save.hidden = !saved;
    }

    async toggle_coverage() {
        const on = this.buttons.coverage.getAttribute("aria-pressed") !== "true";
        this.buttons.coverage.setAttribute("aria-pressed", String(on));
        await this.graph(this.kind ?? "calls");
    }

    async graph(kind) {
        const { options, symbols, name, files } = this.view, which = kind === "flow" && this.has_calls ? ["--function", this.routine.value || "CP_NOP"] : [];
        const args = ["graph", `--kind=${kind}`, ...options, ...symbols, ...which, name], { engine } = this.page;
        const { out, err, code } = await engine.text([...args, "--form=dot"], files);
        if (code > 1)
            throw new Error(err.split("\n")[0]);
        this.kind = kind;
        const words = (await engine.text(args, files)).out;
        show_status("drawing …");
        const covers = this.buttons.coverage.getAttribute("aria-pressed") === "true" ? await this.coverage() : null;
        const drawn = await draw_graph(covers ? colour(out, covers) : out);
        drawn.setAttribute("role", "group");
        drawn.setAttribute("aria-label", `${kind === "calls" ? "call graph" : `flow of ${this.routine.value || "CP_NOP"}`}${covers ? ", with what ran" : ""}`);
        this.put(covers ? [drawn, covers.table] : [drawn], words, [`${this.document.name}.${kind}.svg`, new XMLSerializer().serializeToString(drawn)]);
        show_status("");
    }

    // From a routine to its flow, from a block to its instructions.
    follow(node, target) {
        const [, section, , unit] = node.dataset.name.match(/^b(\d+)_(\d+)_(\d+)$/) ?? [];
        if (unit !== undefined) {
            const run = this.lines.sections()[section];
            this.page.show_view("read").then(() => this.page.reader.go_to({ section: run?.name ?? null, at: Number(unit) }));
            return;
        }
        const names = [...this.names.children].map((option) => option.value), texts = [target, ...node.querySelectorAll("text")].map((one) => one.textContent.trim());
        const name = texts.find((text) => names.includes(text));
        if (name)
            this.page.busy(() => {
                this.routine.value = name;
                return this.graph("flow");
            });
    }

    // What the packets of the Run view run.
    async coverage() {
        if (!this.has_calls)
            return this.shader_coverage();
        const { options, symbols, name, files } = this.view, { engine } = this.page, { moment } = this.document;
        const lines = (this.page.document.state.commands ?? "").split("\n");
        const packets = lines.map((line) => line.match(/^packet (.*)/)?.[1]).filter(Boolean);
        const { objects, err } = await engine.objects(["coverage", ...options, ...symbols, ...packets.flatMap((text) => ["--packet", text]), ...(moment === undefined ? [] : ["--limit", `${Math.max(1, moment)}`]), name], files);
        const graph = await engine.text(["graph", "--kind=calls", ...options, ...symbols, name, "--json"], files);
        if (!objects[0])
            throw new Error(err.split("\n")[0]);
        const rows = objects[0].sections.flatMap((section) => section.routines.map((routine) => h("tr", {},
            h("th", { scope: "row" }, routine.name), h("td", {}, `${routine.ran} of ${routine.instructions}`),
            h("td", {}, h("meter", { min: 0, max: routine.instructions, value: routine.ran, title: `${routine.ran} of ${routine.instructions}` })))));
        const table = h("table", { class: "coverage" }, h("caption", {}, moment !== undefined ? `what ran before the moment of “Run”, ${moment} instructions` : packets.length
            ? `what ran with ${packets.length} packet${packets.length > 1 ? "s" : ""} of “Run”` : "what ran at the start; packets come from “Run”"), h("tbody", {}, rows));
        return { ...coverage_of(objects[0], JSON.parse(graph.out)), table };
    }

    // Of a shader: what the time line of Run has until its moment, in all fibers.
    shader_coverage() {
        const moment = this.document.moment ?? Infinity, ran = this.page.runner?.line.ran_before(moment) ?? new Set();
        const caption = h("caption", {}, ran.size ? `what ran before the moment of “Run”: ${ran.size} of ${this.lines.count} instructions` : "nothing has run: choose a moment in “Run”");
        return { has_run: (section, unit) => ran.has(unit), share: () => undefined, table: h("table", { class: "coverage" }, caption) };
    }

    async time_line() {
        const { options, name, files } = this.view, { out, err } = await this.page.engine.text(["run", ...options, name], files);
        const { drawn } = await time_line_of(this.page.engine, this.view);
        this.put(drawn ? [drawn] : [], out || err, drawn && [`${this.document.name}.svg`, new XMLSerializer().serializeToString(drawn)]);
    }

    async compare() {
        const file = this.other.files[0];
        if (file)
            await this.compare_bytes(file.name, (await taken(file)).bytes);
    }

    // With another document, the newer version.
    async compare_with(other) {
        const view = await code_view(this.page.engine, other);
        if (view.bytes)
            await this.compare_bytes(other.name, view.bytes);
    }

    // Both sides of what has changed where the program draws that, else its words.
    async compare_bytes(title, bytes) {
        const { options, name } = this.view, page = "page-diff.html", { engine } = this.page;
        const old = `before-${name.replace(/.*\//, "")}`, base = title.replace(/.*\//, ""), now = base === old ? `after-${base}` : base;
        const files = { [old]: this.view.files[name], [now]: bytes };
        const { out, err, code } = await engine.text(["diff", ...options, old, now], files);
        if (code > 1)
            throw new Error(err.split("\n")[0]);
        const { made } = await engine.text(["diff", ...options, old, now, "--html", page], files, { wanted: [page] });
        const html = made[page] && new TextDecoder().decode(made[page]);
        this.put([html ? h("iframe", { class: "sides", sandbox: "", title: "both sides of what has changed", srcdoc: html }) : h("pre", {}, out || "no difference")],
            out || "no difference", html && [`${this.document.name}.diff.html`, html]);
        show_status(code ? "" : "no difference");
    }
}
