// SPDX-License-Identifier: MIT
// On paper a listing is whole: only what is in view is on the screen, so that its text is put in its place for the printer.
import { h } from "./dom.js";

// whole_text(): what is shown, from its first line to its last, or null where the screen has all of it
export function print_whole(whole_text) {
    const paper = h("pre", { id: "paper", hidden: true });
    document.body.append(paper);
    const lay = (on) => {
        const text = on ? whole_text() : null;
        paper.hidden = text === null;
        paper.textContent = text ?? "";
        document.body.classList.toggle("on-paper", text !== null);
    };
    matchMedia("print").addEventListener("change", (event) => lay(event.matches));
    addEventListener("beforeprint", () => lay(true));
    addEventListener("afterprint", () => lay(false));
}
