// SPDX-License-Identifier: MIT
// usage: node bench.mjs, with GPUCODE_WEB (the folder of static files)
// How long a person waits for the page, in Chromium on this machine, and how large its files are: the tables of docs/web.md.
// Times are medians, in milliseconds, taken inside the page from the event to the frame that shows what came of it.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { chromium } from "./browser.mjs";
import { many_packets } from "./recording.mjs";
import { serve } from "./server.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../.."), rounds = 7;
const folder = path.resolve(process.env.GPUCODE_WEB ?? path.join(root, "build/web"));
if (!chromium) {
    console.log("skipped: no Chromium");
    process.exit(0);
}
const server = await serve(folder);
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const ready = (page) => page.waitForFunction(() => document.body.dataset.ready && !document.body.dataset.busy);

// From the start of the navigation to the first frame with a line of the listing.
const listing_seen = () => new Promise((done) => {
    const look = () => (document.querySelector("#view .row .text") ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 2));
    look();
});

// A new visitor, and the same once more, whom the service worker serves.
async function measure_opening() {
    const first = [], again = [], asked = new Set();
    for (let i = 0; i < rounds; i++) {
        const context = await browser.createBrowserContext(), page = await context.newPage();
        let counts = true;
        page.on("request", (request) => counts && asked.add(new URL(request.url()).pathname.slice(1) || "index.html"));
        await page.goto(`${server.url}#example=a6xx-binary`, { waitUntil: "commit" }).catch(() => page.goto(`${server.url}#example=a6xx-binary`));
        first.push(await page.evaluate(listing_seen));
        counts = false;
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.goto("about:blank");
        await page.goto(`${server.url}#example=a6xx-binary`);
        again.push(await page.evaluate(listing_seen));
        await context.close();
    }
    return { first: median(first), again: median(again), asked: [...asked].filter((name) => !name.startsWith("examples/") && name !== "sw.js") };
}

// From a letter that makes a line wrong to the line under it.
async function measure_typing(source) {
    const page = await browser.newPage(), place = path.join(os.tmpdir(), `gpucode-bench-${process.pid}.asm`), times = [];
    await writeFile(place, source);
    await page.goto(server.url);
    await ready(page);
    await (await page.$("#file")).uploadFile(place);
    await ready(page);
    await page.click("#tab-write");
    await ready(page);
    await page.waitForFunction(() => document.querySelector("#status").textContent.startsWith("assembled"), { timeout: 60_000 });
    for (let i = 0; i < rounds; i++) {
        await new Promise((done) => setTimeout(done, 600)); // nothing is under way any more
        times.push(await page.evaluate(() => new Promise((done) => {
            const { view } = window.gpucode_page.views.write, began = performance.now(), at = view.state.doc.line(5).from;
            const look = () => (document.querySelector(".cm-lintRange-error") ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1));
            view.dispatch({ changes: { from: at, insert: "x" } });
            look();
        })));
        await page.evaluate(() => {
            const { view } = window.gpucode_page.views.write, at = view.state.doc.line(5).from;
            view.dispatch({ changes: { from: at, to: at + 1 } });
        });
        await page.waitForFunction(() => !document.querySelector(".cm-lintRange-error"));
    }
    await page.close();
    return median(times);
}

async function measure_steps() {
    const page = await browser.newPage();
    await page.goto(`${server.url}#example=a6xx-binary&view=run`);
    await page.waitForSelector(".row.present");
    const times = [];
    for (let i = 0; i < 3 * rounds; i++)
        times.push(await page.evaluate(() => new Promise((done) => {
            const { runner } = window.gpucode_page, began = performance.now(), before = runner.present;
            const look = () => (runner.present !== before ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1));
            runner.move("stepIn");
            look();
        })));
    await page.close();
    return median(times);
}

async function measure_picture() {
    const page = await browser.newPage(), times = [];
    await page.goto(`${server.url}#example=planet&view=picture`);
    await ready(page);
    for (let i = 0; i < rounds; i++) {
        await new Promise((done) => setTimeout(done, 600));
        times.push(await page.evaluate((value) => new Promise((done) => {
            const shader = window.gpucode_page.views.picture, began = performance.now(), before = shader.image;
            const look = () => (shader.image !== before ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1));
            const slider = document.querySelector(".sliders [type=range]");
            slider.value = value;
            slider.dispatchEvent(new Event("input"));
            look();
        }), i / 10));
    }
    await page.close();
    return median(times);
}

// A stream of 100,000 packets: from asking for its time line to the first frame, then frames while one zooms.
async function measure_strip() {
    const page = await browser.newPage(), place = path.join(os.tmpdir(), `gpucode-bench-${process.pid}.rd`);
    await writeFile(place, many_packets(100_000));
    await page.goto(server.url);
    await ready(page);
    await (await page.$("#file")).uploadFile(place);
    await ready(page);
    await page.waitForFunction(() => window.gpucode_page.records.strip?.frame_ms !== undefined);
    const { first, frames } = await page.evaluate(async (count) => {
        const { records } = window.gpucode_page, { strip } = records, found = { first: [], frames: [] };
        for (let i = 0; i < count; i++) {
            const began = performance.now();
            strip.frame_ms = undefined;
            await records.load_strip();
            while (strip.frame_ms === undefined)
                await new Promise(requestAnimationFrame);
            found.first.push(performance.now() - began);
        }
        for (let i = 0; i < 60; i++) {
            strip.zoom(i < 40 ? 1.25 : 0.5, strip.total * 0.37);
            strip.draw();
            found.frames.push(strip.frame_ms);
        }
        return found;
    }, rounds);
    await page.close();
    return { first: median(first), frame: median(frames), worst: Math.max(...frames) };
}

const line = (...cells) => console.log(`| ${cells.join(" | ")} |`);
const kilobytes = (count) => `${(count / 1000).toFixed(0)} kB`;

async function print_sizes(asked) {
    let all = 0, packed = 0, best = 0;
    line("file", "size", "gzip", "brotli");
    line("---", "---:", "---:", "---:");
    for (const name of asked.sort()) {
        const bytes = await readFile(path.join(folder, name)), small = gzipSync(bytes, { level: 9 }).length, smallest = brotliCompressSync(bytes).length;
        all += bytes.length;
        packed += small;
        best += smallest;
        line(`\`${name}\``, kilobytes(bytes.length), kilobytes(small), kilobytes(smallest));
    }
    line("first view", kilobytes(all), kilobytes(packed), kilobytes(best));
}

const opening = await measure_opening(), strip = await measure_strip();
const lines = ["[016ee001]", "[01000000]", ...Array.from({ length: 30_000 }, (_, i) => (i % 12 ? `    add $0${1 + (i % 9)}, $0${1 + (i % 7)}, 0x${(i & 0xfff).toString(16)}` : `l${i}: mov $02, 0x${(i & 0xff).toString(16)}`))];
const rows = [
    ["from opening to the first listing, first visit", opening.first],
    ["the same, later visits, without a network as well", opening.again],
    ["from a key stroke to its diagnostics, 800 lines", await measure_typing(`${lines.slice(0, 802).join("\n")}\n`)],
    ["the same, 30,000 lines", await measure_typing(`${lines.join("\n")}\n`)],
    ["from a step to its redraw", await measure_steps()],
    ["from a slider to a shader's picture, 256 × 256", await measure_picture()],
    ["from asking for the time line of 100,000 packets to its first frame", strip.first],
    ["a frame of it", strip.frame],
    ["the worst of 60 frames", strip.worst],
];
const version = spawnSync(chromium, ["--version"], { encoding: "utf8" }).stdout.match(/\d+/)[0];
line(`Chromium ${version}`, "ms");
line("---", "---:");
for (const [what, ms] of rows)
    line(what, ms.toFixed(ms < 10 ? 1 : 0));
console.log();
await print_sizes(opening.asked);
await browser.close();
await server.close();
