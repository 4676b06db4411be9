// SPDX-License-Identifier: MIT
// usage: node --test tasks.mjs, as page.mjs
// What a stranger comes for, eleven tasks, each from the front page and within three clicks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, fresh, page, patience, ready, see, shot, skip, text_of } from "./drive.mjs";

const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
let clicks;

async function click(selector, text = "") {
    clicks++;
    await page.waitForSelector(selector, { visible: true, timeout: patience });
    const found = text ? (await page.$$(`xpath/.//*[@id="view"]//button[normalize-space()="${text}"]`))[0] : await page.$(selector);
    assert.ok(found, `no button “${text}”`);
    await found.click();
    await ready();
}

const card = (title) => click(`#cards [data-card="${title}"]`);

function task(name, work) {
    test(`a stranger's task: ${name}`, { skip }, async () => {
        await fresh();
        await until(() => document.querySelectorAll("#cards .card").length === 6);
        await page.evaluate(() => document.querySelectorAll("#cards .card").forEach((one) => { one.dataset.card = one.querySelector("strong").textContent; }));
        clicks = 0;
        await work();
        assert.ok(clicks <= 3, `${clicks} clicks`);
        finished();
    });
}

const strip_there = () => until(() => window.gpucode_page.records.strip.rows.length > 0);

task("why did the GPU hang?", async () => {
    await card("A hang explained");
    assert.match(await text_of(".verdict"), /\w{4}/);
});

task("which packet was in hand, and what are its fields?", async () => {
    await card("A hang explained");
    await strip_there();
    await click("[aria-label='find an event']");
    await page.keyboard.type("in hand");
    await page.keyboard.press("Enter");
    await see(".details th", "POLL_ADDR");
});

task("a step back in time", async () => {
    await card("A firmware");
    await click("#tab-run");
    await page.waitForSelector(".row.present", { timeout: patience });
    const at = () => page.evaluate(() => window.gpucode_page.runner.present);
    const began = await at();
    await page.keyboard.press("F11");
    await until((before) => window.gpucode_page.runner.present !== before, began);
    await click("#view button", "Step back");
    await until((before) => window.gpucode_page.runner.present === before, began);
});

task("a link with everything in it", async () => {
    await card("A shader’s picture");
    await click("#link");
    assert.match(await page.$eval("[aria-label=link]", (box) => box.value), /#code=/);
});

task("what a draw changed", async () => {
    await card("A stream");
    await strip_there();
    await page.focus(".strip-canvas");
    await page.keyboard.press("End");
    await see(".details caption", "registers changed since the draw before");
    await shot("task-draw");
});

task("a step in the shader of a recorded draw", async () => {
    await card("A stream");
    await strip_there();
    await page.focus(".strip-canvas");
    await page.keyboard.press("End");
    await click(".details .shaders button");
    await see(".row.present", "mul.f r0.x, c0.x, c1.x");
    await shot("task-recorded");
});

task("what a shader draws, and a step through one pixel", async () => {
    await card("A shader’s picture");
    await see(".shader p", "a click on the picture steps that pixel");
    await click(".beside canvas");
    await page.waitForSelector(".row.present", { timeout: patience });
});

task("who calls what in a firmware", async () => {
    await card("A firmware");
    await click("#tab-see");
    await page.waitForSelector(".picture svg .node", { timeout: patience });
});

task("what an instruction means", async () => {
    await card("A firmware");
    await click(".row:nth-child(4)");
    await see(".details caption", "$");
});

task("when a script writes what", async () => {
    await card("A sequencer’s time line");
    await page.waitForSelector(".runner .strip-canvas", { visible: true, timeout: patience });
    await page.focus(".strip-canvas");
    await page.keyboard.press("End");
    await see(".strip-words", "µs");
});

task("a change to a macro, assembled while one types", async () => {
    await card("A macro");
    await see("#status", "assembled");
    await page.focus(".cm-content");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await see("#status", "assembled");
    await until(() => document.getElementById("kept").textContent.startsWith("kept"));
});
