// SPDX-License-Identifier: MIT
// The browser as a test drives it: a page of its own for each test, and what a person would see and do there.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { chromium } from "./browser.mjs";
import { serve } from "./server.mjs";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const folder = path.resolve(process.env.GPUCODE_WEB ?? path.join(root, "build/web"));
export const gpucode = path.resolve(process.env.GPUCODE ?? path.join(root, "build/gpucode"));
export const traces = path.resolve(process.env.GPUCODE_VECTORS ?? path.join(root, "../shared/vectors"), "../traces");
export const skip = chromium ? false : "no Chromium";
export const patience = Number(process.env.GPUCODE_PATIENCE ?? 60_000); // ms, for what a person waits for
const pictures = process.env.GPUCODE_SCREENSHOTS;
export let page;
let server, browser, strange;

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

// A page of its own, in a profile of its own unless `same`: what is kept there nobody else finds. Anything wrong on it, or asked of
// another host, fails the test.
export async function blank({ same = false, begin = null, ...setting } = {}) {
    const context = same ? page.browserContext() : await browser.createBrowserContext(), before = page;
    const next = await context.newPage();
    page = next;
    if (same)
        await before.close();
    else
        await before?.browserContext().close();
    strange = [];
    page.on("pageerror", (error) => strange.push(error.message));
    page.on("request", (request) => {
        if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url) && !(request.isNavigationRequest() && request.url().startsWith("file:")))
            strange.push(`asked for ${request.url()}`);
    });
    await page.setViewport({ width: 1400, height: 900, ...setting });
    if (begin)
        await page.evaluateOnNewDocument(begin);
}

export async function fresh(hash = "", setting = {}) {
    await blank(setting);
    await page.goto(`${server.url}${hash}`);
    await ready();
}

export const address = () => server.url;

// Waited for before the server answers with a file, given its name; null: nothing.
export const before_answers = (work) => (server.before = work);

// What is done while the page's server is away.
export async function without_server(work) {
    const own = await serve(folder), { url } = server; // the port of the closed one is not taken again
    await server.close();
    await work(url);
    server = own;
}

export const ready = () => page.waitForFunction(() => document.body.dataset.ready && !document.body.dataset.busy, { timeout: patience });
export const text_of = (selector) => page.$eval(selector, (element) => element.textContent);
export const see = (selector, wanted) => page.waitForFunction((one, text) => [...document.querySelectorAll(one)].some((element) => element.textContent.includes(text)),
    { timeout: patience }, selector, wanted).catch(async () => assert.fail(`“${wanted}” is not in ${selector}: ${(await page.$$eval(selector, (all) => all.map((one) => one.textContent).join("\n"))).slice(0, 2000)}`));
export const button = async (name, within = "view") => {
    const found = await page.$$(`xpath/.//*[@id="${within}"]//button[normalize-space()="${name}"]`);
    assert.ok(found.length, `no button “${name}”`);
    await found[0].click();
};

export async function shot(name) {
    if (!pictures)
        return;
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

export function finished() {
    assert.deepEqual(strange, []);
}

// The lists of examples and targets are filled while the page is used already.
export async function choose(list, name) {
    await page.waitForSelector(`${list} option[value="${name}"]`, { timeout: patience });
    await page.select(list, name);
}

export async function drop(...files) {
    const input = await page.$("#file");
    await input.uploadFile(...files);
    await ready();
}

export async function made(name, bytes) {
    const place = path.join(os.tmpdir(), `gpucode-page-${process.pid}-${name}`);
    await writeFile(place, bytes);
    return place;
}
