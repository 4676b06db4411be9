// SPDX-License-Identifier: MIT
// Serves a folder on 127.0.0.1, for tests: {url, close(), before}. `before` may be set to a function of a file's name, and is waited
// for before that file is answered.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };

export async function serve(folder) {
    const own = { before: null };
    const server = createServer(async (request, answer) => {
        const name = decodeURIComponent(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html");
        try {
            await own.before?.(name.slice(1));
            const bytes = await readFile(path.join(folder, path.normalize(name)));
            answer.writeHead(200, { "content-type": types[path.extname(name)] ?? "application/octet-stream" }).end(bytes);
        } catch {
            answer.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return Object.assign(own, {
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => new Promise((done) => {
            server.closeAllConnections();
            server.close(done);
        }),
    });
}
