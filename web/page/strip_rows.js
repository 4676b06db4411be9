// SPDX-License-Identifier: MIT
// Events of a time line as rows of numbers, each with its levels of detail: what is narrower than a pixel at a level is one
// bar with what stands beside it, so that a frame draws no more bars than the screen is wide, however many events there are.

const doubling = 2; // units of a pixel, from level to level

// Bars of a level: {starts, ends, firsts (index in the row), counts, marks (the most of those in it)}
function bars_of(list) {
    const bars = { count: list.length, starts: new Float64Array(list.length), ends: new Float64Array(list.length), firsts: new Uint32Array(list.length),
        counts: new Uint32Array(list.length), marks: new Uint8Array(list.length) };
    list.forEach((bar, i) => [bars.starts[i], bars.ends[i], bars.firsts[i], bars.counts[i], bars.marks[i]] = bar);
    return bars;
}

// The next level: neighbours that together are narrower than a pixel of it become one.
function merged(bars, pixel) {
    const starts = new Float64Array(bars.count), ends = new Float64Array(bars.count), firsts = new Uint32Array(bars.count);
    const counts = new Uint32Array(bars.count), marks = new Uint8Array(bars.count);
    let n = -1;
    for (let i = 0; i < bars.count; i++)
        if (n >= 0 && bars.ends[i] - starts[n] < pixel) {
            ends[n] = Math.max(ends[n], bars.ends[i]);
            counts[n] += bars.counts[i];
            marks[n] = Math.max(marks[n], bars.marks[i]);
        } else {
            n++;
            [starts[n], ends[n], firsts[n], counts[n], marks[n]] = [bars.starts[i], bars.ends[i], bars.firsts[i], bars.counts[i], bars.marks[i]];
        }
    n++;
    return { count: n, starts: starts.slice(0, n), ends: ends.slice(0, n), firsts: firsts.slice(0, n), counts: counts.slice(0, n), marks: marks.slice(0, n) };
}

// One lane and level of nesting.
export class Row {
    constructor(lane, level, events) {
        this.lane = lane;
        this.level = level;
        this.events = events.sort((a, b) => a.start - b.start || a.number - b.number);
        this.sift(null);
    }

    // Only events that pass are drawn; null: all.
    sift(passes) {
        const list = [];
        this.events.forEach((event, i) => {
            if (!passes || passes(event))
                list.push([event.start, event.end, i, 1, event.mark === "fault" ? 2 : event.mark ? 0 : 1]);
        });
        this.levels = [bars_of(list)];
        this.shown = list.length;
        for (let pixel = doubling; this.levels.at(-1).count > 64; pixel *= doubling)
            this.levels.push(merged(this.levels.at(-1), pixel));
    }

    // The bars for a scale of so many units to a pixel.
    at(units) {
        const level = Math.max(0, Math.min(this.levels.length - 1, Math.floor(Math.log2(Math.max(units, 1)) / Math.log2(doubling))));
        return this.levels[level];
    }

    // The last event that has begun at a time, or -1.
    index_at(time) {
        return last_not_after(this.events.length, (i) => this.events[i].start, time);
    }
}

// The last of `count` ordered numbers that is not greater, or -1.
export function last_not_after(count, number_at, wanted) {
    let low = 0, high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (number_at(middle) <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

// Rows in the order of the lanes; buffers in buffers below one another.
export function rows_of(lanes, events) {
    const found = new Map();
    for (const event of events) {
        const key = `${event.lane} ${event.level}`;
        if (!found.has(key))
            found.set(key, []);
        found.get(key).push(event);
    }
    const order = [...lanes, ...[...new Set(events.map(({ lane }) => lane))].filter((lane) => !lanes.includes(lane))];
    return [...found.values()].map((list) => new Row(list[0].lane, list[0].level, list))
        .sort((a, b) => order.indexOf(a.lane) - order.indexOf(b.lane) || a.level - b.level);
}
