// SPDX-License-Identifier: MIT
// The code of a document as commands take it, and the lines of its listing.
import { CodeLines } from "./code_lines.js";
import { code_of } from "./open.js";

const map_file = "page-code.map";

// {name, bytes, target, given, long, options (of any command), symbols (of those that take --symbols), files}, or
// {messages} where a source has errors. Of more than `most` bytes the first are taken.
export async function code_view(engine, document, most = Infinity) {
    const code = await code_of(engine, document);
    if (!code.bytes)
        return { messages: code.messages };
    const name = document.kind === "code" ? document.name : `${document.name.replace(/\.\w+$/, "")}.bin`; // commands tell it
    const long = code.bytes.length > most, bytes = long ? code.bytes.slice(0, most) : code.bytes;
    return {
        name, bytes, target: code.target, given: code.given, long,
        options: code.given ? ["-t", code.given] : [],
        symbols: code.map ? ["--symbols", map_file] : [],
        files: { [name]: bytes, ...(code.map && { [map_file]: code.map }) },
    };
}

// {lines, cut}
export async function listing_of(engine, view) {
    const { out, cut, code, err } = await engine.run(["disasm", "--json", ...view.options, ...view.symbols, view.name], view.files);
    if (code > 1)
        throw new Error(err);
    return { lines: new CodeLines(out), cut };
}
