// SPDX-License-Identifier: MIT
// PNG pictures as the texels of a texture, the same floats that the program with libpng reads: values as they stand in the
// file, the largest 1.0, no colour space. A canvas would give other ones where pixels are transparent or have 16 bits.

const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }; // by colour type
const sides_most = 8192, texels_most = 2 ** 25;
const whole = [[0, 0, 1, 1]], interlaced = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

export const is_png = (bytes) => [137, 80, 78, 71, 13, 10, 26, 10].every((byte, i) => bytes[i] === byte);

function chunks_of(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), found = { IDAT: [] };
    for (let at = 8; at + 12 <= bytes.length; ) {
        const size = view.getUint32(at), name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
        if (at + 12 + size > bytes.length)
            break;
        const data = bytes.subarray(at + 8, at + 8 + size);
        if (name === "IDAT")
            found.IDAT.push(data);
        else
            found[name] ??= data;
        at += 12 + size;
    }
    return found;
}

async function inflate(parts) {
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Takes the filter off a row in place; `above` is the row before it without its filter.
function unfilter(kind, row, above, step) {
    for (let i = 0; i < row.length; i++) {
        const left = i >= step ? row[i - step] : 0, up = above[i], corner = i >= step ? above[i - step] : 0;
        if (kind === 1)
            row[i] += left;
        else if (kind === 2)
            row[i] += up;
        else if (kind === 3)
            row[i] += (left + up) >> 1;
        else if (kind === 4) {
            const guess = left + up - corner, [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
            row[i] += a <= b && a <= c ? left : b <= c ? up : corner;
        }
    }
}

function sample(row, index, depth) {
    if (depth === 16)
        return (row[2 * index] << 8) | row[2 * index + 1];
    const bit = index * depth;
    return (row[bit >> 3] >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

// Red, green, blue, alpha of pixel x of a row.
function color_of({ kind, depth, palette, clear }, row, x) {
    const count = channels[kind], most = 2 ** depth - 1, raw = Array.from({ length: count }, (_, i) => sample(row, x * count + i, depth));
    if (kind === 3) {
        const at = raw[0];
        return [0, 1, 2].map((i) => (palette[3 * at + i] ?? 0) / 255).concat((clear?.[at] ?? 255) / 255);
    }
    const is_clear = clear && (kind === 0 || kind === 2) && raw.every((value, i) => value === ((clear[2 * i] << 8) | clear[2 * i + 1]));
    const [first, second, third] = kind === 0 || kind === 4 ? [raw[0], raw[0], raw[0]] : raw;
    const alpha = kind === 4 ? raw[1] : kind === 6 ? raw[3] : is_clear ? 0 : most;
    return [first, second, third, alpha].map((value) => value / most);
}

// {width, height, texels}; throws with a sentence where the file is damaged.
export async function read_png(bytes) {
    const { IHDR, IDAT, PLTE, tRNS } = chunks_of(bytes);
    if (!IHDR || IHDR.length < 13)
        throw new Error("the picture is damaged: it does not say its size");
    const head = new DataView(IHDR.buffer, IHDR.byteOffset, 13), width = head.getUint32(0), height = head.getUint32(4);
    const format = { depth: IHDR[8], kind: IHDR[9], palette: PLTE ?? [], clear: tRNS };
    if (!width || !height || width > sides_most || height > sides_most || width * height > texels_most)
        throw new Error(`a picture of ${width} × ${height} is too large`);
    if (!channels[format.kind] || ![1, 2, 4, 8, 16].includes(format.depth))
        throw new Error("the picture is damaged: there is no such form of colours");
    const data = await inflate(IDAT).catch(() => { throw new Error("the picture is damaged: its data cannot be unpacked"); });
    const texels = new Float32Array(width * height * 4), bits = channels[format.kind] * format.depth, step = Math.max(1, bits >> 3);
    let at = 0;
    for (const [left, top, across, down] of IHDR[12] ? interlaced : whole) {
        const columns = Math.ceil((width - left) / across), size = Math.ceil((columns * bits) / 8);
        let above = new Uint8Array(Math.max(size, 0));
        for (let y = top; y < height && columns > 0; y += down) {
            const row = data.subarray(at + 1, at + 1 + size);
            if (row.length < size)
                throw new Error("the picture is damaged: it is cut off");
            unfilter(data[at], row, above, step);
            for (let x = 0; x < columns; x++)
                texels.set(color_of(format, row, x), 4 * (y * width + left + x * across));
            above = row;
            at += 1 + size;
        }
    }
    return { width, height, texels };
}

// The Netpbm format that the program writes: a header in text, then red, green, blue, alpha.
export function read_pam(bytes) {
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 128)), end = head.indexOf("ENDHDR\n") + 7;
    const size = (name) => Number(head.match(new RegExp(`${name} (\\d+)`))[1]);
    return new ImageData(new Uint8ClampedArray(bytes.slice(end)), size("WIDTH"), size("HEIGHT"));
}
