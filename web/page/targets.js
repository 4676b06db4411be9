// SPDX-License-Identifier: MIT
// Targets by what they are: the names of `-t` beside the words that the program has for them.
import { h } from "./dom.js";

const sets = [
    ["afuc", "Firmware of Adreno GPUs (AFUC)"], ["a3xx", "Shaders of Adreno 3xx"], ["ir3", "Shaders of Adreno 4xx and later (ir3)"],
    ["hwsq", "Sequencer scripts of NVIDIA GPUs (HWSQ)"], ["mme", "Macros of NVIDIA GPUs (MME)"], ["data", "Other"],
];
const known = new Map();

export const target_title = (name) => (known.has(name) ? `${known.get(name)} (${name})` : name);

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function fill_targets(select, targets) {
    for (const { name, description } of targets)
        known.set(name, capital(description.replace(/: .*/, "")));
    const of = (isa) => targets.filter((target) => target.isa === isa).map(({ name, description }) => h("option", { value: name, title: description }, target_title(name)));
    select.append(...sets.map(([isa, label]) => h("optgroup", { label }, of(isa))).filter((group) => group.children.length));
}
