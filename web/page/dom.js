// SPDX-License-Identifier: MIT
// Elements in one call: h("a", {href: "#"}, "text", child).

export function h(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties))
        if (value === undefined || value === null || value === false)
            continue;
        else if (name.startsWith("on"))
            element.addEventListener(name.slice(2), value);
        else if (name === "class")
            element.className = value;
        else if (name in element && typeof value !== "string")
            element[name] = value;
        else
            element.setAttribute(name, value === true ? "" : value);
    element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

export const $ = (id) => document.getElementById(id);

export const hex = (value, digits = 0) => `0x${value.toString(16).padStart(digits, "0")}`;

export function show_status(text, kind = "") {
    const status = $("status");
    status.textContent = text;
    status.dataset.kind = kind;
}

// A link that saves bytes as a file.
export function save(name, bytes) {
    const url = URL.createObjectURL(new Blob([bytes]));
    const link = h("a", { href: url, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
