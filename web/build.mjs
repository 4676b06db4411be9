// SPDX-License-Identifier: MIT
// usage: node build.mjs GPUCODE MODULE FOLDER
// Makes the folder of static files: the page's scripts bundled, the module, the examples, and the service worker that keeps
// them. Everything is named by relative paths, so that the folder works below any address. Beside it FOLDER.html is the
// whole page as one file, for disks, where browsers let a page ask for nothing.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.dirname(here);
const [gpucode, module, folder] = process.argv.slice(2).map((name) => path.resolve(name));

// The parts that main.js imports, and what it asks for first, are asked for with it and not after it.
function with_preloads(page, { outputs }) {
    const main = Object.entries(outputs).find(([name]) => path.basename(name) === "main.js")[1];
    const parts = main.imports.filter(({ kind }) => kind === "import-statement").map(({ path: name }) => `<link rel="modulepreload" href="${path.basename(name)}">`);
    return page.replace("</head>", `${parts.join("\n")}\n<link rel="preload" as="fetch" crossorigin href="examples/index.json">\n</head>`);
}

async function bundle() {
    const common = { bundle: true, minify: true, outdir: folder, legalComments: "linked", logLevel: "warning", target: "es2022" };
    const { metafile } = await esbuild.build({ ...common, entryPoints: [path.join(here, "page/main.js")], format: "esm", splitting: true, chunkNames: "part-[name]-[hash]", metafile: true });
    for (const name of ["ahead.js", "worker.js"])
        await esbuild.build({ ...common, entryPoints: [path.join(here, "page", name)], format: "iife" });
    await esbuild.build({ ...common, entryPoints: [path.join(here, "page/style.css")] });
    await writeFile(path.join(folder, "index.html"), with_preloads(await readFile(path.join(here, "page/index.html"), "utf8"), metafile));
    await cp(module, path.join(folder, "gpucode.wasm"));
}

// The files of an example with all that its sources include.
async function with_includes(from, names) {
    const all = [...names];
    for (const name of all) {
        const text = /\.\w*asm$/.test(name) ? await readFile(path.join(from, name), "latin1") : "";
        for (const [, other] of text.matchAll(/^\s*\.include\s+"([^"]+)"/gm))
            if (!all.includes(other))
                all.push(other);
    }
    return all;
}

function program(place, [command, ...rest]) {
    const args = rest.map((word) => (word.startsWith("examples/") ? path.join(root, word) : word));
    const { status, stdout, stderr } = spawnSync(gpucode, [command, ...args], { cwd: place, maxBuffer: 1 << 26, env: { ...process.env, COLUMNS: "56" } }); // what a card is wide
    if (status > 1) // 1: a finding, such as the hang that a dump is of
        throw new Error(`${command} ${rest.join(" ")}: ${stderr}`);
    return String(stdout);
}

// What a card of the front page shows of its example: made by the program, so that it is true.
async function draw_card(place, { make = [], graph, image, plot, lines, from, count, ...card }) {
    make.forEach((command) => program(place, command));
    if (graph) {
        const { instance } = await import("@viz-js/viz");
        card.picture = "card.svg";
        await writeFile(path.join(place, card.picture), (await instance()).renderString(program(place, graph).replace(/fontname="[^"]*"/g, 'fontname="Courier"').replace(/^  label=<.*>;$/m, ""), { format: "svg" }));
    } else if (lines) {
        card.lines = program(place, lines).split("\n").slice(from, from + count);
    } else {
        card.picture = image ? "card.png" : "card.svg";
        card.fit = plot && "cover"; // its upper part says what it is
        program(place, image ?? plot);
    }
    for (const command of make)
        await rm(path.join(place, command.at(-1)));
    return card;
}

// Examples are the tree's own files, or made of them by the program.
async function write_examples() {
    const examples = JSON.parse(await readFile(path.join(here, "examples.json"), "utf8"));
    for (const example of examples) {
        const place = path.join(folder, "examples", example.id);
        await mkdir(place, { recursive: true });
        (example.make ?? []).forEach((command) => program(place, command));
        if (example.from) {
            const from = path.join(root, example.from), made = await readdir(place);
            example.files = await with_includes(from, example.files);
            for (const name of example.files.filter((one) => !made.includes(one)))
                await cp(path.join(from, name), path.join(place, name));
        }
        if (example.card)
            example.card = await draw_card(place, example.card);
        delete example.make;
        delete example.from;
    }
    await writeFile(path.join(folder, "examples/index.json"), JSON.stringify(examples));
}

async function files_below(place, prefix = "") {
    const names = [];
    for (const entry of await readdir(place, { withFileTypes: true }))
        if (entry.isDirectory())
            names.push(...(await files_below(path.join(place, entry.name), `${prefix}${entry.name}/`)));
        else
            names.push(prefix + entry.name);
    return names.sort();
}

async function write_service_worker() {
    const names = (await files_below(folder)).filter((name) => name !== "sw.js" && !name.endsWith(".LEGAL.txt"));
    const hash = createHash("sha256");
    for (const name of names)
        hash.update(name).update(await readFile(path.join(folder, name)));
    const text = await readFile(path.join(here, "page/sw.js"), "utf8");
    await writeFile(path.join(folder, "sw.js"),
        text.replace("BUILD", hash.digest("hex").slice(0, 16)).replace("FILES", JSON.stringify(["./", ...names])));
}

// Inline scripts are allowed by their hashes, and nothing else.
async function write_single_file() {
    const { outputFiles } = await esbuild.build({ bundle: true, minify: true, entryPoints: [path.join(here, "page/main.js")], format: "iife", outdir: folder,
        legalComments: "inline", logLevel: "warning", target: "es2022", write: false });
    const script = outputFiles[0].text.replaceAll("</script", "<\\/script"), style = await readFile(path.join(folder, "style.css"), "utf8"), packed = {};
    for (const name of ["worker.js", "gpucode.wasm", ...(await files_below(path.join(folder, "examples"), "examples/"))])
        packed[name] = gzipSync(await readFile(path.join(folder, name)), { level: 9 }).toString("base64");
    const hash = createHash("sha256").update(script).digest("base64");
    const page = (await readFile(path.join(here, "page/index.html"), "utf8"))
        .replace("script-src 'self'", `script-src 'sha256-${hash}'`).replace("connect-src 'self' blob:", "connect-src blob:").replace("worker-src 'self'", "worker-src blob:")
        .replace(/<script src="ahead.js"><\/script>\n/, "")
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
        .replace(/<script type="module"[^>]*><\/script>/, () => `<script type="application/json" id="site">${JSON.stringify(packed)}</script>\n<script>${script}</script>`);
    await writeFile(`${folder}.html`, page);
    console.log(`${String(page.length).padStart(9)} bytes ${String(gzipSync(page).length).padStart(8)} compressed  ${path.basename(folder)}.html, all in one file`);
}

async function print_sizes() {
    let total = 0;
    for (const name of await files_below(folder)) {
        const bytes = await readFile(path.join(folder, name)), packed = gzipSync(bytes, { level: 9 }).length;
        total += packed;
        if (packed > 2000)
            console.log(`${String(bytes.length).padStart(9)} bytes ${String(packed).padStart(8)} compressed  ${name}`);
    }
    console.log(`${String(total).padStart(24)} compressed, all files`);
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await bundle();
await write_examples();
await write_service_worker();
await write_single_file();
await print_sizes();
