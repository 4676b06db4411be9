// SPDX-License-Identifier: MIT
// usage: node sheet.mjs PICTURES FOLDER
// The screenshots that looks.mjs leaves of a view at 1440, 1024 and 390 pixels, beside one another in one small picture of a
// palette each: FOLDER/view-NAME.png, for the documents.
import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { read_png } from "../page/png.js";

const height = 340, gap = 12, colours = 48; // of a sheet, in pixels
const widths = [1440, 1024, 390];

// Every pixel the mean of those that it stands for: letters stay readable.
function shrunk({ width, height: tall, texels }) {
    const scale = tall / height, wide = Math.round(width / scale), pixels = new Uint8Array(wide * height * 3);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < wide; x++) {
            const sum = [0, 0, 0], [left, right, top, bottom] = [x * scale, (x + 1) * scale, y * scale, (y + 1) * scale];
            let all = 0;
            for (let v = Math.floor(top); v < Math.min(tall, bottom); v++)
                for (let u = Math.floor(left); u < Math.min(width, right); u++) {
                    const part = (Math.min(v + 1, bottom) - Math.max(v, top)) * (Math.min(u + 1, right) - Math.max(u, left));
                    all += part;
                    for (let c = 0; c < 3; c++)
                        sum[c] += part * texels[(v * width + u) * 4 + c];
                }
            for (let c = 0; c < 3; c++)
                pixels[(y * wide + x) * 3 + c] = Math.round((255 * sum[c]) / all);
        }
    return { wide, pixels };
}

function beside(parts) {
    const wide = parts.reduce((sum, part) => sum + part.wide, gap * (parts.length - 1)), pixels = new Uint8Array(wide * height * 3).fill(0xc8);
    let left = 0;
    for (const part of parts) {
        for (let y = 0; y < height; y++)
            pixels.set(part.pixels.subarray(y * part.wide * 3, (y + 1) * part.wide * 3), (y * wide + left) * 3);
        left += part.wide + gap;
    }
    return { wide, pixels };
}

// The colours that are there most often, apart from one another, and for each pixel the nearest.
function palette_of(pixels) {
    const counts = new Map(), near = new Map(), key = (i) => ((pixels[i] >> 2) << 12) | ((pixels[i + 1] >> 2) << 6) | (pixels[i + 2] >> 2);
    for (let i = 0; i < pixels.length; i += 3)
        counts.set(key(i), (counts.get(key(i)) ?? 0) + 1);
    const rgb = (one) => [one >> 12, (one >> 6) & 63, one & 63].map((value) => Math.round((value * 255) / 63));
    const far = (a, b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2, palette = [];
    const wanted = [...counts].sort((a, b) => b[1] - a[1]).map(([one]) => rgb(one));
    for (const least of [500, 100, 0])
        for (const one of wanted)
            if (palette.length < colours && palette.every((other) => far(one, other) > least))
                palette.push(one);
    return { palette, index: (i) => {
        const one = key(i);
        if (!near.has(one))
            near.set(one, palette.reduce((best, other, n) => (far(rgb(one), other) < far(rgb(one), palette[best]) ? n : best), 0));
        return near.get(one);
    } };
}

function chunk(name, bytes) {
    const all = Buffer.alloc(bytes.length + 12);
    all.writeUInt32BE(bytes.length, 0);
    all.write(name, 4, "latin1");
    Buffer.from(bytes).copy(all, 8);
    all.writeUInt32BE(crc32(all.subarray(4, bytes.length + 8)), bytes.length + 8);
    return all;
}

function png_of({ wide, pixels }) {
    const { palette, index } = palette_of(pixels), head = Buffer.alloc(13), rows = Buffer.alloc((wide + 1) * height);
    head.writeUInt32BE(wide, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, 3], 8);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < wide; x++)
            rows[y * (wide + 1) + 1 + x] = index((y * wide + x) * 3);
    return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flat())), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", [])]);
}

const [pictures, folder] = process.argv.slice(2), names = (await readdir(pictures)).map((name) => name.match(/^(\w+)-1440\.png$/)?.[1]).filter(Boolean);
for (const name of names.sort()) {
    const parts = [];
    for (const width of widths)
        parts.push(shrunk(await read_png(new Uint8Array(await readFile(path.join(pictures, `${name}-${width}.png`))))));
    const bytes = png_of(beside(parts));
    await writeFile(path.join(folder, `view-${name}.png`), bytes);
    console.log(`${String(bytes.length).padStart(7)} bytes  view-${name}.png`);
}
