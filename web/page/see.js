// SPDX-License-Identifier: MIT
// Pictures: graphs of the code, what ran, two firmwares side by side, a script's time line.
import { code_of } from "./open.js";
import { h, show_status } from "./dom.js";

export class Seer {
    constructor(page) {
        this.page = page;
        this.picture = h("div", { class: "picture", tabindex: "0", "aria-label": "picture" });
        this.text = h("pre", { class: "as-text", tabindex: "0", "aria-label": "the same as text" });
        this.routine = h("input", { placeholder: "routine", size: 14, "aria-label": "routine", list: "routines",
            onkeydown: (event) => event.key === "Enter" && this.graph("flow") });
        this.names = h("datalist", { id: "routines" });
        this.other = h("input", { type: "file", "aria-label": "another version to compare with", onchange: () => this.compare() });
        this.buttons = {
            calls: h("button", { onclick: () => this.graph("calls") }, "Call graph"),
            flow: h("button", { onclick: () => this.graph("flow") }, "Flow of"),
            coverage: h("button", { onclick: () => this.coverage() }, "Coverage"),
            time: h("button", { onclick: () => this.time_line() }, "Time line"),
        };
        this.element = h("div", { class: "seer" }, h("div", { class: "tools" }, this.buttons.calls, this.buttons.flow, this.routine, this.names,
            this.buttons.coverage, this.buttons.time, h("label", {}, "Compare with ", this.other)), this.picture, h("details", {}, h("summary", {}, "As text"), this.text));
    }

    async show(document) {
        const code = await code_of(this.page.engine, document);
        if (!code.bytes) {
            show_status("The source has errors; “Write” shows them.", "error");
            return false;
        }
        this.document = document;
        this.options = code.given ? ["-t", code.given] : [];
        this.files = { ...document.files, "page-code.bin": code.bytes };
        const is_script = (code.target ?? "").startsWith("hwsq");
        const has_packets = (code.target ?? "").startsWith("afuc");
        this.buttons.time.hidden = !is_script;
        this.buttons.calls.hidden = this.buttons.coverage.hidden = !has_packets;
        this.buttons.flow.hidden = this.routine.hidden = !has_packets;
        this.names.replaceChildren(...(this.page.reader.lines?.routines() ?? []).map((routine) => h("option", { value: routine.name })));
        this.picture.replaceChildren();
        this.text.textContent = "";
        if (is_script)
            await this.time_line();
        else if (has_packets)
            await this.graph("calls");
        return true;
    }

    async graph(kind) {
        const args = ["graph", `--kind=${kind}`, ...this.options, ...(kind === "flow" ? ["--function", this.routine.value || "CP_NOP"] : []), "page-code.bin"];
        const { out, err, code } = await this.page.engine.text([...args, "--format=dot"], this.files);
        if (code > 1) {
            show_status(err.split("\n")[0], "error");
            return;
        }
        this.text.textContent = (await this.page.engine.text(args, this.files)).out;
        show_status("drawing …");
        const { instance } = await import("@viz-js/viz");
        const drawn = (await instance()).renderSVGElement(out);
        drawn.setAttribute("role", "img");
        drawn.setAttribute("aria-label", `${kind} graph`);
        this.picture.replaceChildren(drawn);
        show_status("");
    }

    async coverage() {
        const packets = this.page.runner?.input.value.split("\n").map((line) => line.match(/^packet (.*)/)?.[1]).filter(Boolean) ?? [];
        const { objects } = await this.page.engine.objects(["coverage", ...this.options, ...packets.flatMap((text) => ["--packet", text]), "page-code.bin"], this.files);
        const rows = (objects[0]?.sections ?? []).flatMap((section) => section.routines.map((routine) => h("tr", {},
            h("th", { scope: "row" }, routine.name), h("td", {}, `${routine.ran} of ${routine.instructions}`),
            h("td", {}, h("meter", { min: 0, max: routine.instructions, value: routine.ran, title: `${routine.ran} of ${routine.instructions}` })))));
        this.picture.replaceChildren(h("table", { class: "coverage" }, h("caption", {}, packets.length
            ? `what ran with ${packets.length} packet${packets.length > 1 ? "s" : ""} of “Run”` : "what ran at the start; packets come from “Run”"), h("tbody", {}, rows)));
    }

    async time_line() {
        const plot = "page-plot.svg";
        const { made, out, err } = await this.page.engine.text(["run", ...this.options, "page-code.bin", "--plot", plot], this.files, { wanted: [plot] });
        this.text.textContent = out || err;
        if (made[plot])
            this.picture.replaceChildren(svg_of(made[plot], "time line"));
    }

    async compare() {
        const file = this.other.files[0];
        if (!file)
            return;
        const bytes = new Uint8Array(await file.arrayBuffer());
        const { out, err, code } = await this.page.engine.text(["diff", ...this.options, "page-code.bin", "page-other.bin"], { ...this.files, "page-other.bin": bytes });
        this.text.textContent = out;
        this.picture.replaceChildren(h("pre", {}, code > 1 ? err : out || "no difference"));
    }
}

// A picture of the program's as elements, so that it scales and its titles are read.
export function svg_of(bytes, label) {
    const parsed = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
    const drawn = document.importNode(parsed, true);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", label);
    return drawn;
}
