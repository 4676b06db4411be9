// SPDX-License-Identifier: MIT
// Shaders of recorded draws: which a draw has, one of them as a document that Run takes, and what is said of its inputs.
import { h, pixel_of, show_status } from "./dom.js";
import { read_pam } from "./png.js";

const prefix = "page-shader", most_shaders = 8; // of a draw
const stage_names = { VS: "vertex", HS: "hull", DS: "domain", GS: "geometry", FS: "fragment", CS: "compute" };
const longest_side = 96, small_side = 48; // of pictures
const cheap_instructions = 256; // of a shader without branches, whose picture is drawn without being asked for
const order = ["CS", "FS", "VS", "GS", "DS", "HS"]; // what people look for first
const known = new WeakMap(); // files of a document -> draw -> its shaders

export const stage_title = (stage) => `${stage_names[stage.toUpperCase()] ?? stage} shader`;

async function find_shaders(engine, { name, files }, draw) {
    const wanted = Array.from({ length: most_shaders }, (_, i) => `${prefix}.${i + 1}.bin`);
    const { objects, made } = await engine.objects(["decode", "--extract-shaders", prefix, "--draw", `${draw}`, name], files, { wanted });
    return objects.flatMap(({ shader, stages, target, statistics }) => (stages ?? []).map((stage) => ({ stage, target, statistics, bytes: made[`${prefix}.${shader}.bin`] })))
        .filter(({ target, bytes }) => bytes && target?.startsWith("ir3")).sort((a, b) => order.indexOf(a.stage) - order.indexOf(b.stage));
}

// [{stage, target, statistics, bytes}] of those that can run.
export function shaders_of(engine, document, draw) {
    const draws = known.get(document.files) ?? new Map();
    known.set(document.files, draws);
    if (!draws.has(draw)) {
        draws.set(draw, find_shaders(engine, document, draw));
        draws.get(draw).catch(() => draws.delete(draw));
    }
    return draws.get(draw);
}

const key_of = ({ draw, stage }) => `${draw} ${stage}`;

// What a document keeps of one of its shaders: breakpoints, inputs.
export function shader_state({ state }) {
    state.shaders ??= {};
    return (state.shaders[key_of(state.shader)] ??= {});
}

const made_documents = new WeakMap(); // document -> key -> the document of the shader

// The shader that a recording's document is about, as a document of code.
export async function shader_document(engine, document) {
    const { shader } = document.state, key = key_of(shader), all = made_documents.get(document) ?? new Map();
    made_documents.set(document, all);
    if (!all.has(key)) {
        const shaders = await shaders_of(engine, document, shader.draw), found = shaders.find(({ stage }) => stage === shader.stage.toUpperCase());
        if (!found)
            throw new Error(`Draw ${shader.draw} of ${document.name} has no ${stage_title(shader.stage)} that could run.`);
        const name = `draw${shader.draw}.${shader.stage}.bin`;
        all.set(key, { name, bytes: found.bytes, files: { ...document.files, [name]: found.bytes }, kind: "code", target: found.target, given: found.target,
            opened: Symbol(name), launch: { from: document.name, draw: `${shader.draw}`, stage: shader.stage }, stages: shaders.map(({ stage }) => stage.toLowerCase()) });
    }
    const made = all.get(key);
    made.state = shader_state(document);
    return made;
}

// The fields of a launch, which are the options of `run` as well.
export const launch_of = ({ launch, state: { pixel, image, vertex, groups, varyings = {} } }) => ({ ...launch, ...(pixel && { pixel }), ...(pixel && image && { image }), ...(vertex && { vertex }), ...(groups && { groups }),
    varying: Object.entries(varyings).filter(([, value]) => value).map(([number, value]) => `${number}=${value}`) });

// The size of a picture that has the shape of the draw's viewport.
async function picture_size(engine, { name, files }, draw, longest) {
    const scales = ["XSCALE", "YSCALE"].map((axis) => `GRAS_CL_VIEWPORT[0].${axis}`);
    const { objects } = await engine.objects(["decode", ...scales.flatMap((scale) => ["--query", scale]), "--draw", `${draw}`, name], files);
    const sides = scales.map((scale) => Math.abs(Number(objects.find((one) => one.name === scale && one.draw === Number(draw))?.text))), most = Math.max(...sides);
    return sides.map((side) => (side > 0 && most > 0 ? Math.max(1, Math.round((longest * side) / most)) : longest)).join("x");
}

// What the fragment shader of a draw makes of the viewport: {image, size, messages}; without an image the messages say why.
async function draw_picture(engine, recording, shader, varying = [], longest = longest_side) {
    const out = "page-picture.pam", size = await picture_size(engine, recording, shader.draw, longest);
    const { made, messages, err } = await engine.objects(["run", "--from", recording.name, "--draw", `${shader.draw}`, "--stage", "fs", "--image", size, out,
        ...varying.flatMap((text) => ["--varying", text])], recording.files, { wanted: [out] });
    return { image: made[out] ? read_pam(made[out]) : null, size, messages, err };
}

// The picture of the draw that a moment is for.
export class DrawPicture {
    constructor(page) {
        this.page = page;
        this.canvas = h("canvas", { class: "draw-picture", role: "img", onclick: (event) => this.click(event) });
        this.told = h("figcaption", { class: "dim" });
        this.element = h("figure", { class: "draw-figure", hidden: true }, this.canvas, this.told);
        this.draw = null;
    }

    hide() {
        this.draw = null;
        this.element.hidden = true;
    }

    // Of a shader that may take long only if it is `wanted`; what has been drawn already stays.
    async show(document, draw, shaders, { wanted = false } = {}) {
        const fragment = shaders.find(({ stage }) => stage === "FS"), { instructions = 0, branches = 0 } = fragment?.statistics ?? {};
        if (this.draw === draw && this.document === document && !wanted)
            return;
        this.hide();
        if (!fragment || (!wanted && (branches || instructions > cheap_instructions)))
            return;
        [this.document, this.draw] = [document, draw];
        const { image, messages, err } = await draw_picture(this.page.engine, document, { draw }, [], small_side);
        if (this.draw !== draw || this.document !== document)
            return;
        if (!image)
            return wanted && show_status(err.split("\n")[0], "error");
        const { canvas } = this, { width, height } = image;
        [canvas.width, canvas.height] = [width, height];
        this.told.textContent = messages.map(({ message }) => message).join("; ");
        this.element.hidden = false;
        canvas.setAttribute("aria-label", `what the fragment shader of draw ${draw} makes of the viewport; a click on a pixel steps it`);
        canvas.getContext("2d").putImageData(image, 0, 0);
    }

    click(event) {
        const { width, height } = this.canvas, pixel = pixel_of(event, this.canvas).join(",");
        this.page.run_shader({ draw: this.draw, stage: "fs" }, { pixel, image: `${width}x${height}` });
    }
}

// What a shader of a draw is given beside what is recorded, and what was assumed.
export class Inputs {
    // on_change(): it runs again with them
    constructor(page, { on_change }) {
        this.page = page;
        this.on_change = on_change;
        this.notes = h("ul", { class: "given-notes", "aria-label": "what is not recorded" });
        this.body = h("div", { class: "given" });
        this.element = h("details", { open: true, hidden: true }, h("summary", {}, "The draw"), this.body, this.notes);
    }

    field(name, label, hint) {
        const { state } = this.document;
        return h("label", {}, `${label} `, h("input", { value: state[name] ?? "", placeholder: hint, size: 9, "aria-label": label, onchange: (event) => this.take({ [name]: event.target.value.trim() }) }));
    }

    varying(number) {
        const { state } = this.document;
        return h("label", {}, `${number} `, h("input", { value: state.varyings?.[number] ?? "", placeholder: "0", size: 5, "aria-label": `varying ${number}`, title: "a value, or three at the corners of the triangle: 0,1,0",
            onchange: (event) => this.take({ varyings: { ...this.document.state.varyings, [number]: event.target.value.trim() } }) }));
    }

    take(change) {
        if (change.pixel === "") { // none of the picture, then
            change.image = null;
            this.body.querySelector(".of-picture").textContent = " ";
        }
        this.page.touch(change);
        this.on_change();
    }

    // Of the draw; a pixel that is stepped is one of the picture from now on.
    async picture() {
        show_status("drawing …");
        const { document, page } = this, { varying } = launch_of(document);
        const { image, size, messages, err } = await draw_picture(page.engine, page.document, document.launch, varying);
        if (document !== this.document)
            return;
        if (!image)
            return show_status(err.split("\n")[0], "error");
        document.picture = image;
        this.tell(messages);
        show_status(`${size.replace("x", " × ")} pixels; a click on one steps it`);
        this.pixel(Math.floor(image.width / 2), Math.floor(image.height / 2));
    }

    pixel(x, y) {
        const { width, height } = this.document.picture;
        this.body.querySelector("[aria-label=Pixel]").value = `${x},${y}`;
        this.body.querySelector(".of-picture").textContent = ` of ${width}x${height} `;
        this.take({ pixel: `${x},${y}`, image: `${width}x${height}` });
    }

    // Of code that is not recorded there is nothing to say.
    async show(document, options) {
        this.document = document;
        this.element.hidden = !document.launch;
        this.notes.replaceChildren();
        if (!document.launch)
            return;
        const { draw, stage } = document.launch, { page } = this;
        const { objects } = stage === "fs" ? await page.engine.objects(["info", ...options, document.name], document.files) : { objects: [] };
        const count = objects[0]?.varying_components ?? 0;
        this.body.replaceChildren(...[
            h("p", {}, h("button", { class: "link", title: "back to the recording", onclick: () => page.go_to_draw(draw) }, `draw ${draw}`), " ",
                document.stages.length > 1 ? h("select", { "aria-label": "stage", onchange: (event) => page.run_shader({ draw: Number(draw), stage: event.target.value }) },
                    document.stages.map((one) => h("option", { value: one, selected: one === stage }, stage_title(one)))) : stage_title(stage)),
            { fs: [this.field("pixel", "Pixel", "0,0"), h("span", { class: "dim of-picture" }, document.state.image ? ` of ${document.state.image} ` : " "), h("button", { title: "what the shader makes of the whole viewport", onclick: () => page.busy(() => this.picture()) }, "Draw picture")], vs: this.field("vertex", "Vertex", "0"), cs: this.field("groups", "Groups", "as recorded") }[stage] ?? [],
            count ? h("details", {}, h("summary", {}, `${count} components of varyings`), Array.from({ length: count }, (_, i) => this.varying(i))) : []].flat());
    }

    // Notes of the program.
    tell(messages) {
        this.notes.replaceChildren(...messages.filter(({ severity, code }) => severity === "note" && code !== "cli-file-kind").map(({ message }) => h("li", {}, message)));
    }
}
