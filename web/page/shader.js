// SPDX-License-Identifier: MIT
// A shader's picture, drawn again whenever its text or an input changes.
import { h, show_status } from "./dom.js";
import { code_of, target_options } from "./open.js";

const pause_ms = 60;

// The Netpbm format that the program writes: a header in text, then red, green, blue, alpha.
export function read_pam(bytes) {
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 128)), end = head.indexOf("ENDHDR\n") + 7;
    const size = (name) => Number(head.match(new RegExp(`${name} (\\d+)`))[1]);
    return new ImageData(new Uint8ClampedArray(bytes.slice(end)), size("WIDTH"), size("HEIGHT"));
}

export class Shader {
    constructor(page) {
        this.page = page;
        this.canvas = h("canvas", { width: 256, height: 256, role: "img", "aria-label": "what the shader draws; a click steps that pixel",
            onclick: (event) => this.pixel(event) });
        this.sliders = h("div", { class: "sliders" });
        this.size = h("select", { "aria-label": "size", onchange: () => this.draw() }, [64, 128, 256, 512].map((side) => h("option", { selected: side === 256 }, `${side}`)));
        this.note = h("p", { class: "dim" });
        this.element = h("div", { class: "shader" }, h("div", { class: "tools" }, h("label", {}, "Size ", this.size)), this.canvas, this.sliders, this.note);
        this.values = new Map();
    }

    async show(document) {
        this.document = document;
        const code = await code_of(this.page.engine, document);
        if (code.bytes) {
            const { objects } = await this.page.engine.objects(["info", "-t", code.target, "page-code.bin"], { "page-code.bin": code.bytes });
            this.varyings = objects[0]?.varying_components ?? 0;
        }
        const text = document.kind === "source" ? new TextDecoder().decode(document.bytes) : "";
        this.consts = [...text.matchAll(/^\s*@const\((c\d+\.[xyzw])\)\s*([-\d.e]+(?:\s*,\s*[-\d.e]+)*)/gm)].flatMap(([, first, list]) => {
            const [, number, component] = first.match(/c(\d+)\.(.)/);
            return list.split(",").map((value, i) => {
                const at = "xyzw".indexOf(component) + i;
                return { name: `c${Number(number) + (at >> 2)}.${"xyzw"[at & 3]}`, value: Number(value) };
            });
        }).filter(({ value }) => Number.isFinite(value));
        this.sliders.replaceChildren(...this.consts.map((constant) => this.slider(constant)));
        await this.draw();
        return true;
    }

    slider({ name, value }) {
        const most = Math.max(2, Math.abs(value) * 2), shown = h("output", {}, value.toPrecision(3));
        const input = h("input", { type: "range", min: -most, max: most, step: most / 200, "aria-label": name,
            oninput: () => {
                shown.textContent = Number(input.value).toPrecision(3);
                this.values.set(name, Number(input.value));
                this.soon();
            } });
        input.value = value;
        return h("label", {}, name, input, shown);
    }

    soon() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.draw(), pause_ms);
    }

    // What the shader is given, in the words of `run` and of a launch.
    given() {
        return {
            varying: Array.from({ length: this.varyings ?? 0 }, (_, i) => `${i}=${i % 2 === 0 ? "-1.1,1.1,-1.1" : "1.1,1.1,-1.1"}`),
            const: [...this.values].map(([name, value]) => `${name}=${value.toFixed(6)}`),
        };
    }

    arguments() {
        return Object.entries(this.given()).flatMap(([name, list]) => list.flatMap((text) => [`--${name}`, text]));
    }

    async draw() {
        if (this.drawing) {
            this.again = true;
            return;
        }
        this.drawing = true;
        const side = this.size.value, picture = "page-picture.pam", began = performance.now();
        const { made, err } = await this.page.engine.text(["run", ...target_options(this.document), "--image", `${side}x${side}`, picture,
            this.document.name, ...this.arguments()], this.document.files, { wanted: [picture] });
        if (made[picture]) {
            const image = read_pam(made[picture]);
            this.canvas.width = image.width;
            this.canvas.height = image.height;
            this.canvas.getContext("2d").putImageData(image, 0, 0);
            this.note.textContent = `${image.width} × ${image.height} in ${Math.round(performance.now() - began)} ms; a click on the picture steps that pixel`;
        } else {
            this.note.textContent = err;
            show_status("no picture", "error");
        }
        this.drawing = false;
        if (this.again) {
            this.again = false;
            await this.draw();
        }
    }

    pixel(event) {
        const box = this.canvas.getBoundingClientRect();
        const x = Math.floor(((event.clientX - box.left) / box.width) * this.canvas.width);
        const y = Math.floor(((event.clientY - box.top) / box.height) * this.canvas.height);
        this.page.debug_pixel(x, y, this.canvas.width, this.canvas.height, this.given());
    }
}
