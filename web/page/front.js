// SPDX-License-Identifier: MIT
// The front page: what this is, six things to look at, a place to drop or paste what one has, and what was worked on here before.
import { $, clock, h } from "./dom.js";
import { site_file } from "./site.js";

const types = { svg: "image/svg+xml", png: "image/png" };

export class Front {
    constructor(page) {
        this.page = page;
        this.box = $("paste-box");
        $("paste").addEventListener("click", () => this.box.value.trim() && page.take_text(this.box.value));
        this.box.addEventListener("paste", (event) => { // what is pasted is what is meant; what is typed waits for the button
            const text = event.clipboardData.getData("text/plain");
            if (this.box.value.trim() || !text.trim())
                return;
            event.preventDefault();
            page.take_text(text);
        });
    }

    async picture({ id, card }) {
        if (card.lines)
            return h("pre", {}, card.lines.join("\n"));
        const bytes = await site_file(`examples/${id}/${card.picture}`);
        return h("img", { "data-fit": card.fit, "data-kind": card.picture.split(".").at(-1), src: URL.createObjectURL(new Blob([bytes], { type: types[card.picture.split(".").at(-1)] })), alt: "" });
    }

    async draw_cards() {
        this.drawn = true;
        const cards = this.page.examples.filter((example) => example.card).sort((a, b) => a.card.place - b.card.place);
        $("cards").replaceChildren(...cards.map((example) => {
            const frame = h("span", { class: "frame" });
            this.picture(example).then((picture) => frame.append(picture));
            return h("li", {}, h("button", { class: "card", onclick: () => this.page.open_example(example.id, example.card.view) },
                frame, h("strong", {}, example.card.title), h("span", {}, example.card.text)));
        }));
    }

    // What is kept on this computer, the newest first.
    list(records) {
        if (!this.drawn)
            this.draw_cards();
        $("shelf").hidden = !records.length;
        $("kept-list").replaceChildren(...records.map(({ id, name, edited, time, given, state }) => h("li", {},
            h("button", { class: "link", onclick: () => this.page.go(() => this.page.open_kept(id)) }, name),
            h("span", { class: "dim" }, ` ${edited ? "changed" : "opened"} ${clock(time)}${given ? `, ${given}` : ""}${state?.view ? `, ${state.view}` : ""} `),
            h("button", { class: "link", "aria-label": `throw ${name} away`, onclick: () => this.page.go(() => this.page.forget(id)) }, "throw away"))));
    }
}
