// SPDX-License-Identifier: MIT
// The module in a thread of its own: commands, each in an instance that is thrown away behind it, and long conversations
// (a debug session, the language server), each in one that stays.
import { ConsoleStdout, Directory, File, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

// In the page that is a single file the module comes as the first message.
let take_module = null;
const module = self.location.protocol === "blob:" ? new Promise((done) => { take_module = done; })
    : WebAssembly.compileStreaming(fetch(new URL("gpucode.wasm", self.location)))
        .catch(() => fetch(new URL("gpucode.wasm", self.location)).then((answer) => answer.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes)));

class EnoughOutput extends Error {}

const page_bytes = 4096, pages_most = 16 << 10; // as the program reads; 64 MB
const chunk_bytes = 4 << 20; // of which each costs a round trip to another process

// A large file of the page's: it stays where it is, and the module reads the parts that it looks at. Those that it looked at last
// are kept for the next command.
class Parts {
    constructor(blob) {
        this.blob = blob;
        this.byteLength = blob.size;
        this.pages = new Map(); // start -> bytes, the latest last
        this.chunk = { start: 0, bytes: new Uint8Array() };
    }

    is_of({ name, size, lastModified }) {
        return this.blob.name === name && this.blob.size === size && this.blob.lastModified === lastModified;
    }

    slice(from, to) {
        const known = this.pages.get(from), end = Math.min(to, this.byteLength), bytes = known?.length === end - from ? known : this.read(from, end);
        if (bytes.length <= page_bytes) {
            this.pages.delete(from);
            this.pages.set(from, bytes);
            if (this.pages.size > pages_most)
                this.pages.delete(this.pages.keys().next().value);
        }
        return bytes;
    }

    read(from, end) {
        const bytes = new Uint8Array(Math.max(0, end - from));
        for (let done = 0; done < bytes.length; ) {
            const at = from + done, start = at - (at % chunk_bytes);
            if (this.chunk.start !== start || !this.chunk.bytes.length)
                this.chunk = { start, bytes: this.fetch(start) };
            const part = this.chunk.bytes.subarray(at - start, at - start + bytes.length - done);
            bytes.set(part, done);
            done += part.length;
        }
        return bytes;
    }

    fetch(start) {
        try {
            return new Uint8Array(new FileReaderSync().readAsArrayBuffer(this.blob.slice(start, start + chunk_bytes)));
        } catch (error) {
            throw new Error(`${this.blob.name} cannot be read any more; perhaps it was changed (${error.message})`);
        }
    }
}

let large = []; // the last two: a recording, and one beside it

function file_of(bytes) {
    if (!(bytes instanceof Blob))
        return new File(bytes);
    const parts = large.find((one) => one.is_of(bytes)) ?? new Parts(bytes), file = new File([], { readonly: true });
    large = [parts, ...large.filter((one) => one !== parts)].slice(0, 2);
    file.data = parts;
    return file;
}

// Folders of paths with slashes.
function folder_of(files) {
    const root = new Map();
    for (const [path, bytes] of Object.entries(files)) {
        const names = path.split("/");
        let contents = root;
        for (const name of names.slice(0, -1)) {
            if (!contents.has(name))
                contents.set(name, new Directory(new Map()));
            contents = contents.get(name).contents;
        }
        contents.set(names.at(-1), file_of(bytes));
    }
    return root;
}

function find_file(root, path) {
    let entry = { contents: root };
    for (const name of path.split("/"))
        entry = entry?.contents?.get(name);
    return entry?.data;
}

// What an output has taken, as one array; more than `limit` bytes end the command.
class Output extends ConsoleStdout {
    constructor(limit) {
        super((bytes) => this.take(bytes));
        this.parts = [];
        this.size = 0;
        this.limit = limit;
    }

    take(bytes) {
        this.parts.push(bytes);
        this.size += bytes.length;
        if (this.size > this.limit)
            throw new EnoughOutput();
    }

    bytes() {
        const all = new Uint8Array(this.size);
        let at = 0;
        for (const part of this.parts) {
            all.set(part, at);
            at += part.length;
        }
        return all;
    }
}

// A thread that runs the module takes no messages. What it can ask is whether an address of the page's is still there: a
// message comes with one, and the page takes it back for a pause.
const pause = {
    signal: null,
    asked: 0,
    gap_ms: 50,
    is_wanted() {
        if (!this.signal || performance.now() - this.asked < this.gap_ms)
            return 0;
        const request = new XMLHttpRequest();
        try {
            request.open("GET", this.signal, false);
            request.send();
            this.asked = performance.now();
            return 0;
        } catch {
            this.signal = null; // one movement is ended by it
            return 1;
        }
    },
};

async function instance_of(args, root, out, err) {
    const wasi = new WASI(args, ["NO_COLOR=1"], [new Output(0), out, err, new PreopenDirectory(".", root)], { debug: false });
    const instance = await WebAssembly.instantiate(await module, { wasi_snapshot_preview1: wasi.wasiImport, page: { page_wants_pause: () => pause.is_wanted() } });
    wasi.initialize(instance);
    return instance;
}

async function run_command({ id, args, files, wanted, limit }) {
    const root = folder_of(files);
    const out = new Output(limit), err = new Output(1 << 20);
    let code = 3, cut = false, fault = "";
    try {
        const instance = await instance_of(["gpucode", ...args], root, out, err);
        code = instance.exports.page_command();
    } catch (error) {
        if (error.code !== undefined && error.message?.startsWith("exit with"))
            code = error.code;
        else if (error instanceof EnoughOutput)
            [cut, code] = [true, 0];
        else
            fault = error instanceof WebAssembly.RuntimeError ? `gpucode ${args[0]} has failed: ${error.message}` : error.message;
    }
    const bytes = out.bytes(), made = {}, moved = [bytes.buffer];
    for (const path of wanted ?? []) {
        const data = find_file(root, path);
        if (data) {
            made[path] = data;
            moved.push(data.buffer);
        }
    }
    self.postMessage({ id, code, cut, fault, out: bytes, err: new TextDecoder().decode(err.bytes()), made }, moved);
}

// Messages that the module writes one behind the other, each behind its Content-Length.
class Frames extends ConsoleStdout {
    constructor(take) {
        super((bytes) => this.add(bytes));
        this.rest = new Uint8Array();
        this.take_message = take;
    }

    add(bytes) {
        const all = new Uint8Array(this.rest.length + bytes.length);
        all.set(this.rest);
        all.set(bytes, this.rest.length);
        let at = 0;
        for (;;) {
            const head = new TextDecoder().decode(all.subarray(at, at + 64));
            const found = head.match(/^Content-Length: (\d+)\r\n\r\n/);
            const length = found ? Number(found[1]) : 0;
            if (!found || all.length - at - found[0].length < length)
                break;
            at += found[0].length;
            this.take_message(new TextDecoder().decode(all.subarray(at, at + length)));
            at += length;
        }
        this.rest = all.slice(at);
    }
}

const talks = new Map(); // kind -> { instance, root }

async function begin_talk({ kind, files }) {
    const root = folder_of(files);
    const err = new ConsoleStdout(() => {});
    const frames = new Frames((text) => self.postMessage({ kind, text }));
    talks.set(kind, { instance: await instance_of(["gpucode"], root, frames, err), root });
}

function say({ kind, text, files, signal }) {
    const talk = talks.get(kind);
    pause.signal = signal;
    if (!talk)
        return;
    for (const [path, bytes] of Object.entries(files ?? {}))
        folder_of({ [path]: bytes }).forEach((entry, name) => talk.root.set(name, entry));
    const bytes = new TextEncoder().encode(text);
    const { memory, page_allocate } = talk.instance.exports;
    const at = page_allocate(bytes.length || 1);
    new Uint8Array(memory.buffer).set(bytes, at);
    talk.instance.exports[`page_${kind}`](at, bytes.length);
}

let waiting = Promise.resolve(); // one thing at a time, in order
self.onmessage = ({ data }) => {
    const work = { run: run_command, begin: begin_talk, say, module: (message) => take_module(message.module) }[data.do];
    waiting = waiting.then(() => work(data)).catch((error) => self.postMessage({ kind: data.kind ?? "fault", fault: `${error}` }));
};
