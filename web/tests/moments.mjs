// SPDX-License-Identifier: MIT
// usage: node --test moments.mjs, as page.mjs
// The time line of what Run runs: scripts, shaders and firmware, each with its own lanes; a moment is gone to, either way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { button, finished, fresh, page, patience, ready, see, shot, skip } from "./drive.mjs";

const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
const lanes = () => page.evaluate(() => [...new Set(window.gpucode_page.runner.line.strip.rows.map(({ lane }) => lane))]);
const there = () => page.waitForSelector(".runner .strip:not([hidden]) .strip-canvas canvas", { visible: true, timeout: patience });
const said = (wanted) => see(".runner .strip-words", wanted);
const register = (name, value) => until((one, wanted) => [...document.querySelectorAll(".registers .name")].some((element) => element.textContent === one && element.nextSibling.textContent.includes(wanted)), name, value);
const choose = (id) => page.evaluate((wanted) => window.gpucode_page.runner.line.strip.go_to(wanted), id);
// The place of a time on the scale, or in a lane.
const place_of = (time, lane = null) => page.evaluate((at, name) => {
    const { strip } = window.gpucode_page.runner.line, box = strip.place.getBoundingClientRect(), row = strip.rows.findIndex((one) => one.lane === name);
    return { x: box.left + strip.left + ((at - strip.from) / (strip.to - strip.from)) * (box.width - strip.left), y: box.top + 10 + 20 * (row + 1) };
}, time, lane);

test("a script is scrubbed: by keys, and by dragging over the scale, forwards and backwards", { skip }, async () => {
    await fresh("#example=reclock&view=run");
    await there();
    assert.deepEqual(await lanes(), ["memory paused", "flags", "waits", "events", "writes", "end"]);
    await see(".strip .tools", "clocks of 32 ns");
    await page.focus(".strip-canvas");
    await choose("end:0");
    await see(".registers .changed", "FB_PAUSE");
    for (let i = 0; i < 20; i++)
        await page.keyboard.press(","); // all events, of whichever lane
    await see(".row.present", "ewait #HEAD0_VBLANK 0x0");
    await choose("writes:3");
    await said("write 004008 <= 00000200");
    await said("at 2.048 µs");
    await see(".row.present", "addr 0x4008");
    await see(".registers .changed", "0x00000200"); // DATA, which the write is about to use
    // each key counts from where the last one went, however late the answers of those before come
    await page.evaluate(() => {
        const { session } = window.gpucode_page.runner, take = session.take;
        session.take = (message) => setTimeout(() => take.call(session, message), 100);
    });
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++) {
        await new Promise((done) => setTimeout(done, 60));
        await page.keyboard.press("ArrowRight");
    }
    await said("write 004008 <= 00000200");
    await see(".row.present", "addr 0x4008");
    await page.evaluate(() => delete window.gpucode_page.runner.session.take);
    await button("Step");
    await said("wait 32 us, waits:1"); // the time line goes along
    await page.evaluate(() => window.gpucode_page.runner.line.strip.choose(window.gpucode_page.runner.line.events.find(({ lane }) => lane === "waits")));
    const [from, to, back] = [await place_of(20), await place_of(1120), await place_of(500)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await said("waits:2");
    await see(".row.present", "wait 0x2");
    await page.mouse.move(back.x, back.y, { steps: 5 });
    await page.mouse.up();
    await said("waits:1");
    await see(".row.present", "wait 0x2 shl 0x4");
    await shot("scrub");
    finished();
});

test("a shader's strip: a lane for each fiber and for waits; a moment shows registers and the source's line", { skip }, async () => {
    await fresh("#example=planet&view=picture");
    await until(() => window.gpucode_page.views.picture?.image);
    await page.type("[aria-label='pixel to step']", "100,60");
    await button("Step pixel");
    await there();
    assert.deepEqual(await lanes(), ["fiber 0", "fiber 1", "fiber 2", "fiber 3", "waits", "end"]);
    const event = await page.evaluate(() => window.gpucode_page.runner.line.events.find(({ lane, name }) => lane === "fiber 2" && name.startsWith("mad.f32 r1.w")));
    const { x, y } = await place_of((event.start + event.end) / 2, "fiber 2");
    await page.mouse.click(x, y);
    await said(`fiber 2:${event.number}`);
    await said(`line ${event.line}: mad.f32 r1.w, r1.y, r1.y, r1.w`);
    await until(() => document.querySelector("[aria-label=thread]").selectedOptions[0].textContent === "thread 2");
    await see(".row.present", "mad.f32 r1.w");
    const before = await page.$$eval(".registers .name", (all) => all.find((one) => one.textContent === "r1.w").nextSibling.textContent);
    await choose(`fiber 2:${event.number + 1}`);
    await see(".registers .changed", "r1.w");
    await choose(`fiber 2:${event.number}`); // and back again
    await register("r1.w", before.replace(/ \*$/, ""));
    await see(".row.present", "mad.f32 r1.w");
    // the picture beside it has the pixel; another one is a click away
    const picture = await page.$(".strip-picture");
    assert.match(await picture.evaluate((one) => one.getAttribute("aria-label")), /pixel 100,60 is stepped/);
    await shot("strip-shader");
    await picture.click({ offset: { x: 10, y: 10 } });
    await until(() => document.querySelector(".strip-picture").getAttribute("aria-label").match(/pixel (?!100,60)\d+,\d+ is/));
    // flow, lit by what ran until the moment
    await there();
    await choose("fiber 0:20");
    await see(".row.present", "nop");
    await page.click("#tab-see");
    await see(".seer .picture svg", "planet");
    await see(".coverage caption", "what ran before");
    finished();
});

test("a firmware's strip: handlers with their routines, what they write; the call graph is lit by what ran", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await there();
    assert.deepEqual(await lanes(), ["SQE", "memory", "end"]);
    await choose("memory:1");
    await said("[0x100004] <= 0x0000f00d");
    await see(".memory", "00100004  00000000"); // it is about to be written
    await choose("end:0");
    await see(".memory", "00100004  0000f00d");
    const lit = async (moment) => {
        await page.click("#tab-run");
        await there();
        await choose(moment);
        await until((wanted) => window.gpucode_page.runner.line.strip.chosen && `${window.gpucode_page.runner.line.strip.chosen.lane}:${window.gpucode_page.runner.line.strip.chosen.number}` === wanted && !window.gpucode_page.runner.going, moment);
        await ready();
        await page.click("#tab-see");
        await see(".coverage caption", `what ran before the moment of “Run”, ${await page.evaluate(() => window.gpucode_page.runner.line.strip.chosen.position)} instructions`);
        return page.$$eval(".coverage tr", (rows) => Object.fromEntries(rows.map((row) => [row.cells[0].textContent, row.cells[1].textContent])));
    };
    const late = await lit("end:0"), early = await lit("SQE:0");
    assert.match(early.CP_MEM_WRITE, /^0 of/);
    assert.doesNotMatch(late.CP_MEM_WRITE, /^0 of/);
    finished();
});
