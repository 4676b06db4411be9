// SPDX-License-Identifier: MIT
// Recorded streams and crash dumps: what the program says of them, as text that can be searched.
import { Listing } from "./listing.js";
import { h, save, show_status } from "./dom.js";

const views = {
    stream: [["Draws", ["decode", "--draws"]], ["Summary", ["decode", "--summary"]], ["Packets", ["decode"]]],
    crash: [["Report", ["crash"]], ["Everything", ["crash", "--verbose"]], ["Streams", ["decode"]]],
};

export class Records {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({ label: "report", line: (i) => ({ cells: [["text", this.line(i)]] }) });
        this.listing.id = "record";
        this.search = h("input", { type: "search", placeholder: "search", "aria-label": "search the report",
            onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1) });
        this.choices = h("span", { role: "group", "aria-label": "view" });
        this.verdict = h("p", { class: "verdict" });
        this.element = h("div", { class: "records" }, h("div", { class: "tools" }, this.choices, this.search,
            h("button", { onclick: () => this.find(1) }, "Find next"),
            h("button", { onclick: () => save(`${this.document.name}.txt`, this.bytes) }, "Save text")), this.verdict, this.listing.element);
    }

    async show(document) {
        this.document = document;
        this.verdict.textContent = "";
        this.choices.replaceChildren(...views[document.kind].map(([name, args]) => h("button", { onclick: () => this.load(name, args) }, name)));
        await this.load(...views[document.kind][0]);
        return true;
    }

    async load(name, args) {
        for (const button of this.choices.children)
            button.setAttribute("aria-pressed", button.textContent === name ? "true" : "false");
        show_status(`reading ${this.document.name} …`);
        const { out, err, cut, code } = await this.page.engine.run([...args, this.document.name], this.document.files);
        this.bytes = out;
        this.starts = [0];
        for (let at = out.indexOf(10); at >= 0; at = out.indexOf(10, at + 1))
            this.starts.push(at + 1);
        this.listing.set_count(this.starts.length - 1);
        this.listing.element.scrollTop = 0;
        this.listing.choose(0, { tell: false });
        if (this.document.kind === "crash" && args.length === 1)
            this.verdict.textContent = this.line(0);
        show_status(code > 1 ? err.split("\n")[0] : cut ? `long: the first ${this.starts.length - 1} lines are shown` : `${this.starts.length - 1} lines`, code > 1 ? "error" : "");
    }

    whole_text() {
        return new TextDecoder().decode(this.bytes);
    }

    line(index) {
        return new TextDecoder().decode(this.bytes.subarray(this.starts[index], this.starts[index + 1] - 1));
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
