// SPDX-License-Identifier: MIT
// Which line of which file an instruction comes from, and where its bytes are: between a map of `asm`, a listing and the file.

export class SourceMap {
    // map: bytes of `asm --map`; lines: the listing of the code that was made with it; bytes: that code
    constructor(map, lines, bytes) {
        const text = new TextDecoder().decode(map);
        this.entries = [...text.matchAll(/^@\s+0x([0-9a-f]+) (.*):(\d+)$/gm)].map(([, at, file, line]) => ({ at: parseInt(at, 16), file: file.replace(/^\.?\//, ""), line: Number(line) }))
            .sort((a, b) => a.at - b.at);
        this.lines = lines;
        this.bytes = bytes;
        this.in_bytes = lines.count > 0 && lines.unit(0).at_words === undefined;
        this.unit_bytes = this.in_bytes || !lines.count ? 1 : (lines.unit(0).bits.length - 2) / 2;
        let base = 0; // of a section among all units: sections follow each other in the file
        this.bases = lines.sections().map(({ name, first, last }) => {
            const run = { name, first, last, base };
            base += lines.unit(last).at + (this.in_bytes ? (lines.unit(last).bits.length - 2) / 2 : 1);
            return run;
        });
        this.head = bytes.length - base * this.unit_bytes; // what stands in front of the code in the file
    }

    place_of(index) {
        const run = this.bases.find(({ first, last }) => first <= index && index <= last);
        return run ? run.base + this.lines.unit(index).at : -1;
    }

    // {file, line}, or null
    source_of(index) {
        const place = this.place_of(index);
        let low = 0, high = this.entries.length - 1;
        if (place < 0 || !this.entries.length || this.entries[0].at > place)
            return null;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.entries[middle].at <= place)
                low = middle;
            else
                high = middle - 1;
        }
        return this.entries[low];
    }

    // The instructions of a line, as indices of the listing.
    units_of(file, line) {
        const units = [];
        this.entries.forEach((entry, i) => {
            if (entry.line !== line || entry.file !== file)
                return;
            const end = this.entries.slice(i + 1).find(({ at }) => at > entry.at)?.at ?? Infinity;
            for (let index = this.index_at(entry.at); index >= 0 && index < this.lines.count && this.place_of(index) < end; index++)
                units.push(index);
        });
        return [...new Set(units)];
    }

    index_at(place) {
        const run = this.bases.findLast(({ base }) => base <= place);
        return run ? this.lines.find(run.name, place - run.base) : -1;
    }

    // [first, after the last] of an instruction's bytes in the file, or null where they are not the ones that the listing has
    bytes_of(index) {
        const size = (this.lines.unit(index).bits.length - 2) / 2, from = this.head + this.place_of(index) * this.unit_bytes;
        const word = [...this.bytes.subarray(from, from + size)], hex = (list) => list.map((byte) => byte.toString(16).padStart(2, "0")).join("");
        const bits = this.lines.unit(index).bits.slice(2).toLowerCase();
        return [hex(word), hex(word.reverse())].includes(bits) ? [from, from + size] : null;
    }
}
