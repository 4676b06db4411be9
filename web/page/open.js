// SPDX-License-Identifier: MIT
// From bytes to a document: what kind of file it is is found by asking the program, never by the file's name alone.

// A document: {name, bytes, files (all that were opened with it, by path), kind, target, info}.
// kind: "code" (a binary), "source", "stream", "crash".

// What a compressed file begins with; nothing where it is damaged.
async function gunzip_head(bytes) {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    const { value } = await reader.read().catch(() => ({}));
    reader.cancel().catch(() => {});
    return value?.subarray(0, 256) ?? new Uint8Array();
}

function text_of(bytes) {
    try {
        const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
        return /[\0-\x08\x0e-\x1f]/.test(text) ? null : text;
    } catch {
        return null;
    }
}

const is_gzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

// The names of files that a source includes.
export function includes_of(text) {
    return [...text.matchAll(/^\s*\.include\s+"([^"]+)"/gm)].map((found) => found[1]);
}

async function as_code(engine, name, files, target) {
    const options = target ? ["-t", target] : [];
    const { code, objects, messages } = await engine.objects(["info", ...options, name], files);
    return { info: code === 0 ? objects[0] : null, messages };
}

// A dump's or a recording's own commands say whether it is one.
async function as_record(engine, name, files, bytes) {
    const head = bytes instanceof Blob ? new Uint8Array(await bytes.slice(0, 256).arrayBuffer()) : bytes.subarray(0, 256);
    const start = is_gzip(head) ? await gunzip_head(bytes) : head;
    const text = new TextDecoder().decode(start);
    if (/^(---\n)?(kernel|module|devcoredump)\b|^\s*kernel:|revision:/m.test(text)) {
        const { code, out } = await engine.text(["crash", "--json", name], files, { limit: 256 << 20 });
        return code <= 1 && out.startsWith("{") ? { kind: "crash", report: JSON.parse(out) } : null;
    }
    const { code } = await engine.run(["decode", ...(bytes instanceof Blob ? ["--frame", "0"] : []), "--summary", name], files);
    return code <= 1 ? { kind: "stream" } : null;
}

function refusal(name, messages) {
    const error = messages.find((message) => message.severity === "error") ?? { message: "cannot be read" };
    const note = messages.find((message) => message.severity === "note");
    const refused = new Error([`${name}: ${error.message}`, note?.message, note?.hint ?? error.hint].filter(Boolean).join("; "));
    refused.unknown = error.code === "image-unknown";
    return refused;
}

const code_bytes = 256 << 20; // of a large file that is no recording and no dump

// A large file is first taken for a recording, of which little has to be read.
async function open_large(engine, name, file, siblings, target) {
    const record = await as_record(engine, name, { ...siblings, [name]: file }, file);
    if (record)
        return { name, bytes: file, files: { ...siblings, [name]: file }, ...record };
    if (file.size > code_bytes)
        throw new Error(`${name} is no recording and no crash dump; code may have ${code_bytes >> 20} MB, and it has ${file.size >> 20}.`);
    return open_document(engine, name, new Uint8Array(await file.arrayBuffer()), siblings, target);
}

export async function open_document(engine, name, bytes, siblings = {}, target = null) {
    if (bytes instanceof Blob)
        return open_large(engine, name, bytes, siblings, target);
    const files = { ...siblings, [name]: bytes };
    const text = text_of(bytes);
    // with a target any bytes are code: text is a source then
    const { info, messages } = await as_code(engine, name, files, text === null ? target : null);
    if (info)
        return { name, bytes, files, kind: "code", target: info.target, given: target, info };
    const kind_note = messages.find((message) => message.code === "cli-file-kind")?.message ?? "";
    if (text !== null && (/a source for/.test(kind_note) || target || includes_of(text).length))
        return { name, bytes, files, kind: "source", target, given: target };
    const record = await as_record(engine, name, files, bytes);
    if (record)
        return { name, bytes, files, ...record };
    if (text !== null)
        return { name, bytes, files, kind: "source", target, given: target };
    throw refusal(name, messages);
}

// What `-t` needs, where the file does not say it itself.
export const target_options = (document) => (document.given ? ["-t", document.given] : []);

const assembled = new WeakMap(); // document -> what its source makes, once for all views

// The bytes of a document's code: its own, or what its source makes. {bytes, target, map} or {messages}.
export function code_of(engine, document) {
    if (document.kind === "code")
        return { bytes: document.bytes, target: document.target, given: document.given, map: null };
    if (!assembled.has(document)) {
        assembled.set(document, assemble(engine, document));
        assembled.get(document).catch(() => assembled.delete(document));
    }
    return assembled.get(document);
}

async function assemble(engine, document) {
    const out = "page-code.bin", map = "page-code.map";
    const { objects, messages, made } = await engine.objects(
        ["asm", ...target_options(document), document.name, "-o", out, "--map", map], document.files, { wanted: [out, map] });
    return made[out] ? { bytes: made[out], target: objects[0]?.target, given: objects[0]?.target, map: made[map], messages } : { messages };
}

export const errors_in = (messages) => (messages ?? []).filter((message) => message.severity === "error").length;
