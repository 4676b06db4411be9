// SPDX-License-Identifier: MIT
// What is known of a moment of a stream: the packet with its fields, the registers that it writes, and what the draw finds.
import { h, hex } from "./dom.js";
import { DrawPicture, shaders_of, stage_title } from "./recorded.js";
import { event_id } from "./strip.js";

const kept_parts = 8; // answers of the program that are kept

const fields_of = (fields) => (fields ?? []).filter(({ name }) => name !== "-").map(({ name, index, text, register }) => `${name}${index === undefined ? "" : `[${index}]`} = ${register ?? text}`).join(", ");
export const value_of = ({ value, text, fields }) => (value === undefined ? "not known" : text ?? (fields_of(fields) || hex(value)));

function table(caption, rows, kinds) {
    return h("table", { class: "moment" }, h("caption", {}, caption), h("tbody", {}, rows.map(([name, value], i) => h("tr", { class: kinds?.[i] }, name ? h("th", { scope: "row" }, name) : h("td", {}), h("td", {}, value)))));
}

export class Moment {
    constructor(page) {
        this.page = page;
        this.picture = new DrawPicture(page);
        this.head = h("h2", {});
        this.body = h("div", {});
        this.element = h("aside", { class: "details", "aria-label": "the chosen moment", tabindex: "0" }, this.head, this.body);
        this.forget();
    }

    forget() {
        this.picture.hide();
        this.parts = new Map(); // options -> records, the latest last
        this.asked = 0;
        this.head.textContent = "A moment";
        this.body.replaceChildren(h("p", { class: "dim" }, "Choose a moment of the time line."));
    }

    async records(document, options) {
        const key = `${document.name} ${options.join(" ")}`;
        if (!this.parts.has(key)) {
            const { objects } = await this.page.engine.objects(["decode", ...options, document.name], document.files);
            this.parts.set(key, objects);
            if (this.parts.size > kept_parts)
                this.parts.delete(this.parts.keys().next().value);
        }
        return this.parts.get(key);
    }

    // Everything of an event. What takes long comes later, unless another one is chosen meanwhile.
    async show(document, strip, event) {
        const asked = ++this.asked, draw = this.draw_at(strip, event);
        this.head.textContent = event.name;
        const facts = [[event_id(event), strip.text_of(event).split(", ").at(-1)], ["submit, stream", event.submit === undefined ? "" : `${event.submit}, ${event.stream ?? ""}`],
            ["address", event.address === undefined ? "" : hex(event.address)], ["", event.detail ?? ""], ["", event.mark ? { skipped: "does not run", maybe: "may run: it depends on what is not recorded", fault: "something is wrong here" }[event.mark] : ""]];
        const parts = [table("", facts.filter(([, value]) => value))];
        this.body.replaceChildren(...parts);
        for (const make of [() => this.packet(document, strip, event, draw), () => this.draw(document, strip, draw)]) {
            parts.push(...(await make()));
            if (asked !== this.asked)
                return;
            this.body.replaceChildren(...parts.flat());
        }
    }

    // The draw that a moment is for: the first that ends after it.
    draw_at(strip, event) {
        return event.lane === "draws" ? event : strip.in_lane("draws", event.start);
    }

    // The record of a packet among those of its draw or of its stream, which come in the same order.
    async packet(document, strip, event, draw) {
        const packet = event.lane === "packets" ? event : ["waits", "faults"].includes(event.lane) ? strip.in_lane("packets", event.start) : null;
        if (!packet)
            return [];
        const records = await this.records(document, draw ? ["--draw", `${draw.draw}`] : ["--frame", `${packet.frame}`]), same = [];
        records.forEach((record, i) => record.header && record.address === packet.address && record.frame === packet.frame && same.push(i));
        const among = strip.rows.find(({ lane }) => lane === "packets").events.filter((one) => one.address === packet.address && one.frame === packet.frame
            && (!draw || this.draw_at(strip, one)?.draw === draw.draw));
        const at = same[among.indexOf(packet)];
        if (at === undefined)
            return [];
        const record = records[at], written = [];
        for (let i = at + 1; i < records.length && records[i].register; i++)
            written.push(records[i]);
        return [record.fields?.length ? table("fields", record.fields.map(({ name, index, text, register }) => [index === undefined ? name : `${name}[${index}]`, register ?? text])) : [],
            written.length ? table("registers that it writes", written.map((one) => [one.register, value_of(one)])) : [],
            h("details", {}, h("summary", {}, "words"), h("pre", {}, [record.header, ...record.words].join(" ")))];
    }

    async draw(document, strip, draw) {
        if (!draw)
            return [];
        const [record] = (await this.records(document, ["--draws", "--draw", `${draw.draw}`])).filter((one) => one.draw === draw.draw);
        const registers = record?.registers ?? [], changed = registers.filter((one) => one.changed);
        const rows = (list) => list.map((one) => [one.register, value_of(one)]);
        const shaders = await shaders_of(this.page.engine, document, draw.draw).catch(() => []);
        this.picture.show(document, draw.draw, shaders).catch(() => this.picture.hide()); // nobody asked for it
        return [h("p", {}, h("button", { class: "link", onclick: () => strip.choose(draw) }, `draw ${draw.draw}: ${draw.name}`)),
            h("p", { class: "shaders" }, shaders.map(({ stage }) => h("button", { onclick: () => this.page.run_shader({ draw: draw.draw, stage: stage.toLowerCase() }) }, `Run the ${stage_title(stage)}`)),
                shaders.some(({ stage }) => stage === "FS") && h("button", { title: "what the fragment shader makes of the viewport", onclick: () => this.page.busy(() => this.picture.show(document, draw.draw, shaders, { wanted: true })) }, "Draw picture")),
            this.picture.element,
            table(`${changed.length} registers changed since the draw before`, rows(changed), changed.map(() => "changed")),
            h("details", {}, h("summary", {}, `all ${registers.length} registers written for it`), table("", rows(registers), registers.map((one) => (one.changed ? "changed" : null))))];
    }
}
