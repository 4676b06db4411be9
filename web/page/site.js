// SPDX-License-Identifier: MIT
// The page's own files: beside it on a server, or, in the page that is a single file, within it. That one has an element
// `site` with all of them packed; browsers refuse a page from a disk all that it would ask for.

const element = document.getElementById("site"), packed = element ? JSON.parse(element.textContent) : null;

async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

export const is_single = packed !== null;

export async function site_file(path) {
    if (packed)
        return unpack(packed[path]);
    const answer = await fetch(path);
    if (!answer.ok)
        throw new Error(`${path}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
}

let parts = null; // of threads in a single file: the worker's code and the module, once for all

async function thread_parts() {
    const [code, module] = await Promise.all([unpack(packed["worker.js"]), unpack(packed["gpucode.wasm"]).then((bytes) => WebAssembly.compile(bytes))]);
    return { url: URL.createObjectURL(new Blob([code], { type: "text/javascript" })), module };
}

// The worker that ahead.js has started, for who asks first; null: there is none that works.
function started_worker() {
    const { worker, failed } = self.gpucode_ahead ?? {};
    delete self.gpucode_ahead;
    return failed ? null : worker ?? null;
}

// A worker with the module. It fetches that itself, or is given it.
export class Thread {
    constructor(on_message, on_error) {
        this.handlers = [on_message, on_error];
        if (packed)
            this.begun = this.begin_packed().catch(on_error);
        else
            this.begin(new URL("worker.js", document.baseURI));
    }

    begin(url) {
        this.worker = started_worker() ?? new Worker(url);
        this.worker.onmessage = ({ data }) => this.handlers[0](data);
        this.worker.onerror = (event) => this.handlers[1](new Error(event.message || "the worker did not start"));
    }

    async begin_packed() {
        const { url, module } = await (parts ??= thread_parts());
        if (this.ended)
            return;
        this.begin(url);
        this.worker.postMessage({ do: "module", module });
    }

    post(message) {
        if (this.worker)
            this.worker.postMessage(message);
        else
            this.begun.then(() => this.worker?.postMessage(message));
    }

    end() {
        this.ended = true;
        this.worker?.terminate();
    }
}
