// SPDX-License-Identifier: MIT
// A document as a link: its files, target, inputs and view, compressed, after the #. What stands there no server is told.

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer().then((buffer) => new Uint8Array(buffer));

function base64_of(bytes) {
    let binary = "";
    for (let at = 0; at < bytes.length; at += 0x8000)
        binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const bytes_of = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

// Four bytes of size, a table of contents, the files' bytes one after the other.
export async function pack({ files, ...rest }) {
    const parts = Object.entries(files), plain = JSON.stringify({ ...rest, sizes: parts.map(([name, bytes]) => [name, bytes.length]) });
    const head = new TextEncoder().encode(plain), size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, head.length);
    const blob = new Uint8Array(await new Blob([size, head, ...parts.map(([, bytes]) => bytes)]).arrayBuffer());
    return base64_of(await through(blob, new CompressionStream("deflate-raw")));
}

export async function unpack(text) {
    try {
        const bytes = await through(bytes_of(text), new DecompressionStream("deflate-raw"));
        const head = new DataView(bytes.buffer).getUint32(0), { sizes, ...rest } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + head)));
        let at = 4 + head;
        const files = {};
        for (const [name, size] of sizes) {
            files[name] = bytes.slice(at, at + size);
            at += size;
        }
        if (at !== bytes.length || !files[rest.name])
            throw new Error("cut off");
        return { ...rest, files };
    } catch {
        throw new Error("this link is damaged: a part of it is missing");
    }
}
