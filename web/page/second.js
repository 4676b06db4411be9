// SPDX-License-Identifier: MIT
// A second recording beside the first: its strip below the first one's, in the same scale and moved so that the chosen draw
// stands below its like, and what the two draws have different. Or a firmware, with what its handlers do with the recording.
import { h } from "./dom.js";
import { value_of } from "./moment.js";
import { event_id, Strip } from "./strip.js";

export class Second {
    constructor(records) {
        this.records = records;
        this.name = h("strong", {});
        this.strip = new Strip({ label: "time line of the second recording", extra: [this.name, h("button", { onclick: () => this.close() }, "Close")],
            on_choose: (event) => this.chosen(event), on_range: (from, to) => this.moved(from, to) });
        this.element = this.strip.element;
        this.element.classList.add("second");
        this.close();
    }

    close() {
        this.document = null;
        this.offset = 0; // what is added to a time of the first
        this.element.hidden = true;
    }

    get first() {
        return this.records.strip;
    }

    async open(document) {
        let { records, cut } = await this.records.events(document, []);
        const own = this.records.document, is_firmware = !records.length && own.kind === "stream";
        if (is_firmware) // what its handlers do with the stream, in its own time
            ({ records, cut } = await this.records.events({ name: own.name, files: { ...own.files, ...document.files } }, ["--firmware", document.name], "replay"));
        const line = records.find(({ unit }) => unit);
        if (!line)
            throw new Error(`${document.name} has no time line.`);
        this.close();
        this.document = is_firmware ? null : document;
        this.name.textContent = is_firmware ? `handlers of ${document.name}` : document.name;
        this.element.hidden = false;
        this.strip.show(line, records.filter(({ lane }) => lane));
        if (cut)
            this.strip.note("; it has too many events: its last ones are left out");
        if (is_firmware)
            return;
        this.strip.total = this.first.total = Math.max(this.strip.total, this.first.total);
        this.first.show_all();
        if (this.first.chosen)
            await this.first_chosen(this.first.chosen);
    }

    // --- both show the same times ---

    first_moved(from, to) {
        if (this.document)
            this.strip.follow(from + this.offset, to + this.offset);
    }

    moved(from, to) {
        if (this.document)
            this.first.follow(from - this.offset, to - this.offset);
    }

    align(here, there) {
        this.offset = there.start - here.start;
        this.first_moved(this.first.from, this.first.to);
    }

    // --- the same draw of both ---

    draw_of(strip, event) {
        return event.lane === "draws" ? event : strip.in_lane("draws", event.start);
    }

    async first_chosen(event) {
        const draw = this.document && this.draw_of(this.first, event), there = draw && this.strip.rows.find(({ lane }) => lane === "draws")?.events.find((one) => one.draw === draw.draw);
        if (!there)
            return;
        this.strip.choose(there, undefined, { tell: false, scroll: false });
        this.align(draw, there);
        await this.tell(draw.draw);
    }

    // The first recording's draw of that number, and its moment.
    chosen(event) {
        const draw = this.document && this.draw_of(this.strip, event), here = draw && this.first.rows.find(({ lane }) => lane === "draws")?.events.find((one) => one.draw === draw.draw);
        if (here && event_id(this.first.chosen ?? { lane: "", number: 0 }) !== event_id(here))
            this.first.choose(here, undefined, { scroll: false });
    }

    // What the registers of a draw have different, in the panel of the moment.
    async tell(draw) {
        const { moment } = this.records, asked = moment.asked, registers = async (document) => {
            const records = await moment.records(document, ["--draws", "--draw", `${draw}`]);
            return new Map((records.find((one) => one.draw === draw)?.registers ?? []).map((one) => [one.register, value_of(one)]));
        };
        const [here, there] = [await registers(this.records.document), await registers(this.document)];
        const names = [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name));
        if (asked !== moment.asked)
            return;
        moment.body.querySelector(".beside-draw")?.remove();
        moment.body.prepend(h("table", { class: "moment beside-draw" }, h("caption", {}, names.length ? `${names.length} register${names.length > 1 ? "s" : ""} of draw ${draw} differ${names.length > 1 ? "" : "s"}: here, and in ${this.document.name}` : `draw ${draw} writes the same in both`),
            h("tbody", {}, names.map((name) => h("tr", { class: "changed" }, h("th", { scope: "row" }, name), h("td", {}, here.get(name) ?? "not written"), h("td", {}, there.get(name) ?? "not written"))))));
    }
}
