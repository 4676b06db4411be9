// SPDX-License-Identifier: MIT
// usage: node run.mjs GPUCODE.WASM ARGUMENTS...
// Runs one command of the module, or a program for WASI, as a shell would: the paths are the machine's, from its root.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [module, ...parameters] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["gpucode", ...parameters], env: {}, preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(module), { ...wasi.getImportObject(), page: { page_wants_pause: () => 0 } });
if (instance.exports._start) {
    process.exitCode = wasi.start(instance);
} else {
    wasi.initialize(instance);
    process.exitCode = instance.exports.page_command();
}
