// SPDX-License-Identifier: MIT
// The time line of what Run runs: fibers of a shader, handlers of a firmware, flags and waits of a script. Choosing a moment
// takes the session there, forwards or backwards, and where the session goes the time line follows.
import { h, pixel_of } from "./dom.js";
import { event_id, Strip } from "./strip.js";

const instructions_most = 100_000; // that a time line has

// What is given to the program, in the words of `run`: fields of a launch, and packets among the debugger's commands.
function run_arguments({ policies = {}, ...fields } = {}, commands) {
    return [...Object.entries(fields).flatMap(([name, list]) => [list].flat().flatMap((text) => [`--${name}`, text])),
        ...Object.entries(policies).flatMap(([name, value]) => ["--policy", `${name}=${value}`]), ...commands.flatMap((line) => (line.startsWith("packet ") ? ["--packet", line.slice(7)] : []))];
}

export class RunLine {
    // on_moment(event): a moment was chosen; on_pixel(x, y): another pixel of the picture
    constructor({ on_moment, on_pixel }) {
        this.on_pixel = on_pixel;
        this.picture = h("canvas", { class: "strip-picture", hidden: true, role: "img", onclick: (event) => this.pixel(event) });
        this.strip = new Strip({ label: "time line of the run", beside: [this.picture], on_choose: (event) => on_moment(event) });
        this.element = this.strip.element;
        this.clear();
    }

    clear() {
        this.element.hidden = true;
        this.strip.show({ unit: "instructions", order: true, lanes: [] }, []);
        this.events = [];
    }

    // Of code that has no time line there is none. What the program has to say of the run.
    async load(engine, { program, options, files, fields, commands, source }) {
        this.clear();
        const { objects, messages } = await engine.objects(["run", ...options, ...run_arguments(fields, commands), "--time-line", "--limit", `${instructions_most}`, ...(fields.from ? [] : [program])], files);
        const line = objects.find(({ unit }) => unit);
        this.events = objects.filter(({ lane }) => lane);
        if (!line || !this.events.length)
            return messages;
        const total = Math.max(...this.events.map(({ end }) => end)), last = Math.max(...this.events.map(({ position }) => position));
        if (source)
            for (const event of this.events)
                event.detail ??= event.line ? `(line ${event.line}: ${source[event.line - 1]?.trim()})` : undefined;
        this.events.push({ lane: "end", number: 0, level: 0, name: "the end", start: total, end: total, position: last + 1 });
        this.element.hidden = false;
        this.strip.show({ ...line, lanes: [...line.lanes, "end"] }, this.events);
        return messages;
    }

    // Where the session is: what it does next, or has begun, in the lane of its thread or in any.
    at(position, thread) {
        const { strip } = this, of_thread = (lane) => lane === thread || lane === `fiber ${thread}`;
        if (this.element.hidden || strip.chosen?.position === position)
            return;
        const own = this.events.filter(({ lane }) => of_thread(lane)), list = own.length ? own : this.events;
        let best = null;
        for (const event of list.concat(this.events.at(-1)))
            if (event.position <= position && (!best || event.position > best.position || (event.position === best.position && event.level >= best.level)))
                best = event;
        if (best && (!strip.chosen || event_id(best) !== event_id(strip.chosen)))
            strip.choose(best, undefined, { tell: false });
    }

    // Units of code that have run before a position.
    ran_before(position) {
        return new Set(this.events.filter((event) => event.address !== undefined && event.position < position).map(({ address }) => address));
    }

    // What the shader draws, with the pixel that is stepped.
    show_picture(image, pixel) {
        const { picture } = this, wanted = Boolean(image && pixel);
        picture.hidden = !wanted;
        if (!wanted)
            return;
        const [x, y] = pixel.split(",").map(Number), paint = picture.getContext("2d", { willReadFrequently: true });
        picture.width = image.width;
        picture.height = image.height;
        picture.setAttribute("aria-label", `what the shader draws; pixel ${pixel} is stepped, a click steps another one`);
        paint.putImageData(image, 0, 0);
        paint.strokeStyle = "#ff4d00";
        paint.lineWidth = Math.max(1, image.width / 32);
        paint.strokeRect(x - image.width / 16, y - image.height / 16, image.width / 8, image.height / 8);
    }

    pixel(event) {
        this.on_pixel(...pixel_of(event, this.picture));
    }
}
