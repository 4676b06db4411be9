// SPDX-License-Identifier: MIT
// usage: node --test page.mjs, with GPUCODE_WEB (the folder of static files) and, for pictures, GPUCODE_SCREENSHOTS
// The page in a real browser: each thing it is for, once, with what a person would see of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { serve } from "./server.mjs";

const here = path.dirname(fileURLToPath(import.meta.url)), root = path.resolve(here, "../..");
const folder = path.resolve(process.env.GPUCODE_WEB ?? path.join(root, "build/web"));
const pictures = process.env.GPUCODE_SCREENSHOTS;
const traces = path.resolve(process.env.GPUCODE_VECTORS ?? path.join(root, "../shared/vectors"), "../traces");
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);
const skip = chromium ? false : "no Chromium";
const patience = 60_000;
let server, browser, page, strange;

before(async () => {
    if (!chromium)
        return;
    server = await serve(folder);
    browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
});

after(async () => {
    await browser?.close();
    await server?.close();
});

// A page of its own for each test; anything wrong on it, or asked of another host, fails the test.
async function fresh(hash = "", setting = {}) {
    await page?.close();
    page = await browser.newPage();
    strange = [];
    page.on("pageerror", (error) => strange.push(error.message));
    page.on("request", (request) => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url))
            strange.push(`asked for ${request.url()}`);
    });
    await page.setViewport({ width: 1400, height: 900, ...setting });
    await page.goto(`${server.url}${hash}`);
    await ready();
}

const ready = () => page.waitForFunction(() => document.body.dataset.ready && !document.body.dataset.busy, { timeout: patience });
const text_of = (selector) => page.$eval(selector, (element) => element.textContent);
const see = (selector, wanted) => page.waitForFunction((one, text) => [...document.querySelectorAll(one)].some((element) => element.textContent.includes(text)),
    { timeout: patience }, selector, wanted).catch(async () => assert.fail(`“${wanted}” is not in ${selector}: ${(await page.$$eval(selector, (all) => all.map((one) => one.textContent).join("\n"))).slice(0, 2000)}`));
const button = async (name) => {
    const found = await page.$$(`xpath/.//*[@id="view"]//button[normalize-space()="${name}"]`);
    assert.ok(found.length, `no button “${name}”`);
    await found[0].click();
};

async function shot(name) {
    if (!pictures)
        return;
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

function finished() {
    assert.deepEqual(strange, []);
}

// The lists of examples and targets are filled while the page is used already.
async function choose(list, name) {
    await page.waitForSelector(`${list} option[value="${name}"]`, { timeout: patience });
    await page.select(list, name);
}

async function drop(...files) {
    const input = await page.$("#file");
    await input.uploadFile(...files);
    await ready();
}

async function made(name, bytes) {
    const place = path.join(os.tmpdir(), `gpucode-page-${process.pid}-${name}`);
    await writeFile(place, bytes);
    return place;
}

test("a firmware is read: listing, packets, an instruction's bits and its manual", { skip }, async () => {
    await fresh("#example=a6xx-binary");
    await see(".row", "CP_ME_INIT");
    await see(".outline", "CP_MEM_WRITE");
    await page.$$eval(".outline .link", (links) => links.find((link) => link.textContent === "CP_MEM_WRITE").click());
    await see(".row[aria-selected=true]", "mov $02, $data");
    await see(".details caption", "mov $dst");
    const edges = await page.$$eval(".sheet th", (all) => all.map((one) => one.textContent));
    assert.equal(edges[0], "31…27");
    await button("Manual");
    await see(".manual", "Copies a register");
    await button("Who uses this place?");
    await shot("read");
    finished();
});

test("searching, following and a link that restores the view", { skip }, async () => {
    await fresh("#example=a6xx-binary");
    await page.focus("[role=listbox]");
    await page.keyboard.press("/");
    await page.keyboard.type("waitin");
    await page.keyboard.press("Enter");
    await see(".row[aria-selected=true]", "waitin");
    const hash = await page.evaluate(() => location.hash);
    assert.match(hash, /^#example=a6xx-binary&view=read&at=SQE:1e$/);
    await fresh(hash);
    await see(".row[aria-selected=true]", "waitin");
    finished();
});

test("a source with includes is opened, edited and assembled", { skip }, async () => {
    const firmware = path.join(root, "examples/firmware");
    const names = (await readFile(path.join(firmware, "a6xx.asm"), "utf8")).match(/(?<=include ")[^"]+/g);
    await fresh();
    await drop(...["a6xx.asm", ...names].map((name) => path.join(firmware, name)));
    await see(".row", "boot:");
    await page.click("#tab-write");
    await see("#status", "assembled: 3432 bytes");
    await see(".bytes", "000000");
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.type("\nmovv $02, 0x1");
    await see("#status", "1 error");
    await page.waitForSelector(".cm-lintRange-error", { timeout: patience });
    await shot("write");
    await page.keyboard.press("Escape");
    await page.keyboard.down("Shift");
    await page.keyboard.press("Home");
    await page.keyboard.up("Shift");
    await page.keyboard.type("mov $02, @PREEMPT_TR");
    await see(".cm-tooltip-autocomplete", "@PREEMPT_TRIGGER");
    await new Promise((done) => setTimeout(done, 300)); // a list that has just come takes no key
    await page.keyboard.press("Enter");
    await see("#status", "assembled: 3436 bytes");
    finished();
});

test("hovering tells, renaming changes all places", { skip }, async () => {
    await fresh("#example=reclock&view=write");
    await page.waitForFunction(() => document.querySelector(".cm-content")?.textContent.includes("REFCTRL") || document.querySelector(".cm-content")?.textContent.includes("set1"), { timeout: patience });
    await see("#status", "assembled");
    const place = await page.evaluate(() => {
        const text = [...document.querySelectorAll(".cm-line")].find((line) => line.textContent.startsWith("set1"));
        const box = text.getBoundingClientRect();
        return { x: box.left + 12, y: box.top + box.height / 2 };
    });
    await page.mouse.move(place.x, place.y, { steps: 4 });
    await see(".cm-tooltip", "set1");
    await shot("hover");
    finished();
});

test("code is stepped forwards and backwards, with what changed", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    for (let i = 0; i < 3; i++) {
        const before = await text_of(".row.present");
        await button("Step");
        await page.waitForFunction((old) => document.querySelector(".row.present")?.textContent !== old, { timeout: patience }, before);
    }
    await see(".registers .changed", "$02");
    await see(".registers .changed", "0x00000830");
    await shot("run");
    await button("Step back");
    await page.waitForFunction(() => !document.querySelector(".registers")?.textContent.includes("0x00000830"), { timeout: patience });
    await page.type(".command", "print 6*7");
    await page.keyboard.press("Enter");
    await see(".console", "42");
    await button("Continue");
    await see(".memory", "0000cafe");
    finished();
});

test("a breakpoint stops", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run&at=SQE:7c");
    await page.waitForSelector(".row.present");
    await page.focus("[role=listbox]");
    const runs = await page.evaluate(() => {
        const { listing, lines } = window.gpucode_page.runner;
        listing.choose(lines.find("SQE", 0x7c), { tell: false });
        return listing.chosen;
    });
    assert.equal(runs, 0x7c);
    await page.keyboard.press("b");
    await see(".row", "●");
    await button("Continue");
    await page.waitForFunction(() => document.querySelector(".row.present")?.textContent.includes("007c"), { timeout: patience });
    finished();
});

test("a shader draws, and again when a value changes; a pixel is stepped", { skip }, async () => {
    await fresh("#example=planet&view=picture");
    const sum = () => page.$eval("canvas", (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((all, one) => all + one, 0));
    await see(".shader p", "256 × 256");
    const first = await sum();
    assert.ok(first > 1_000_000);
    await page.$eval(".sliders input", (input) => {
        input.value = 0;
        input.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction((old) => {
        const canvas = document.querySelector("canvas");
        return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((all, one) => all + one, 0) !== old;
    }, { timeout: patience }, first);
    await shot("picture");
    await page.click("canvas");
    await page.waitForSelector(".row.present", { timeout: patience });
    finished();
});

test("a script's time line is a picture with words", { skip }, async () => {
    await fresh("#example=reclock&view=see");
    await page.waitForSelector(".picture svg", { timeout: patience });
    await see(".picture title", "memory paused");
    await shot("time-line");
    finished();
});

test("graphs and coverage", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=see");
    await page.waitForSelector(".picture svg", { timeout: patience });
    await see(".picture svg text", "CP_ME_INIT");
    await page.type("[aria-label=routine]", "CP_MEM_WRITE");
    await button("Flow of");
    await see(".picture svg text", "waitin");
    await shot("flow");
    await button("Coverage");
    await see(".coverage th", "CP_MEM_WRITE");
    finished();
});

test("two versions are compared", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=see");
    const edited = Buffer.from(await readFile(path.join(folder, "examples/a6xx-binary/a6xx.fw")));
    edited.writeUInt32LE(0x88020005, 4 + 0x1a * 4);
    await (await page.$(".seer [type=file]")).uploadFile(await made("edited.fw", edited));
    await see(".picture", "CP_ME_INIT");
    finished();
});

test("a crash dump tells its verdict", { skip }, async () => {
    await fresh("#example=crash");
    await see(".verdict", "CP_WAIT_REG_MEM");
    await see(".row", "A630");
    await shot("crash");
    finished();
});

test("a recorded stream shows its draws", { skip: skip || !(await stat(traces).catch(() => null)) && "no recorded streams" }, async () => {
    await fresh();
    await drop(path.join(traces, "shadow.rd.gz"));
    await see(".row", "draw");
    await button("Packets");
    await see("#status", "lines");
    finished();
});

test("a broken file is refused in words, and the page goes on", { skip }, async () => {
    await fresh();
    await drop(await made("broken.bin", Buffer.from([0xff, 0xfe, 0, 1, 2, 3, 4, 5, 6])));
    await see("#status", "broken.bin");
    assert.equal(await page.$eval("#status", (element) => element.dataset.kind), "error");
    await choose("#examples", "reclock");
    await see(".row", "set1");
    finished();
});

test("a file of 30 MB is read", { skip }, async () => {
    await fresh();
    await choose("#target", "afuc:a6xx");
    const words = new Uint32Array((30 << 20) / 4).map((_, i) => 0x88020000 | (i & 0xffff));
    await drop(await made("large.fw", Buffer.from(words.buffer)));
    await see(".row", "mov $02");
    await see("#status", "shown");
    finished();
});

test("the keyboard alone reaches everything", { skip }, async () => {
    await fresh("#example=a6xx-binary");
    await page.keyboard.down("Alt");
    await page.keyboard.press("3");
    await page.keyboard.up("Alt");
    await ready();
    assert.equal(await page.$eval("#tab-run", (tab) => tab.getAttribute("aria-selected")), "true");
    await page.waitForSelector(".row.present");
    await page.focus("#tab-run");
    await page.keyboard.press("ArrowLeft");
    await ready();
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-write");
    await page.keyboard.press("ArrowLeft");
    await ready();
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement.getAttribute("role") ?? document.activeElement.tagName));
    }
    assert.ok(reached.has("listbox") && reached.has("BUTTON") && reached.has("INPUT"), [...reached].join(" "));
    finished();
});

test("without a network, behind the first visit", { skip }, async () => {
    await fresh();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length > 0 && (await (await caches.open((await caches.keys())[0])).keys()).length > 10, { timeout: patience });
    const own = await serve(folder); // the port of the closed one is not taken again
    await server.close();
    await page.goto(`${server.url}#example=planet&view=picture`);
    await page.reload();
    await ready();
    await see(".shader p", "256 × 256");
    await page.close();
    page = null;
    server = own;
});

test("readable on a phone and in the dark", { skip }, async () => {
    await fresh("#example=a6xx-binary", { width: 400, height: 800 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 400, `${wide} pixels wide`);
    const box = await (await page.$("[role=listbox]")).boundingBox();
    assert.ok(box.width > 300 && box.height > 150, JSON.stringify(box));
    await shot("phone");
    finished();
});

test("labels, roles and contrast by axe", { skip }, async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const [example, view] of [["a6xx-binary", "read"], ["a6xx-binary", "run"], ["planet", "picture"], ["reclock", "see"], ["crash", "read"]]) {
        await fresh(`#example=${example}&view=${view}`);
        await page.evaluate(axe);
        const found = await page.evaluate(async () => (await window.axe.run()).violations
            .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" ")}`));
        assert.deepEqual(found, [], `${example} ${view}`);
    }
});
