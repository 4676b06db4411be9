// SPDX-License-Identifier: MIT
// The lines of a code listing: what `disasm --json` says, kept as bytes, parsed line by line when it is looked at.
import { h } from "./dom.js";

export class CodeLines {
    constructor(bytes) {
        this.bytes = bytes;
        this.decoder = new TextDecoder();
        this.starts = [];
        for (let at = 0; at < bytes.length; ) {
            const end = bytes.indexOf(10, at);
            if (end < 0)
                break; // cut off in the middle of a line
            if (bytes[at] === 0x7b) // {
                this.starts.push(at);
            at = end + 1;
        }
        this.cache = new Map();
    }

    get count() {
        return this.starts.length;
    }

    text(index) {
        const start = this.starts[index], end = this.bytes.indexOf(10, start);
        return this.decoder.decode(this.bytes.subarray(start, end < 0 ? undefined : end));
    }

    unit(index) {
        let unit = this.cache.get(index);
        if (!unit) {
            unit = JSON.parse(this.text(index));
            unit.at = unit.at_words ?? unit.at_bytes;
            if (this.cache.size > 4000)
                this.cache.clear();
            this.cache.set(index, unit);
        }
        return unit;
    }

    // Units are in order within a section: the index of the one at a place, or -1.
    find(section, at) {
        const runs = this.sections();
        const run = runs.find((run) => run.name === section) ?? (section === null ? runs[0] : null);
        if (!run)
            return -1;
        let low = run.first, high = run.last;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.unit(middle).at <= at)
                low = middle;
            else
                high = middle - 1;
        }
        return this.unit(low)?.at <= at ? low : -1;
    }

    // [{name, first, last}]: sections stand one behind the other.
    sections() {
        if (this.runs)
            return this.runs;
        this.runs = [];
        for (let first = 0; first < this.count; ) {
            const name = this.unit(first).section;
            let low = first, high = this.count - 1;
            while (low < high) {
                const middle = (low + high + 1) >> 1;
                if (this.unit(middle).section === name)
                    low = middle;
                else
                    high = middle - 1;
            }
            this.runs.push({ name, first, last: low });
            first = low + 1;
        }
        return this.runs;
    }

    // Routines in order: [{name, section, index}]. One pass over the text, without parsing it.
    routines() {
        if (this.named)
            return this.named;
        this.named = [];
        let last = "";
        for (let i = 0; i < this.count; i++) {
            const found = this.text(i).match(/^\{"section": "([^"]*)".*?"routine": "([^"]*)"/);
            const name = found && `${found[1]}:${found[2]}`;
            if (found && name !== last)
                this.named.push({ section: found[1], name: found[2], index: i });
            if (found)
                last = name;
        }
        return this.named;
    }

    // The next line behind `from` that has the text, around the end; -1: none.
    search(text, from, step = 1) {
        const wanted = text.toLowerCase();
        for (let n = 1; n <= this.count; n++) {
            const i = (((from + step * n) % this.count) + this.count) % this.count;
            if (!this.text(i).toLowerCase().includes(wanted))
                continue;
            const { text: code, labels = [], comment = "", bits } = this.unit(i);
            if ([code, ...labels, comment, bits].some((part) => part?.toLowerCase().includes(wanted)))
                return i;
        }
        return -1;
    }
}

const label_text = (labels) => (labels.length > 4 ? `${labels.slice(0, 3).join(", ")} and ${labels.length - 3} more:` : `${labels.join(", ")}:`);

// The words of an instruction in the editor's colours: the first is its mnemonic.
const kinds = [["word-keyword", /^(?:\([^)]*\))*[a-z][\w.!]*/i], ["word-function", /^#[\w:]+/], ["word-property", /^[@%][\w.[\]]+/], ["word-parameter", /^(?:\$\w+|h?[rca]\d+\.[xyzw]\b)/],
    ["word-number", /^(?:0x[0-9a-f]+|-?\d[\d.]*|\(-?\d[\d.]*\))/i]];

export function coloured(text) {
    const parts = [];
    for (let rest = text, first = true; rest; ) {
        const found = (first ? kinds : kinds.slice(1)).map(([name, form]) => [name, rest.match(form)?.[0]]).find(([, word]) => word);
        const word = found?.[1] ?? rest.match(/^(?:\w+|\W)/)[0];
        parts.push(found ? h("span", { class: found[0] }, word) : word);
        first = false;
        rest = rest.slice(word.length);
    }
    return parts;
}

// Cells of a line, as Listing wants them.
export function unit_cells(unit, wide) {
    return [
        ["mark", ""],
        ["at", unit.at.toString(16).padStart(4, "0")],
        ["bits", unit.bits.slice(2).padStart(wide, " ")],
        ["label", unit.labels?.length ? label_text(unit.labels) : ""],
        ["text", unit.text, unit.kind === "code" ? coloured(unit.text) : undefined],
        ["comment", unit.comment ? `; ${unit.comment}` : ""],
    ];
}
