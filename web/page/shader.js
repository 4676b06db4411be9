// SPDX-License-Identifier: MIT
// A shader's picture, drawn again whenever its text or an input changes; beside it what lint says and what the schedule is.
import { code_view } from "./code_view.js";
import { h, pixel_of, show_status } from "./dom.js";
import { differences } from "./lines.js";
import { target_options } from "./open.js";
import { is_png, read_pam, read_png } from "./png.js";

const pause_ms = 60; // behind the last change of the text
const quick_side = 64, settled_ms = 150; // while a slider moves the picture is small, and what it was when it stays

// The consts that a source has values for: [{name, value}].
function consts_of(text) {
    return [...text.matchAll(/^\s*@const\((c\d+\.[xyzw])\)\s*([-\d.e]+(?:\s*,\s*[-\d.e]+)*)/gm)].flatMap(([, first, list]) => {
        const [, number, component] = first.match(/c(\d+)\.(.)/);
        return list.split(",").map((value, i) => {
            const at = "xyzw".indexOf(component) + i;
            return { name: `c${Number(number) + (at >> 2)}.${"xyzw"[at & 3]}`, value: Number(value) };
        });
    }).filter(({ value }) => Number.isFinite(value));
}

// A file that the module can read as a texture, and its name with the size: raw floats, made of a PNG.
async function raw_texture(name, bytes) {
    if (!bytes || !is_png(bytes))
        return { word: name, files: {} };
    const { width, height, texels } = await read_png(bytes);
    return { word: `${name}.f32:${width}x${height}`, files: { [`${name}.f32`]: new Uint8Array(texels.buffer) } };
}

export class Shader {
    constructor(page) {
        this.page = page;
        this.canvas = h("canvas", { width: 256, height: 256, role: "img", "aria-label": "what the shader draws; a click steps that pixel",
            onclick: (event) => this.pixel(event) });
        this.sliders = h("div", { class: "sliders", role: "group", "aria-label": "inputs" });
        this.size = h("select", { "aria-label": "size", onchange: () => this.draw() }, [64, 128, 256, 512].map((side) => h("option", { selected: side === 256 }, `${side}`)));
        this.at = h("input", { size: 9, placeholder: "x,y", "aria-label": "pixel to step", onkeydown: (event) => event.key === "Enter" && this.step_typed() });
        this.note = h("p", { class: "dim", role: "status" });
        this.findings = h("ul", { class: "findings" });
        this.cost = h("p", {});
        this.changes = h("pre", { class: "changes", role: "group", tabindex: "0", "aria-label": "what the schedule changes" });
        this.editor = h("div", { class: "editor-place" });
        this.element = h("div", { class: "shader" },
            h("div", { class: "tools" }, h("label", {}, "Size ", this.size), h("label", {}, "Pixel ", this.at), h("button", { onclick: () => this.step_typed() }, "Step pixel"),
                h("button", { onclick: () => this.put_in_schedule() }, "Schedule")),
            this.editor,
            h("div", { class: "beside" }, this.canvas, this.note, this.sliders, h("h2", {}, "Lint"), this.findings, h("h2", {}, "Schedule"), this.cost, this.changes));
        this.reset();
    }

    reset() {
        this.values = new Map(); // const -> what its slider says
        this.varyings = new Map(); // component -> text
        this.textures = new Map(); // unit -> {word, files}
        this.shape = "";
    }

    // An opened document; what is typed comes by edited().
    async show(document) {
        if (document.opened !== this.opened) {
            this.reset();
            this.opened = document.opened;
            await this.take_inputs(document.state.picture ?? {}, document.files);
        }
        this.document = document;
        await this.refresh();
        return true;
    }

    // In the words of `run`, as an example's inputs are written, and as keep() gives them.
    async take_inputs({ varying = [], texture = [], policies = {}, values = [], files: own = {} }, files) {
        this.policies = policies;
        this.kept_values = new Map(values);
        for (const text of varying)
            this.varyings.set(Number(text.split("=")[0]), text.split("=")[1]);
        for (const text of texture) {
            const [, unit, name, form] = text.match(/^(\d+)=([^:]+)(.*)$/);
            await this.take_file(Number(unit), name, own[name] ?? files[name], form);
        }
    }

    async take_file(unit, name, bytes, form = "") {
        const { word, files } = await raw_texture(name, bytes);
        this.textures.set(unit, { word: word + form, files, name, form, bytes });
    }

    // What the document is given, to be kept with it: textures as the files that they come from.
    keep() {
        const textures = [...this.textures].filter(([, { bytes }]) => bytes);
        this.page.touch({ picture: {
            varying: this.given().varying, texture: textures.map(([unit, { name, form }]) => `${unit}=${name}${form}`), policies: this.policies,
            values: [...this.values], files: Object.fromEntries(textures.map(([, { name, bytes }]) => [name, bytes])),
        } });
    }

    // The editor belongs to two views and stands in the one that is looked at.
    async attach() {
        const writer = await this.page.view_named("write");
        this.editor.append(writer.place);
        await writer.has(this.page.document);
    }

    edited(document) {
        this.document = document;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.refresh(), pause_ms);
    }

    async refresh() {
        await this.find_inputs();
        await this.draw();
        await this.judge();
    }

    async find_inputs() {
        const view = await code_view(this.page.engine, this.document);
        if (!view.bytes)
            return;
        const { objects } = await this.page.engine.objects(["info", ...view.options, view.name], view.files);
        const text = this.document.kind === "source" ? new TextDecoder().decode(this.document.bytes) : "";
        const inputs = { consts: consts_of(text), varyings: objects[0]?.varying_components ?? 0, units: (objects[0]?.textures ?? []) };
        if (JSON.stringify(inputs) === this.shape)
            return;
        this.shape = JSON.stringify(inputs);
        for (let i = 0; i < inputs.varyings; i++)
            if (!this.varyings.has(i))
                this.varyings.set(i, i % 2 === 0 ? "-1.1,1.1,-1.1" : "1.1,1.1,-1.1");
        this.count = inputs.varyings;
        this.values = this.kept_values ?? new Map(); // of an edited text the text has the last word
        this.kept_values = null;
        this.sliders.replaceChildren(...inputs.consts.map((constant) => this.slider(constant)),
            ...Array.from({ length: inputs.varyings }, (_, i) => this.corners(i)), ...inputs.units.map((unit) => this.texture(unit)));
    }

    slider({ name, value }) {
        const now = this.values.get(name) ?? value, most = Math.max(2, Math.abs(value) * 2), shown = h("output", {}, now.toPrecision(3));
        const input = h("input", { type: "range", min: -most, max: most, step: most / 200, "aria-label": name,
            oninput: () => {
                shown.textContent = Number(input.value).toPrecision(3);
                this.values.set(name, Number(input.value));
                this.keep();
                this.draw_quickly();
            } });
        input.value = now;
        return h("label", {}, name, input, shown);
    }

    corners(i) {
        const input = h("input", { value: this.varyings.get(i), title: "upper left, upper right, lower left, and lower right if the corners make no plane",
            oninput: () => {
                this.varyings.set(i, input.value);
                this.keep();
                this.draw();
            } });
        return h("label", {}, `varying ${i}`, input);
    }

    texture(unit) {
        const input = h("input", { type: "file", accept: "image/png,.f32", onchange: () => this.page.busy(() => this.take_texture(unit, input.files[0])) });
        return h("label", {}, `texture ${unit}`, input, h("output", {}, this.textures.get(unit)?.word ?? ""));
    }

    async take_texture(unit, file) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (!is_png(bytes))
            throw new Error(`${file.name}: no PNG`);
        await this.take_file(unit, file.name, bytes).catch((error) => { throw new Error(`${file.name}: ${error.message}`); });
        this.keep();
        this.draw();
    }

    // What the shader is given, in the words of `run` and of a launch.
    given() {
        return {
            varying: Array.from({ length: this.count ?? 0 }, (_, i) => `${i}=${this.varyings.get(i)}`),
            const: [...this.values].map(([name, value]) => `${name}=${value.toFixed(6)}`),
            texture: [...this.textures].map(([unit, { word }]) => `${unit}=${word}`),
        };
    }

    made_files() {
        return Object.assign({}, ...[...this.textures.values()].map(({ files }) => files));
    }

    arguments() {
        return [...Object.entries(this.given()).flatMap(([name, list]) => list.flatMap((text) => [`--${name}`, text])),
            ...Object.entries(this.policies ?? {}).flatMap(([name, value]) => ["--policy", `${name}=${value}`])];
    }

    draw_quickly() {
        clearTimeout(this.settled);
        this.settled = setTimeout(() => this.draw(), settled_ms);
        return this.draw(Math.min(quick_side, this.size.value));
    }

    async draw(side = this.size.value) {
        if (this.drawing) {
            this.again = side;
            return;
        }
        this.drawing = true;
        const picture = "page-picture.pam", began = performance.now();
        const { made, err } = await this.page.engine.text(["run", ...target_options(this.document), "--image", `${side}x${side}`, picture,
            this.document.name, ...this.arguments()], { ...this.document.files, ...this.made_files() }, { wanted: [picture] });
        if (made[picture]) {
            const image = (this.image = read_pam(made[picture]));
            this.canvas.width = image.width;
            this.canvas.height = image.height;
            this.canvas.getContext("2d").putImageData(image, 0, 0);
            this.note.textContent = `${image.width} × ${image.height} in ${Math.round(performance.now() - began)} ms; a click on the picture steps that pixel`;
        } else {
            this.note.textContent = err;
            show_status("no picture", "error");
        }
        this.drawing = false;
        const next = this.again;
        this.again = null;
        if (next)
            await this.draw(next);
    }

    // Lint's findings, and what a schedule would change.
    async judge() {
        const document = this.document, { engine } = this.page, options = target_options(document);
        const { objects } = await engine.objects(["lint", ...options, document.name], document.files);
        const { out, err } = await engine.text(["schedule", ...options, "--form", "text", document.name], document.files);
        if (document !== this.document)
            return;
        this.findings.replaceChildren(...(objects.length ? objects.map((finding) => h("li", {},
            finding.line ? h("button", { class: "link", onclick: () => this.go_to(finding.line) }, `line ${finding.line}`) : `at ${finding.unit}`,
            `: ${finding.message}${finding.fix ? `; ${finding.fix}` : ""}`)) : [h("li", {}, "nothing")]));
        const text = document.kind === "source" ? new TextDecoder().decode(document.bytes) : "";
        this.cost.textContent = err.trim().split("\n").at(-1).replace(/^[^:]*: /, "");
        this.changes.textContent = text && out ? differences(text, out).join("\n") || "nothing to change" : "";
    }

    async go_to(line) {
        (await this.page.view_named("write")).go_to(line);
    }

    async put_in_schedule() {
        await (await this.page.view_named("write")).schedule();
    }

    pixel(event) {
        this.step_pixel(...pixel_of(event, this.canvas));
    }

    step_typed() {
        const [, x, y] = this.at.value.match(/^\s*(\d+)\s*,\s*(\d+)\s*$/) ?? [];
        if (x === undefined || x >= this.canvas.width || y >= this.canvas.height)
            show_status(`a pixel is X,Y from 0,0 to ${this.canvas.width - 1},${this.canvas.height - 1}`, "error");
        else
            this.step_pixel(Number(x), Number(y));
    }

    step_pixel(x, y) {
        const { width, height } = this.canvas;
        return this.page.debug_pixel({ ...this.given(), policies: this.policies, image: `${width}x${height}`, pixel: `${x},${y}` }, this.made_files());
    }
}
