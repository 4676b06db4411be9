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

// A button in place of what browsers show of a choice of files.
export function choose_button(text, input) {
    input.hidden = true;
    return h("span", {}, h("button", { onclick: () => input.click() }, text), input);
}

// The pixel of a canvas that an event is at. Offsets are within the border, as the sizes are.
export function pixel_of({ offsetX, offsetY }, { width, height, clientWidth, clientHeight }) {
    const within = (at, shown, size) => Math.max(0, Math.min(size - 1, Math.floor((at / shown) * size)));
    return [within(offsetX, clientWidth, width), within(offsetY, clientHeight, height)];
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

// "12:03", of another day with the day; seconds tell versions of one minute apart.
export function clock(time, seconds = false) {
    const date = new Date(time), two = (value) => String(value).padStart(2, "0");
    const day = date.toDateString() === new Date().toDateString() ? "" : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} `;
    return `${day}${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ""}`;
}

// A sentence above the view with what can be done about it: [[label, act]]. One of each kind: note, stale, trouble.
export function show_notice(text, actions = [], kind = "note", more = null) {
    hide_notice(kind);
    const close = () => hide_notice(kind);
    $("notices").append(h("p", { class: "notice", "data-kind": kind }, h("span", {}, text),
        actions.map(([label, act]) => h("button", { onclick: () => {
            if (kind !== "stale")
                close();
            act();
        } }, label)), more, kind === "note" && h("button", { class: "close", "aria-label": "close this note", onclick: close }, "×")));
}

export function hide_notice(kind) {
    document.querySelector(`.notice[data-kind=${kind}]`)?.remove();
}

// A button that folds a pane away and brings it back.
export function fold_button(pane, text, open = true) {
    pane.hidden = !open;
    const button = h("button", { class: "fold", "aria-pressed": String(open), onclick: () => {
        pane.hidden = !pane.hidden;
        button.setAttribute("aria-pressed", String(!pane.hidden));
    } }, text);
    return button;
}

export const is_narrow = () => matchMedia("(max-width: 60rem)").matches;
