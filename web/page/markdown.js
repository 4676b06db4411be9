// SPDX-License-Identifier: MIT
// The Markdown that the manual is written in: headings, tables, code, lists, paragraphs. Text stays text: no HTML gets in.
import { h } from "./dom.js";

function inline(text) {
    return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) =>
        part.startsWith("`") ? h("code", {}, part.slice(1, -1)) : part.startsWith("**") ? h("strong", {}, part.slice(2, -2)) : part);
}

const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

export function render_markdown(text) {
    const lines = text.split("\n"), parts = [];
    for (let i = 0; i < lines.length; ) {
        const line = lines[i], heading = line.match(/^(#+) (.*)/);
        if (heading) {
            parts.push(h(`h${Math.min(6, heading[1].length + 1)}`, {}, inline(heading[2])));
            i++;
        } else if (line.startsWith("```")) {
            const end = lines.indexOf("```", i + 1);
            parts.push(h("pre", {}, lines.slice(i + 1, end < 0 ? undefined : end).join("\n")));
            i = end < 0 ? lines.length : end + 1;
        } else if (line.startsWith("|")) {
            const rows = [];
            for (; i < lines.length && lines[i].startsWith("|"); i++)
                if (!/^\|[-| :]+\|$/.test(lines[i]))
                    rows.push(h("tr", {}, cells(lines[i]).map((cell) => h(rows.length ? "td" : "th", {}, inline(cell)))));
            parts.push(h("div", { class: "wide" }, h("table", {}, h("tbody", {}, rows))));
        } else if (/^[-*] /.test(line)) {
            const items = [];
            for (; i < lines.length && /^([-*] |  )/.test(lines[i]); i++)
                if (/^[-*] /.test(lines[i]))
                    items.push(lines[i].slice(2));
                else
                    items[items.length - 1] += ` ${lines[i].trim()}`;
            parts.push(h("ul", {}, items.map((item) => h("li", {}, inline(item)))));
        } else if (line.trim()) {
            const words = [];
            for (; i < lines.length && lines[i].trim() && !/^(#|\||```|[-*] )/.test(lines[i]); i++)
                words.push(lines[i]);
            parts.push(h("p", {}, inline(words.join(" "))));
        } else {
            i++;
        }
    }
    return h("div", {}, parts);
}
