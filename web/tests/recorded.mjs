// SPDX-License-Identifier: MIT
// usage: node --test recorded.mjs, as page.mjs
// Shaders of recorded draws in the page: from a moment of a stream or a crash dump to a step in the shader, and back.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { address, button, choose, drop, finished, fresh, gpucode, made, page, patience, ready, see, shot, skip } from "./drive.mjs";
import { drawn } from "./recording.mjs";

const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
const there = () => until(() => window.gpucode_page.records.strip.rows.length > 0 && window.gpucode_page.records.strip.frame_ms !== undefined);
const hash = () => page.evaluate(() => location.hash);
const register = (name, value) => until((one, wanted) => [...document.querySelectorAll(".registers .name")].some((element) => element.textContent === one && element.nextSibling.textContent.includes(wanted)), name, value);
const notes = (wanted) => see(".given-notes li", wanted);

// What runs has begun with the inputs that were given last.
const begun = () => until(() => window.gpucode_page.runner.seen.position === 0);

// Where the middle of a draw is on the screen.
const place_of = (draw) => page.evaluate((wanted) => {
    const { strip } = window.gpucode_page.records, index = strip.rows.findIndex(({ lane }) => lane === "draws"), event = strip.rows[index].events[wanted];
    const box = strip.place.getBoundingClientRect(), scale = (box.width - strip.left) / (strip.to - strip.from);
    return { x: box.left + strip.left + ((event.start + event.end) / 2 - strip.from) * scale, y: box.top + 20 + 20 * index + 10 };
}, draw);

async function click_draw(draw) {
    await there();
    const { x, y } = await place_of(draw);
    await page.mouse.click(x, y);
}

async function recorded(name, options = {}) {
    const text = await made(`${name}.rdasm`, drawn(options)), stream = await made(`${name}.rd`, "");
    const { status, stderr } = spawnSync(gpucode, ["encode", text, "-o", stream], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stream;
}

test("two clicks from a stream to its draw's shader, which has the recorded constants, textures and memory", { skip }, async () => {
    await fresh();
    await drop(await recorded("drawn"));
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    await button("Run the fragment shader");
    await see(".row", "sam (f32)(xyzw)r2.x");
    await see(".row.present", "cov.u32f32 r1.x, r0.x");
    await register("c0.x", "0.03125");
    await notes("the pixel 0,0 in r0.x");
    await page.type("[aria-label=Pixel]", "3,2\n");
    await register("r0.x", "0x00000038"); // 16 * 3 + 8
    await until(() => document.querySelector("[aria-label=thread]").value === "2"); // the pixel's fiber of the quad
    await button("Continue");
    await register("r2.y", "0x3f800000"); // green
    await shot("recorded");
    await button("Step back");
    await see(".row.present", "end"); // backwards too
    finished();
});

test("a pixel that is no pixel, and varyings, are asked for and said", { skip }, async () => {
    await fresh();
    await drop(await recorded("varied", { varying: true }));
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    await button("Run the fragment shader");
    await notes("the middle of the triangle in r0.x");
    await page.evaluate(() => document.querySelector(".given summary").click());
    await page.type("[aria-label='varying 0']", "0.25\n");
    await begun();
    await button("Continue");
    await register("r2.x", "0.25");
    await page.type("[aria-label=Pixel]", "3\n");
    await see(".console", "X,Y");
    finished();
});

test("the picture of a draw: what the shader makes of the viewport; a click steps that pixel", { skip }, async () => {
    await fresh();
    await drop(await recorded("picture"));
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    await button("Run the fragment shader");
    await see(".row.present", "cov.u32f32 r1.x, r0.x");
    await button("Draw picture");
    await page.waitForSelector(".runner .strip-picture:not([hidden])", { timeout: patience });
    await ready();
    await notes("the picture is of a rectangle in place of the draw's triangles");
    assert.deepEqual(await page.evaluate(() => [...window.gpucode_page.runner.document.picture.data.slice(0, 8)]), [0, 0, 255, 255, 0, 255, 0, 255]); // blue, green
    const box = await (await page.$(".runner .strip-picture")).boundingBox(), side = box.width / 96;
    await page.mouse.click(box.x + 5.5 * side, box.y + 2.5 * side);
    await see(".of-picture", "of 96x96");
    await until(() => document.querySelector("[aria-label=Pixel]").value === "5,2");
    await register("r0.x", "0x00000058"); // 16 * 5 + 8
    await button("Continue");
    await register("r2.y", "0x3f800000");
    await shot("recorded-picture");
    await page.evaluate(() => document.querySelector("[aria-label=Pixel]").select());
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter"); // without a pixel it is one of the target again
    await notes("the pixel 0,0 in r0.x");
    await page.waitForSelector(".runner .strip-picture", { hidden: true, timeout: patience });
    finished();
});

test("a chosen draw shows what its shader draws, and a click steps that pixel; what may take long is asked for", { skip }, async () => {
    const colour = () => page.evaluate(() => [...document.querySelector(".draw-picture").getContext("2d").getImageData(1, 0, 1, 1).data]);
    await fresh("#example=frame");
    await click_draw(0);
    await page.waitForSelector(".draw-figure:not([hidden])", { timeout: patience });
    assert.deepEqual(await colour(), [26, 26, 77, 255]); // 0.1, 0.1, 0.3
    await see(".draw-figure figcaption", "the picture is of a rectangle, the viewport, in place of the draw's triangles");
    await click_draw(1);
    await until(() => document.querySelector(".draw-figure:not([hidden]) canvas")?.getAttribute("aria-label").includes("of draw 1 "));
    assert.deepEqual(await colour(), [191, 96, 0, 255]);
    const box = await (await page.$(".draw-picture")).boundingBox();
    await page.mouse.click(box.x + (box.width * 30.5) / 48, box.y + (box.height * 7.5) / 48);
    await see(".row.present", "mul.f r0.x, c0.x, c1.x");
    await until(() => document.querySelector("[aria-label=Pixel]").value === "30,7");
    await until(() => document.querySelector("[aria-label=thread]").value === "3"); // of an even column and an odd row
    await fresh();
    await drop(await recorded("long", { branches: true }));
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    assert.equal(await page.$(".draw-figure:not([hidden])"), null);
    await button("Draw picture");
    await page.waitForSelector(".draw-figure:not([hidden])", { timeout: patience });
    assert.deepEqual(await colour(), [0, 255, 0, 255]);
    await shot("recorded-draw");
    finished();
});

test("Back, Forward and the address: the draw, its stage, and the recording again", { skip }, async () => {
    await fresh("#example=frame");
    await click_draw(1);
    await see(".details button", "Run the vertex shader");
    await button("Run the vertex shader");
    await see(".row.present", "mov.f32f32 r1.x, c0.x");
    await register("c0.x", "-0.25");
    assert.equal(await hash(), "#example=frame&view=run&draw=1&stage=vs");
    await choose("[aria-label=stage]", "fs");
    await see(".row.present", "mul.f r0.x, c0.x, c1.x");
    const link = await hash();
    assert.equal(link, "#example=frame&view=run&draw=1&stage=fs");
    await page.goBack();
    await see(".row.present", "mov.f32f32 r1.x, c0.x");
    await page.goBack();
    await there();
    await see(".row[aria-selected=true]", "draw 1:");
    await page.goForward();
    await see(".row.present", "mov.f32f32 r1.x, c0.x");
    await ready();
    await fresh(link); // by itself
    await see(".row.present", "mul.f r0.x, c0.x, c1.x");
    await register("c1.x", "0.75");
    await button("draw 1");
    await see(".row[aria-selected=true]", "draw 1:");
    await fresh("#example=frame&view=run&draw=0&stage=fs");
    await register("c0.x", "0.1");
    await fresh("#example=frame&view=run&draw=7&stage=fs"); // what is not there is said, and the recording is shown
    await see("#status", "Draw 7 of frame.rd has no fragment shader");
    await there();
    assert.ok((await page.evaluate(() => location.href)).startsWith(address()));
    finished();
});

test("a draw with its picture and its shader by axe, in the light and in the dark", { skip }, async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const [hash, wait] of [["#example=frame&view=read&at=draws:1", ".draw-figure:not([hidden])"], ["#example=frame&view=run&draw=1&stage=vs", ".row.present"]])
        for (const scheme of ["light", "dark"]) {
            await fresh(hash);
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            await page.waitForSelector(wait, { timeout: patience });
            await ready();
            await page.evaluate(axe);
            const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" ")}`));
            assert.deepEqual(found, [], `${hash} ${scheme}`);
        }
});

test("breakpoints of a shader are kept with the recording, each shader's own", { skip }, async () => {
    await fresh();
    await drop(await recorded("kept"));
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    await button("Run the fragment shader");
    await see(".row.present", "cov.u32f32 r1.x, r0.x");
    await ready();
    await page.evaluate(() => window.gpucode_page.runner.listing.choose(3));
    await button("Breakpoint");
    await button("Continue");
    await see(".row.present", "mul.f r1.x");
    await page.reload();
    await ready();
    await see(".row.present", "cov.u32f32 r1.x, r0.x");
    await ready();
    await button("Continue");
    await see(".row.present", "mul.f r1.x");
    finished();
});

test("the shader of the draw that a crash dump hangs in", { skip }, async () => {
    const stream = await recorded("hang", { hangs: true }), dump = await made("hang.devcore", "");
    const firmware = new URL("../../examples/firmware/a6xx.asm", import.meta.url).pathname;
    assert.equal(spawnSync(gpucode, ["replay", stream, "--firmware", firmware, "--crash", dump]).status, 1);
    await fresh();
    await drop(dump);
    await click_draw(0);
    await see(".details button", "Run the fragment shader");
    await button("Run the fragment shader");
    await see(".row.present", "cov.u32f32 r1.x, r0.x");
    await register("c0.x", "0.03125");
    finished();
});
