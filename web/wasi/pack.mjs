// SPDX-License-Identifier: MIT
// usage: node pack.mjs IN OUT
// Joins a module's data into one segment: wasm-opt cuts zeros out, into hundreds of segments, which makes the file smaller
// and what a server sends, compressed, larger by a tenth.
import { readFile, writeFile } from "node:fs/promises";

const data_section = 11, count_section = 12;

function number_at(bytes, at) {
    let value = 0, shift = 0, byte;
    do {
        byte = bytes[at++];
        value += (byte & 0x7f) * 2 ** shift;
        shift += 7;
    } while (byte & 0x80);
    return [value, at];
}

function number(value, signed = false) {
    const bytes = [];
    for (;;) {
        const low = value & 0x7f;
        value >>>= 7;
        if (!value && !(signed && low & 0x40))
            return [...bytes, low];
        bytes.push(low | 0x80);
    }
}

// {address, bytes} of each segment; a module with others than active ones of memory 0 is not taken.
function segments_of(bytes, at) {
    let count, size, address;
    [count, at] = number_at(bytes, at);
    return Array.from({ length: count }, () => {
        if (bytes[at] !== 0 || bytes[at + 1] !== 0x41)
            throw new Error("a data segment without a constant address");
        [address, at] = number_at(bytes, at + 2);
        [size, at] = number_at(bytes, at + 1);
        at += size;
        return { address, bytes: bytes.subarray(at - size, at) };
    });
}

function joined(segments) {
    const first = Math.min(...segments.map(({ address }) => address)), end = Math.max(...segments.map(({ address, bytes }) => address + bytes.length));
    const all = new Uint8Array(end - first);
    for (const { address, bytes } of segments)
        all.set(bytes, address - first);
    return [new Uint8Array([1, 0, 0x41, ...number(first, true), 0x0b, ...number(all.length)]), all];
}

const [source, result] = process.argv.slice(2), bytes = await readFile(source), parts = [bytes.subarray(0, 8)];
for (let at = 8; at < bytes.length;) {
    const [size, from] = number_at(bytes, at + 1), kind = bytes[at];
    const body = kind === data_section ? joined(segments_of(bytes, from)) : kind === count_section ? [new Uint8Array([1])] : [bytes.subarray(from, from + size)];
    parts.push(new Uint8Array([kind, ...number(body.reduce((sum, one) => sum + one.length, 0))]), ...body);
    at = from + size;
}
await writeFile(result, Buffer.concat(parts));
