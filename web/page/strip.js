// SPDX-License-Identifier: MIT
// A time line that one moves in: lanes of events on a canvas, with a moment that is chosen. It is a slider for those who do
// not see it: arrows go from event to event and from lane to lane, and what is chosen is said.
import { h } from "./dom.js";
import { last_not_after, rows_of } from "./strip_rows.js";

const row_height = 20, head = 20, left = 92, letter = 6.7, least_units = 12; // pixels; units in all of the width
const wheel_steps = 400;

const before = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];

export const event_id = (event) => `${event.lane}:${event.number}`;

export class Strip {
    // on_choose(event): it was chosen; on_range(from, to): what is in view; extra: elements among the buttons; beside: right of the lanes
    constructor({ on_choose, on_range, label = "time line", extra = [], beside = [] }) {
        this.on_choose = on_choose;
        this.on_range = on_range;
        this.canvas = h("canvas", {});
        this.place = h("div", { class: "strip-canvas", role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": "0" }, this.canvas);
        this.only = h("input", { type: "search", placeholder: "only names with", size: 14, "aria-label": "show only events whose names have", oninput: () => this.sift() });
        this.wanted = h("input", { type: "search", placeholder: "find an event", size: 14, "aria-label": "find an event",
            onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1) });
        this.words = h("output", { class: "strip-words" });
        this.unit = h("span", { class: "dim" });
        this.element = h("section", { class: "strip", "aria-label": label },
            h("div", { class: "tools" }, h("span", { role: "group", "aria-label": "zoom of the time line" },
                [["−", "smaller", () => this.zoom(0.5)], ["+", "larger", () => this.zoom(2)], ["All", "all of the time line", () => this.show_all()]]
                    .map(([text, title, act]) => h("button", { title, onclick: act }, text))),
                this.only, this.wanted, h("button", { onclick: () => this.find(1) }, "Next"), this.unit, extra), h("div", { class: "strip-frame" }, this.place, beside), this.words);
        this.place.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        this.place.addEventListener("pointerdown", (event) => this.down(event));
        this.place.addEventListener("pointermove", (event) => this.pointer(event));
        this.place.addEventListener("pointerup", (event) => this.up(event));
        this.place.addEventListener("keydown", (event) => this.key(event));
        new ResizeObserver(() => this.draw_soon()).observe(this.place);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw_soon());
        this.left = left; // where the lanes begin
        this.rows = [];
        this.total = 1;
    }

    // {unit, unit_nanoseconds, order, lanes}, and events, of which there may be more later
    show(line, events, { keep = false } = {}) {
        const chosen = keep && this.chosen ? event_id(this.chosen) : null;
        this.line = line;
        this.rows = rows_of(line.lanes, events);
        this.total = Math.max(1, ...this.rows.map((row) => row.events.reduce((most, { end }) => Math.max(most, end), 0)));
        this.unit.textContent = line.order ? `${line.unit} in their order: how long they take is not known` : `${line.unit} of ${line.unit_nanoseconds} ns`;
        this.place.setAttribute("aria-valuemax", this.total);
        this.place.style.height = `${head + this.rows.length * row_height + 4}px`;
        if (!keep) {
            this.from = 0;
            this.to = this.total;
            this.only.value = "";
        } else if (this.only.value) {
            this.sift();
        }
        this.chosen = chosen ? this.rows.flatMap((row) => row.events).find((event) => event_id(event) === chosen) ?? null : null;
        const quiet = this.rows.find(({ lane }) => lane === "draws") ?? this.rows.find(({ lane }) => lane === "packets") ?? this.rows[0];
        this.row = this.chosen ? this.rows.find((row) => row.events.includes(this.chosen)) : quiet;
        this.tell();
        this.draw_soon();
    }

    time_text(units) {
        const { unit, order, unit_nanoseconds } = this.line;
        return order ? `${Math.round(units)} ${unit}` : `${((units * unit_nanoseconds) / 1000).toFixed(3)} µs`;
    }

    // More is known of the line than what stands in its first record.
    note(text) {
        this.unit.append(text);
    }

    // What is said of an event.
    text_of(event) {
        const when = event.end > event.start ? `${this.time_text(event.start)} to ${this.time_text(event.end)}` : `at ${this.time_text(event.start)}`;
        return `${event.name}${event.detail ? ` ${event.detail}` : ""}${event.mark ? ` (${event.mark})` : ""}, ${event_id(event)}, ${when}`;
    }

    tell() {
        this.words.textContent = this.chosen ? this.text_of(this.chosen) : "Choose a moment: click, or arrow keys; the wheel, + and − zoom, dragging moves.";
        this.place.setAttribute("aria-valuenow", this.chosen?.start ?? 0);
        this.place.setAttribute("aria-valuetext", this.chosen ? this.text_of(this.chosen) : "no moment is chosen");
    }

    // --- what is in view ---

    width() {
        return Math.max(1, this.place.clientWidth - left);
    }

    set_range(from, to) {
        const size = Math.min(this.total, Math.max(least_units, to - from));
        this.from = Math.max(0, Math.min(this.total - size, from));
        this.to = this.from + size;
        this.on_range?.(this.from, this.to);
        this.draw_soon();
    }

    // What another strip shows, which may begin before this one's start.
    follow(from, to) {
        [this.from, this.to] = [from, to];
        this.draw_soon();
    }

    show_all() {
        this.set_range(0, this.total);
    }

    // What lies at `time` stays where it is.
    zoom(factor, time = this.chosen?.start ?? (this.from + this.to) / 2) {
        const held = Math.max(this.from, Math.min(this.to, time)), part = (held - this.from) / (this.to - this.from);
        const size = Math.min(this.total, Math.max(least_units, (this.to - this.from) / factor));
        this.set_range(held - part * size, held + (1 - part) * size);
    }

    wheel(event) {
        event.preventDefault();
        const units = (this.to - this.from) / this.width();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
            this.set_range(this.from + (event.deltaX || event.deltaY) * units, this.to + (event.deltaX || event.deltaY) * units);
        else
            this.zoom(Math.exp(-event.deltaY / wheel_steps), this.time_at(event));
    }

    time_at(event) {
        const x = event.clientX - this.place.getBoundingClientRect().left - left;
        return this.from + (x / this.width()) * (this.to - this.from);
    }

    row_at(event) {
        return this.rows[Math.floor((event.clientY - this.place.getBoundingClientRect().top - head) / row_height)];
    }

    // The event under the pointer: the bar's first where several are one.
    event_at(event) {
        const row = this.row_at(event), time = this.time_at(event), units = (this.to - this.from) / this.width();
        if (!row)
            return null;
        const bars = row.at(units), i = last_not_after(bars.count, (n) => bars.starts[n], time + 2 * units);
        if (i < 0 || Math.max(bars.ends[i], bars.starts[i] + 2 * units) < time)
            return null;
        const last = bars.firsts[i] + bars.counts[i] - 1, found = Math.max(bars.firsts[i], Math.min(last, row.index_at(time)));
        return { event: row.events[found], row };
    }

    down(event) {
        if (event.button !== 0)
            return;
        this.held = { x: event.clientX, from: this.from, to: this.to, moved: false, scrubs: !this.row_at(event) };
        this.place.setPointerCapture(event.pointerId);
        if (this.held.scrubs)
            this.scrub(event);
    }

    pointer(event) {
        if (!this.held) {
            const found = this.event_at(event);
            this.place.title = found ? this.text_of(found.event) : "";
            return;
        }
        if (this.held.scrubs)
            return this.scrub(event);
        const units = (this.held.to - this.held.from) / this.width(), by = (this.held.x - event.clientX) * units;
        this.held.moved ||= Math.abs(event.clientX - this.held.x) > 4;
        if (this.held.moved)
            this.set_range(this.held.from + by, this.held.to + by);
    }

    up(event) {
        const { held } = this;
        this.held = null;
        const found = held && !held.moved && !held.scrubs && this.event_at(event);
        if (found)
            this.choose(found.event, found.row, { scroll: false });
    }

    // On the scale, above the lanes, the moment itself is moved: the lane's last event that had begun there.
    scrub(event) {
        const found = this.row?.events[Math.max(0, this.row.index_at(this.time_at(event)))];
        if (found && found !== this.chosen)
            this.choose(found, this.row, { scroll: false });
    }

    // --- the moment ---

    choose(event, row = this.rows.find((one) => one.events.includes(event)), { scroll = true, tell = true } = {}) {
        this.chosen = event;
        this.row = row;
        const size = this.to - this.from;
        if (scroll && (event.start < this.from || event.start > this.to - size / 20))
            this.set_range(event.start - size / 3, event.start + (2 * size) / 3);
        this.tell();
        this.draw_soon();
        if (tell)
            this.on_choose?.(event);
    }

    // An event by its name, lane:number; false: it is not there.
    go_to(id) {
        const [lane, number] = id.split(":"), wanted = Number(number);
        for (const row of this.rows.filter((one) => one.lane === lane)) {
            const event = row.events.find((one) => one.number === wanted);
            if (event) {
                if (event.end > event.start && event.end - event.start < (this.to - this.from) / 40)
                    this.zoom((this.to - this.from) / (20 * (event.end - event.start)), event.start);
                this.choose(event, row);
                return true;
            }
        }
        return false;
    }

    // The event of a lane that a time lies in, or null.
    in_lane(lane, time) {
        for (const row of this.rows.filter((one) => one.lane === lane)) {
            const event = row.events[row.index_at(time)];
            if (event && (event.end > time || event.start === time))
                return event;
        }
        return null;
    }

    step(by) {
        const { events } = this.row, here = this.chosen ? events.indexOf(this.chosen) : -1;
        const passes = this.passes();
        for (let i = here < 0 ? (by > 0 ? 0 : events.length - 1) : here + by; i >= 0 && i < events.length; i += by)
            if (!passes || passes(events[i]))
                return this.choose(events[i], this.row);
    }

    // Where an event is among those of all lanes.
    order(event, row) {
        return [event.start, event.position ?? 0, this.rows.indexOf(row), event.number];
    }

    // The next event in time, of any lane.
    step_time(by) {
        const passes = this.passes(), here = this.chosen ? this.order(this.chosen, this.row) : [by > 0 ? -1 : Infinity, 0, 0, 0];
        let best = null;
        for (const row of this.rows)
            for (const event of row.events) {
                const at = this.order(event, row);
                if ((!passes || passes(event)) && before(at, here) * by > 0 && (!best || before(at, best.at) * by < 0))
                    best = { at, event, row };
            }
        if (best)
            this.choose(best.event, best.row);
    }

    // Another lane, at the same time.
    step_lane(by) {
        const row = this.rows[this.rows.indexOf(this.row) + by];
        if (row)
            this.choose(row.events[Math.max(0, row.index_at(this.chosen?.start ?? this.from))], row);
    }

    key(event) {
        const size = this.to - this.from, acts = {
            ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowDown: () => this.step_lane(1), ArrowUp: () => this.step_lane(-1),
            "+": () => this.zoom(2), "=": () => this.zoom(2), "-": () => this.zoom(0.5), 0: () => this.show_all(),
            PageDown: () => this.set_range(this.from + size * 0.9, this.to + size * 0.9), PageUp: () => this.set_range(this.from - size * 0.9, this.to - size * 0.9),
            Home: () => this.choose(this.row.events[0], this.row), End: () => this.choose(this.row.events.at(-1), this.row),
            "/": () => this.wanted.focus(), ".": () => this.step_time(1), ",": () => this.step_time(-1),
        };
        if (event.ctrlKey || event.altKey || event.metaKey || !acts[event.key] || !this.row)
            return;
        acts[event.key]();
        event.preventDefault();
    }

    // --- names ---

    passes() {
        const wanted = this.only.value.trim().toLowerCase();
        return wanted ? ({ name, detail = "" }) => name.toLowerCase().includes(wanted) || detail.toLowerCase().includes(wanted) : null;
    }

    sift() {
        const passes = this.passes();
        for (const row of this.rows)
            row.sift(passes);
        this.draw_soon();
    }

    // The next event in time, of any lane, with the words in its name, detail or id.
    find(by) {
        const wanted = this.wanted.value.trim().toLowerCase();
        if (!wanted)
            return;
        const here = this.chosen ? this.order(this.chosen, this.row) : null;
        let best = null, first = null;
        for (const row of this.rows)
            for (const event of row.events) {
                if (!`${event.name} ${event.detail ?? ""} ${event_id(event)}`.toLowerCase().includes(wanted))
                    continue;
                const at = this.order(event, row);
                if (!first || before(at, first.at) * by < 0)
                    first = { at, event, row };
                if (here && before(at, here) * by > 0 && (!best || before(at, best.at) * by < 0))
                    best = { at, event, row };
            }
        const found = best ?? first;
        if (found)
            this.choose(found.event, found.row);
        else
            this.words.textContent = `“${this.wanted.value}” is in no event`;
    }

    // --- drawing ---

    draw_soon() {
        this.waiting ??= requestAnimationFrame(() => {
            this.waiting = null;
            this.draw();
        });
    }

    draw() {
        const began = performance.now(), { place, canvas } = this, scale = devicePixelRatio || 1;
        if (!this.line || !place.clientWidth)
            return;
        const width = place.clientWidth, height = place.clientHeight;
        if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
            canvas.width = Math.round(width * scale);
            canvas.height = Math.round(height * scale);
        }
        const paint = canvas.getContext("2d"), style = getComputedStyle(place), color = (name) => style.getPropertyValue(name).trim();
        paint.setTransform(scale, 0, 0, scale, 0, 0);
        paint.clearRect(0, 0, width, height);
        paint.font = "11px ui-monospace, monospace";
        paint.textBaseline = "middle";
        const units = (this.to - this.from) / this.width(), colors = ["--bar-1", "--bar-2", "--bar-3", "--bar-4"].map(color);
        this.draw_scale(paint, color("--dim"), color("--line"), units, height);
        const lanes = [...new Set(this.rows.map(({ lane }) => lane))];
        this.rows.forEach((row, i) => this.draw_row(paint, row, head + i * row_height, units,
            { plain: colors[lanes.indexOf(row.lane) % colors.length], idle: color("--bar-idle"), fault: color("--error"), text: color("--bar-text"), name: color("--text") }));
        if (this.chosen) {
            const x = left + (this.chosen.start - this.from) / units, y = head + this.rows.indexOf(this.row) * row_height;
            paint.strokeStyle = color("--changed");
            paint.lineWidth = 1.5;
            paint.beginPath();
            paint.moveTo(x, head - 4);
            paint.lineTo(x, height);
            if (x >= left)
                paint.stroke();
            const wide = Math.max(3, (this.chosen.end - this.chosen.start) / units), from = Math.max(left, x);
            if (x + wide > left)
                paint.strokeRect(from, y + 1, x + wide - from, row_height - 3);
        }
        this.frame_ms = performance.now() - began;
    }

    draw_scale(paint, ink, line, units, height) {
        const step = 10 ** Math.ceil(Math.log10(units * 110)), fine = [step / 5, step / 2, step].find((one) => one / units > 110) ?? step;
        paint.fillStyle = ink;
        paint.strokeStyle = line;
        paint.lineWidth = 1;
        paint.beginPath();
        for (let time = Math.max(0, Math.ceil(this.from / fine)) * fine; time <= this.to; time += fine) {
            const x = left + (time - this.from) / units;
            paint.moveTo(x, head - 6);
            paint.lineTo(x, height);
            paint.fillText(this.line.order ? `${Math.round(time)}` : this.time_text(time), x + 3, head / 2);
        }
        paint.stroke();
    }

    draw_row(paint, row, y, units, colors) {
        const bars = row.at(units), middle = y + row_height / 2;
        paint.fillStyle = colors.name;
        if (!row.level)
            paint.fillText(row.lane, 4, middle, left - 6);
        const kinds = [colors.idle, colors.plain, colors.fault];
        let last = null;
        const first = Math.max(0, last_not_after(bars.count, (n) => bars.starts[n], this.from));
        for (let i = first; i < bars.count && bars.starts[i] <= this.to; i++) {
            const from = Math.max(left, left + (bars.starts[i] - this.from) / units), to = Math.min(left + this.width(), left + (bars.ends[i] - this.from) / units);
            if (to < left)
                continue;
            const wide = to - from, kind = kinds[bars.marks[i]];
            if (kind !== last)
                paint.fillStyle = last = kind;
            paint.fillRect(from, y + 2, wide > 3 ? wide - 1 : Math.max(wide, bars.marks[i] === 2 ? 2 : 0.75), row_height - 4);
            const room = Math.floor((wide - 6) / letter);
            if (bars.counts[i] === 1 && room >= 3) {
                const { name } = row.events[bars.firsts[i]];
                paint.fillStyle = last = colors.text;
                paint.fillText(name.length > room ? `${name.slice(0, room - 1)}…` : name, from + 3, middle);
            }
        }
    }
}
