// SPDX-License-Identifier: MIT
// A listing of any length: only the lines in view are elements. Lines come from a function, so that nothing is kept twice.
import { h } from "./dom.js";

const row_height = 20; // pixels, as style.css says
const tallest = 10_000_000; // pixels; browsers lose precision above

export class Listing {
    // line(index) -> {cells: [[class, text, elements of the text], ...], class, key}; on_mark: a click in the margin
    constructor({ label, line, on_choose, on_key, on_mark }) {
        this.line = line;
        this.on_choose = on_choose;
        this.on_mark = on_mark;
        this.count = 0;
        this.chosen = -1;
        this.marks = new Map(); // index -> class
        this.spacer = h("div", { class: "spacer" });
        this.rows = h("div", { class: "rows" });
        this.element = h("div", { class: "listing", role: "listbox", tabindex: "0", "aria-label": label }, this.spacer, this.rows);
        this.element.addEventListener("scroll", () => this.draw());
        this.element.addEventListener("keydown", (event) => this.key(event, on_key));
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    set_count(count) {
        this.count = count;
        this.height = Math.min(count * row_height, tallest);
        this.spacer.style.height = `${this.height}px`;
        this.draw();
    }

    in_view() {
        return Math.max(1, Math.ceil(this.element.clientHeight / row_height));
    }

    // The first line in view, for a scroll bar that may be shorter than all lines.
    first() {
        const range = this.height - this.element.clientHeight;
        const lines = this.count - this.element.clientHeight / row_height;
        return range <= 0 ? 0 : Math.max(0, Math.floor((this.element.scrollTop / range) * Math.max(lines, 0)));
    }

    scroll_to(index) {
        const range = this.height - this.element.clientHeight, lines = this.count - this.element.clientHeight / row_height;
        if (range > 0 && lines > 0)
            this.element.scrollTop = Math.min(range, Math.max(0, (index / lines) * range));
        this.draw();
    }

    choose(index, { scroll = true, tell = true } = {}) {
        if (index < 0 || index >= this.count)
            return;
        this.chosen = index;
        const first = this.first(), last = first + this.in_view() - 2;
        if (scroll && (index < first || index > last))
            this.scroll_to(Math.max(0, index - Math.floor(this.in_view() / 3)));
        else
            this.draw();
        if (tell)
            this.on_choose?.(index);
    }

    key(event, on_key) {
        const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: this.in_view() - 1, PageUp: 1 - this.in_view() };
        if (event.key in moves)
            this.choose(Math.min(this.count - 1, Math.max(0, this.chosen + moves[event.key])));
        else if (event.key === "Home" || event.key === "End")
            this.choose(event.key === "Home" ? 0 : this.count - 1);
        else if (!on_key?.(event, this.chosen))
            return;
        event.preventDefault();
    }

    clicked(event, index) {
        if (this.on_mark && event.target.closest(".mark"))
            this.on_mark(index);
        else
            this.choose(index, { scroll: false });
    }

    // All lines, as text.
    whole_text() {
        return Array.from({ length: this.count }, (_, i) => this.line(i).cells.map(([, text]) => text).filter(Boolean).join("  ").trimEnd()).join("\n");
    }

    draw() {
        const first = this.first(), count = Math.min(this.in_view() + 1, this.count - first);
        const rows = [];
        for (let i = first; i < first + count; i++) {
            const { cells, class: kind = "" } = this.line(i);
            rows.push(h("div", {
                class: `row ${kind} ${this.marks.get(i) ?? ""}`, role: "option", id: `${this.id ?? "row"}-${i}`,
                "aria-selected": i === this.chosen ? "true" : "false",
                "aria-label": cells.every(([, text]) => !text.trim()) ? "empty line" : null, onclick: (event) => this.clicked(event, i),
            }, cells.map(([name, text, parts]) => h("span", { class: name }, parts ?? text))));
        }
        this.rows.style.transform = `translateY(${this.element.scrollTop}px)`;
        this.rows.replaceChildren(...rows);
        if (this.chosen >= 0)
            this.element.setAttribute("aria-activedescendant", `${this.id ?? "row"}-${this.chosen}`);
    }
}
