// SPDX-License-Identifier: MIT
// A picture that is larger than its place: the wheel and + - 0 zoom, dragging and the scroll bars move it, a click follows a node.
import { h } from "./dom.js";

const least = 0.05, most = 8, click_pixels = 4;

export class Zoom {
    // place: the element that scrolls; on_follow(node): a node of the graph was clicked, or chosen by Enter
    constructor(place, on_follow) {
        this.place = place;
        this.on_follow = on_follow;
        this.buttons = h("span", { role: "group", "aria-label": "zoom" }, [["−", "smaller", () => this.by(1 / 1.25)], ["+", "larger", () => this.by(1.25)], ["Fit", "all of it", () => this.fit()]]
            .map(([text, title, act]) => h("button", { title, onclick: act }, text)));
        place.addEventListener("wheel", (event) => {
            if (!this.svg || event.shiftKey)
                return;
            event.preventDefault();
            this.by(Math.exp(-event.deltaY / 400), event);
        }, { passive: false });
        place.addEventListener("pointerdown", (event) => this.down(event));
        place.addEventListener("pointermove", (event) => this.move(event));
        place.addEventListener("pointerup", (event) => this.up(event));
        place.addEventListener("keydown", (event) => this.key(event));
    }

    // null: what is shown is no such picture
    take(svg) {
        this.svg = svg;
        this.buttons.hidden = !svg;
        if (!svg)
            return;
        const { width, height } = svg.viewBox.baseVal;
        this.size = { width: width || svg.clientWidth, height: height || svg.clientHeight };
        this.set(1);
        for (const node of svg.querySelectorAll(".node")) {
            node.setAttribute("tabindex", "0");
            node.setAttribute("role", "link");
            node.dataset.name = node.querySelector("title")?.textContent ?? ""; // a number of the program's, not for people
            node.querySelector("title")?.remove();
        }
    }

    set(scale) {
        this.scale = Math.max(least, Math.min(most, scale));
        this.svg.setAttribute("width", this.size.width * this.scale);
        this.svg.setAttribute("height", this.size.height * this.scale);
    }

    // What lies under the pointer, or in the middle, stays where it is.
    by(factor, event = null) {
        if (!this.svg)
            return;
        const { left, top, width, height } = this.place.getBoundingClientRect(), before = this.scale;
        const x = event ? event.clientX - left : width / 2, y = event ? event.clientY - top : height / 2;
        const [across, down] = [this.place.scrollLeft + x, this.place.scrollTop + y];
        this.set(before * factor);
        this.place.scrollLeft = across * (this.scale / before) - x;
        this.place.scrollTop = down * (this.scale / before) - y;
    }

    fit() {
        if (this.svg)
            this.set(Math.min((this.place.clientWidth - 20) / this.size.width, (this.place.clientHeight - 20) / this.size.height));
    }

    down(event) {
        if (!this.svg || event.button !== 0 || event.pointerType === "touch")
            return;
        this.from = { x: event.clientX, y: event.clientY, left: this.place.scrollLeft, top: this.place.scrollTop, node: event.target.closest(".node"), target: event.target };
        this.place.setPointerCapture(event.pointerId);
    }

    move(event) {
        if (!this.from)
            return;
        this.place.scrollLeft = this.from.left - (event.clientX - this.from.x);
        this.place.scrollTop = this.from.top - (event.clientY - this.from.y);
    }

    up(event) {
        const { from } = this;
        this.from = null;
        if (from?.node && Math.hypot(event.clientX - from.x, event.clientY - from.y) < click_pixels)
            this.on_follow(from.node, from.target);
    }

    key(event) {
        const factor = { "+": 1.25, "=": 1.25, "-": 1 / 1.25 }[event.key];
        if (factor)
            this.by(factor);
        else if (event.key === "0")
            this.fit();
        else if (event.key === "Enter" && event.target.closest(".node"))
            this.on_follow(event.target.closest(".node"), event.target);
        else
            return;
        event.preventDefault();
    }
}
