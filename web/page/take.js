// SPDX-License-Identifier: MIT
// What comes in by dropping, choosing and pasting: bytes as they are meant, whatever they are written in, and which of many files
// belong together.
import { includes_of } from "./open.js";

const decoder = new TextDecoder("utf-8", { fatal: true }), encoder = new TextEncoder();

function utf8_of(bytes) {
    try {
        return decoder.decode(bytes);
    } catch {
        return null;
    }
}

function bytes_of_words(words, size) {
    const bytes = new Uint8Array(words.length * size);
    words.forEach((word, i) => {
        for (let at = 0; at < size; at++)
            bytes[i * size + at] = parseInt(word.slice(2 * (size - 1 - at), 2 * (size - at)), 16);
    });
    return bytes;
}

const pairs = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// "00000000  88 02 00 05 ...  |....|" of hexdump -C and "00000000: 8802 0005 ...  ...." of xxd: bytes in order. Null: not that.
function dump_of(lines) {
    const found = lines.map((line) => line.match(/^\s*[0-9a-f]{6,16}(?::\s?|\s{1,2})((?:[0-9a-f]{2}){1,8}(?: {1,2}(?:[0-9a-f]{2}){1,8}){0,15}) {0,60}(?: {2}.{1,16}|\|.{1,16}\|)?\s*$/i));
    const last = lines.length > 1 && /^\s*[0-9a-f]{6,16}\s*$/i.test(lines.at(-1)); // hexdump ends with the size
    const rows = last ? found.slice(0, -1) : found;
    return rows.length && rows.every(Boolean) && /^\s*0{6,16}[: ]/.test(lines[0]) ? pairs(rows.map((row) => row[1].replace(/ /g, "")).join("")) : null;
}

// Hex text as the program's --hex takes it: bytes, or words of 8 or 16 digits, with 0x or without. {bytes, form} or null.
export function hex_of(text) {
    const lines = text.split("\n").filter((line) => line.trim()), dump = dump_of(lines);
    if (dump)
        return { bytes: dump, form: "a hex dump" };
    const words = text.replace(/^\s*\{|\}\s*;?\s*$/g, "").split(/[\s,]+/).filter(Boolean).map((word) => word.replace(/^0x/i, "").replace(/u?l{0,2}$/i, ""));
    if (!words.length || !words.every((word) => /^[0-9a-f]+$/i.test(word)))
        return null;
    for (const size of [4, 8])
        if (words.every((word) => word.length === 2 * size))
            return { bytes: bytes_of_words(words, size), form: `words of ${2 * size} digits` };
    if (words.length > 1 && words.every((word) => word.length <= 2) && words.some((word) => word.length === 2))
        return { bytes: Uint8Array.from(words, (word) => parseInt(word, 16)), form: "bytes in hex" };
    if (words.every((word) => word.length % 2 === 0) && words.join("").length > 16)
        return { bytes: pairs(words.join("")), form: "bytes in hex" };
    return null;
}

function base64_of(text) {
    const packed = text.trim().replace(/^data:[^,]*;base64,/, "").replace(/\s+/g, "").replace(/-/g, "+").replace(/_/g, "/");
    if (packed.length < 16 || !/^[A-Za-z0-9+/]+={0,2}$/.test(packed) || /\S[ \t]+\S/.test(text.trim()) || packed.replace(/=+$/, "").length % 4 === 1)
        return null;
    if (/^[a-z]+$/i.test(packed) && packed.length < 64)
        return null; // a word, more likely
    const binary = atob(packed);
    return { bytes: Uint8Array.from(binary, (letter) => letter.charCodeAt(0)), form: "base64" };
}

export const whole_bytes = 96 << 20; // of a file that is read whole, and can be kept

// What a file of the user's is: {bytes, form}. A larger one is its own bytes: it stays where it is, and is read in parts.
export async function taken(file) {
    return file.size > whole_bytes ? { bytes: file, form: "" } : meant(new Uint8Array(await file.arrayBuffer()));
}

// Of bytes, and of a file that stands for them.
export const size_of = (bytes) => bytes.length ?? bytes.size;

// {bytes, form (in words, "" for what was taken as it is)}
export function meant(bytes) {
    if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0 && bytes.length > 3 && bytes[3] === 0)
        return { bytes: encoder.encode(new TextDecoder("utf-16le").decode(bytes)), form: "UTF-16" };
    const text = utf8_of(bytes.length > 64 << 20 ? bytes.subarray(0, 0) : bytes);
    if (text !== null)
        return hex_of(text) ?? base64_of(text) ?? { bytes, form: "" };
    if (!bytes.some((byte) => (byte < 32 && ![9, 10, 12, 13].includes(byte)) || (byte >= 127 && byte < 160)))
        return { bytes: encoder.encode(new TextDecoder("latin1").decode(bytes)), form: "Latin-1" };
    return { bytes, form: "" };
}

// Which files of many are documents, and what belongs to each: [{name, bytes, files}]. What another includes or names is not one.
export function documents_among(files) {
    const texts = new Map(Object.entries(files).map(([name, bytes]) => [name, bytes.length < 4 << 20 ? utf8_of(bytes) : null]));
    const base = (name) => name.replace(/.*\//, "");
    const named = (name) => Object.keys(files).filter((other) => other !== name && texts.get(name)?.includes(`"${base(other)}"`)
        || includes_of(texts.get(name) ?? "").some((one) => base(one) === base(other) && other !== name));
    const reached = (name, found = new Set()) => {
        for (const other of named(name))
            if (!found.has(other)) {
                found.add(other);
                reached(other, found);
            }
        return found;
    };
    const within = new Set(Object.keys(files).flatMap(named)), is_picture = (name) => /\.(png|f32)$/i.test(name);
    let roots = Object.keys(files).filter((name) => !within.has(name));
    if (roots.some((name) => !is_picture(name))) // textures go with shaders
        roots = roots.filter((name) => !is_picture(name));
    if (!roots.length)
        roots = Object.keys(files).slice(0, 1);
    const pictures = Object.keys(files).filter(is_picture);
    return roots.map((name) => ({
        name, bytes: files[name],
        files: Object.fromEntries([name, ...reached(name), ...(texts.get(name) ? pictures : [])].map((one) => [one, files[one]])),
    }));
}
