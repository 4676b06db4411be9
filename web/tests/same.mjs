// SPDX-License-Identifier: MIT
// usage: node --test same.mjs, with GPUCODE (the program) and GPUCODE_MODULE (gpucode.wasm)
// The module's answers are the program's, byte for byte: listings of every image at hand, and what is made of sources.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.resolve(here, "../..");
const gpucode = path.resolve(process.env.GPUCODE ?? path.join(root, "build/gpucode"));
const module = path.resolve(process.env.GPUCODE_MODULE ?? path.join(root, "build/wasm/gpucode.wasm"));
const vectors = path.resolve(process.env.GPUCODE_VECTORS ?? path.join(root, "../shared/vectors"));
let folder;

before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "gpucode-same-"));
});
after(() => rm(folder, { recursive: true }));

function both(args) {
    const options = { maxBuffer: 1 << 30, cwd: folder, env: { ...process.env, NO_COLOR: "1" } };
    const own = spawnSync(gpucode, args, options);
    const page = spawnSync(process.execPath, ["--no-warnings", path.join(root, "web/wasi/run.mjs"), module, ...args], options);
    return { own, page };
}

function check_same(args) {
    const { own, page } = both(args);
    assert.equal(page.status, own.status, `${args.join(" ")}: ${page.stderr}`);
    assert.ok(own.stdout.equals(page.stdout), `${args.join(" ")}: other output`);
    return own.stdout;
}

async function files_below(place, endings) {
    const found = [];
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => []))
        if (entry.isDirectory())
            found.push(...(await files_below(path.join(place, entry.name), endings)));
        else if (endings.some((ending) => entry.name.endsWith(ending)))
            found.push(path.join(place, entry.name));
    return found.sort();
}

test("sources of the examples make the same bytes and listings", () => {
    const sources = [["firmware/a6xx.asm"], ["firmware/a7xx.asm"], ["a3xx/planet.asm", "a3xx"], ["mme/macros.mme", "mme:fermi"], ["hwsq/reclock.hwsq", "hwsq:nv50"]];
    for (const [name, target] of sources) {
        const [own, page] = [path.join(folder, "own.bin"), path.join(folder, "page.bin")], option = target ? ["-t", target] : [];
        const make = (out) => ["asm", ...option, path.join(root, "examples", name), "-o", out];
        execFileSync(gpucode, make(own));
        execFileSync(process.execPath, ["--no-warnings", path.join(root, "web/wasi/run.mjs"), module, ...make(page)]);
        execFileSync("cmp", [own, page]);
        check_same(["disasm", ...option, own]);
        check_same(["disasm", "--json", ...option, own]);
    }
});

test("pictures have the same pixels", () => {
    const source = path.join(root, "examples/a3xx/planet.asm");
    const draw = (out) => ["run", "--image", "64x64", out, source, "--varying", "0=-1.1,1.1,-1.1", "--varying", "1=1.1,1.1,-1.1"];
    execFileSync(gpucode, draw(path.join(folder, "own.pam")));
    execFileSync(process.execPath, ["--no-warnings", path.join(root, "web/wasi/run.mjs"), module, ...draw(path.join(folder, "page.pam"))]);
    execFileSync("cmp", [path.join(folder, "own.pam"), path.join(folder, "page.pam")]);
});

test("errors are the same", () => {
    check_same(["disasm", path.join(root, "README.md")]);
    check_same(["manual", "afuc", "mov"]);
    check_same(["explain", "cli-open"]);
});

test("listings of all test vectors", async (t) => {
    if (!(await stat(vectors).catch(() => null))) {
        t.skip("no test vectors");
        return;
    }
    const images = await files_below(path.join(vectors, "afuc"), [".fw"]);
    const shaders = (await files_below(path.join(vectors, "a3xx"), [".bin"])).filter((name, i) => process.env.LONG || i % 8 === 0);
    const scripts = await files_below(path.join(vectors, "hwsq"), [".hex"]);
    let bytes = 0;
    for (const name of images)
        bytes += check_same(["disasm", name]).length;
    for (const name of shaders)
        bytes += check_same(["disasm", "-t", "a3xx", name]).length;
    for (const name of scripts)
        bytes += check_same(["disasm", "-t", "hwsq:nv50", "--hex", name]).length;
    assert.ok(bytes > 100_000, `only ${bytes} bytes were compared`);
    t.diagnostic(`${images.length} images, ${shaders.length} shaders, ${scripts.length} scripts: ${bytes} bytes of text`);
});
