// SPDX-License-Identifier: MIT
// A script's time line as a picture in which one moves through time: by a slider and its keys, or by dragging.
import { h } from "./dom.js";

const svg_element = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes))
        element.setAttribute(key, value);
    return element;
};

// A picture of the program's as elements, so that it scales and its titles are read.
export function svg_of(bytes, label) {
    const parsed = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
    const drawn = document.importNode(parsed, true);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", label);
    return drawn;
}

// {drawn (the picture, or null), actions, text}
export async function time_line_of(engine, view) {
    const plot = "page-plot.svg", args = ["run", ...view.options, view.name];
    const { made, objects } = await engine.objects([...args, "--plot", plot], view.files, { wanted: [plot] });
    return { drawn: made[plot] ? svg_of(made[plot], "time line") : null, actions: objects.filter(({ action }) => action) };
}

export class TimeLine {
    // on_move(position): the user has gone to where so many opcodes have run.
    constructor(on_move) {
        this.on_move = on_move;
        this.picture = h("div", { class: "picture", role: "group", tabindex: "0", "aria-label": "time line",
            onpointerdown: (event) => this.drag(event), onpointermove: (event) => event.buttons & 1 && this.drag(event) });
        this.slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "moment", oninput: () => this.choose(Number(this.slider.value)) });
        this.words = h("output", {});
        this.element = h("div", { class: "time-line" }, h("label", {}, "Time ", this.slider, this.words), this.picture);
    }

    show({ drawn, actions }) {
        this.actions = actions;
        this.drawn = drawn;
        this.slider.max = actions.length;
        const fact = (name) => Number(drawn.dataset[name]);
        this.facts = { clocks: fact("clocks"), clock_ns: fact("clockNs"), left: fact("left"), strip: fact("stripWidth"),
            column: fact("columnWidth"), top: fact("columnsTop") };
        this.cursor = svg_element("rect", { class: "cursor", y: this.facts.top, width: this.facts.column, height: drawn.viewBox.baseVal.height - this.facts.top,
            fill: "#c2410c", "fill-opacity": 0.15, stroke: "#c2410c" });
        this.hand = svg_element("path", { class: "hand", stroke: "#c2410c", "stroke-width": 2 });
        drawn.append(this.cursor, this.hand);
        this.picture.replaceChildren(drawn);
        this.draw(0);
    }

    // Where the session stands: in front of the first action that it has not done.
    at(position) {
        const index = this.actions.findIndex((action) => action.position >= position);
        this.draw(index < 0 ? this.actions.length : index);
    }

    choose(index) {
        this.draw(index);
        const last = this.actions.at(-1);
        this.on_move(this.actions[index]?.position ?? (last ? last.position + 1 : 0));
    }

    draw(index) {
        const { clocks, clock_ns, left, strip, column } = this.facts, action = this.actions[index];
        const time = action ? action.time_clocks : clocks, x = left + (clocks ? (strip * time) / clocks : 0);
        this.index = index;
        this.slider.value = index;
        this.words.textContent = `${((time * clock_ns) / 1000).toFixed(3)} µs, ${action ? action.text : "the end"}`;
        this.slider.setAttribute("aria-valuetext", this.words.textContent);
        this.cursor.setAttribute("x", left + index * column);
        this.hand.setAttribute("d", `M${x} 44V106`);
        const scale = this.drawn.getBoundingClientRect().width / this.drawn.viewBox.baseVal.width || 1, from = (left + index * column) * scale;
        if (from < this.picture.scrollLeft || from + 200 > this.picture.scrollLeft + this.picture.clientWidth)
            this.picture.scrollLeft = from - this.picture.clientWidth / 3;
    }

    // Above, in the strip of true time, the last action that had begun; below, the action of the column.
    index_at(event) {
        const { clocks, left, strip, column, top } = this.facts;
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.drawn.getScreenCTM().inverse());
        const time = (clocks * (x - left)) / strip;
        const index = y > top ? Math.floor((x - left) / column)
            : time >= clocks ? this.actions.length : this.actions.findLastIndex((action) => action.time_clocks <= time);
        return Math.max(0, Math.min(this.actions.length, index));
    }

    drag(event) {
        if (!this.drawn.contains(event.target) && event.type === "pointerdown")
            return;
        const index = this.index_at(event);
        if (index !== this.index)
            this.choose(index);
        if (event.type === "pointerdown")
            this.picture.setPointerCapture(event.pointerId);
    }
}
