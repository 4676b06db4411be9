// SPDX-License-Identifier: MIT
// usage: node --test png.mjs
// Pictures of every form of PNG, made here, against the texels that they were made of; damaged ones are refused in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { is_png, read_png } from "../page/png.js";

const counts = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
const palette = Uint8Array.from({ length: 48 }, (_, i) => (i * 37) & 255), clear = Uint8Array.from([0, 17, 34, 99]);

function chunk(name, data) {
    const bytes = Buffer.alloc(12 + data.length); // nobody looks at the check sum
    bytes.writeUInt32BE(data.length);
    bytes.write(name, 4, "latin1");
    Buffer.from(data).copy(bytes, 8);
    return bytes;
}

function filtered(row, above, step, kind) {
    return row.map((value, i) => {
        const left = i >= step ? row[i - step] : 0, up = above[i] ?? 0, corner = i >= step ? above[i - step] ?? 0 : 0;
        const near = [left, up, corner].map((one) => Math.abs(left + up - corner - one)), least = Math.min(...near);
        return value - [0, left, up, (left + up) >> 1, [left, up, corner][near.indexOf(least)]][kind];
    });
}

// Samples of a pixel -> the file.
function make({ kind, depth, width, height, interlace, transparent }, samples) {
    const lines = [], step = Math.max(1, (counts[kind] * depth) >> 3);
    for (const [left, top, across, down] of interlace ? passes : [[0, 0, 1, 1]]) {
        let above = [];
        for (let y = top, n = 0; y < height && left < width; y += down, n++) {
            let bits = "";
            for (let x = left; x < width; x += across)
                for (const value of samples(x, y))
                    bits += value.toString(2).padStart(depth, "0");
            const row = (bits.match(/.{1,8}/g) ?? []).map((part) => parseInt(part.padEnd(8, "0"), 2));
            lines.push(n % 5, ...filtered(row, above, step, n % 5));
            above = row;
        }
    }
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([depth, kind, 0, 0, interlace ? 1 : 0], 8);
    const packed = deflateSync(Uint8Array.from(lines)), half = packed.length >> 1;
    return new Uint8Array(Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", head), ...(kind === 3 ? [chunk("PLTE", palette)] : []),
        ...(transparent ? [chunk("tRNS", transparent)] : []), chunk("IDAT", packed.subarray(0, half)), chunk("IDAT", packed.subarray(half)), chunk("IEND", [])]));
}

const forms = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [2, 8], [2, 16], [3, 1], [3, 2], [3, 4], [4, 8], [4, 16], [6, 8], [6, 16]];

for (const interlace of [false, true])
    test(`every form${interlace ? ", interlaced" : ""}`, async () => {
        for (const [kind, depth] of forms)
            for (const [width, height] of [[1, 1], [5, 7], [13, 9]]) {
                const most = 2 ** depth - 1;
                const samples = (x, y) => Array.from({ length: counts[kind] }, (_, i) => (x * 7919 + y * 104729 + i * 31) & most);
                const transparent = kind === 3 ? clear : kind === 0 || kind === 2 ? Uint8Array.from(samples(0, 0).flatMap((value) => [value >> 8, value & 255])) : null;
                const file = make({ kind, depth, width, height, interlace, transparent }, samples);
                assert.ok(is_png(file));
                const picture = await read_png(file);
                assert.deepEqual([picture.width, picture.height], [width, height]);
                for (let y = 0; y < height; y++)
                    for (let x = 0; x < width; x++) {
                        const raw = samples(x, y), same = String(raw) === String(samples(0, 0));
                        const wanted = kind === 3 ? [0, 1, 2].map((i) => palette[3 * raw[0] + i] / 255).concat((clear[raw[0]] ?? 255) / 255)
                            : kind === 0 ? [raw[0], raw[0], raw[0], same ? 0 : most].map((value) => value / most)
                            : kind === 2 ? [...raw, same ? 0 : most].map((value) => value / most)
                            : kind === 4 ? [raw[0], raw[0], raw[0], raw[1]].map((value) => value / most) : raw.map((value) => value / most);
                        assert.deepEqual([...picture.texels.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)], wanted.map(Math.fround),
                            `kind ${kind}, ${depth} bits, ${width}x${height}, pixel ${x},${y}`);
                    }
            }
    });

test("damaged pictures are refused", async () => {
    const good = make({ kind: 2, depth: 8, width: 4, height: 4 }, () => [1, 2, 3]);
    await assert.rejects(read_png(good.subarray(0, 20)), /damaged/);
    await assert.rejects(read_png(good.subarray(0, good.length - 30)), /damaged/);
    const large = good.slice();
    large.set([0, 1, 0, 0], 16);
    await assert.rejects(read_png(large), /too large/);
    const odd = good.slice();
    odd[25] = 5;
    await assert.rejects(read_png(odd), /no such form/);
    const tall = good.slice();
    tall[23] = 200; // more rows than there is data for
    await assert.rejects(read_png(tall), /cut off/);
    for (let i = 8; i < good.length; i++) { // no change of a byte may do more than that
        const changed = good.slice();
        changed[i] ^= 0x55;
        await read_png(changed).catch((error) => assert.match(error.message, /damaged|too large/));
    }
});
