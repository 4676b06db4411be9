// SPDX-License-Identifier: MIT
// An instruction's bits as a data sheet draws them: fields from the left, the highest bit first.
import { h } from "./dom.js";

// "10001 r hhhhh ..." -> [{letter, text, high, low}], fixed bits have the letter "".
export function fields_of(pattern) {
    const bits = pattern.replace(/\s+/g, "");
    const fields = [];
    for (let i = 0; i < bits.length; i++) {
        const fixed = "01".includes(bits[i]), letter = fixed ? "" : bits[i];
        const last = fields.at(-1);
        const low = bits.length - 1 - i;
        if (last && last.letter === letter && last.low === low + 1)
            last.low = low;
        else
            fields.push({ letter, high: low, low });
    }
    return fields;
}

export function field_value(word, { high, low }) {
    return (word >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n);
}

// The row that a word is of: the one that fixes the most bits.
export function row_of(rows, bits, generation) {
    const word = BigInt(bits), size = (bits.length - 2) / 2;
    const ones = (mask) => [...BigInt(mask).toString(2)].filter((bit) => bit === "1").length;
    return rows
        .filter((row) => (row.size_bytes ?? size) === size && (word & BigInt(row.mask)) === BigInt(row.match))
        .filter((row) => !generation || !row.generations || row.generations.includes(generation))
        .sort((a, b) => ones(b.mask) - ones(a.mask))[0];
}

export function draw_bits(row, bits) {
    const word = BigInt(bits), fields = fields_of(row.bits);
    const cell = (field) => {
        const value = field_value(word, field), width = field.high - field.low + 1;
        return h("td", { colSpan: width, class: field.letter ? (field.letter === "-" ? "ignored" : "field") : "fixed",
            title: `bits ${field.high}:${field.low} = 0x${value.toString(16)}` },
        h("span", { class: "digits" }, value.toString(2).padStart(width, "0")));
    };
    const edge = (field) => h("th", { colSpan: field.high - field.low + 1, scope: "col" },
        field.high === field.low ? `${field.high}` : `${field.high}…${field.low}`);
    const name = (field) => h("td", { colSpan: field.high - field.low + 1, class: "letter" }, field.letter);
    return h("table", { class: "sheet" },
        h("caption", {}, `${row.form ?? row.text}   ${bits}`),
        h("thead", {}, h("tr", {}, fields.map(edge))),
        h("tbody", {}, h("tr", {}, fields.map(cell)), h("tr", {}, fields.map(name))));
}
