// SPDX-License-Identifier: MIT
// usage: as page.mjs. What a stranger sees: the front page, every example in every view, values as people read them, narrow and dark
// screens, and paper. Pictures of all views are left for docs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { button, finished, fresh, page, patience, ready, see, shot, skip, text_of } from "./drive.mjs";

const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
const views = { a6xx: "read write run see", a7xx: "read write run see", "a6xx-binary": "read write run see", planet: "read write run picture see", floor: "read write run picture see", wheel: "read write run picture see",
    reclock: "read write run see", frame: "read", macros: "read write run see", crash: "read" };
// what a view has when it is there
const shows = { read: ".row", write: ".beside-source .row", run: ".row.present", picture: ".findings li", see: ".seer" };

async function stands(id, view) {
    await page.waitForSelector(`#view ${view === "read" && ["frame", "crash"].includes(id) ? ".records .row" : shows[view]}`, { timeout: patience });
    await ready();
}

test("the front page: one sentence, six pictures, a box to paste into; each card opens what it shows", { skip }, async () => {
    await fresh();
    assert.match(await text_of(".sentence"), /^Drop a hung GPU’s crash dump, .* see what the code inside the GPU does\./s);
    await until(() => document.querySelectorAll("#cards .card :is(img, pre)").length === 6 && [...document.querySelectorAll("#cards img")].every((one) => one.complete && one.naturalWidth > 50));
    await shot("front");
    const titles = await page.$$eval("#cards strong", (all) => all.map((one) => one.textContent));
    assert.deepEqual(titles, ["A hang explained", "A firmware", "A shader’s picture", "A sequencer’s time line", "A stream", "A macro"]);
    const opened = [".verdict", ".outline", "canvas", ".runner .strip:not([hidden]) .strip-canvas canvas", ".records .row", ".cm-content"];
    for (let i = 0; i < 6; i++) {
        await page.$$eval("#cards .card", (all, index) => all[index].click(), i);
        await page.waitForSelector(`#view ${opened[i]}`, { timeout: patience });
        await ready();
        await page.click("#home");
        await page.waitForSelector("#cards .card", { visible: true });
    }
    finished();
});

for (const [id, names] of Object.entries(views))
    test(`example ${id} in every view, in words and not in JSON`, { skip }, async () => {
        await fresh(`#example=${id}`);
        for (const view of names.split(" ")) {
            await page.waitForSelector(`#tab-${view}:not([hidden])`);
            await page.click(`#tab-${view}`);
            await stands(id, view);
            const { words, kind, trouble } = await page.evaluate(() => ({ words: document.body.innerText, kind: document.getElementById("status").dataset.kind, trouble: document.getElementById("notices").textContent }));
            assert.doesNotMatch(words, /\{"\w+":/, `${id} ${view}`);
            assert.notEqual(kind, "error", `${id} ${view}: ${words.slice(-200)}`);
            assert.equal(trouble, "", `${id} ${view}`);
        }
        const shown = await page.$$eval("[role=tab]:not([hidden])", (all) => all.map((one) => one.dataset.view));
        assert.deepEqual(shown, names.split(" "));
        finished();
    });

test("what the program refuses is told in words", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    await page.$eval(".side textarea", (area) => {
        area.value = "packet CP_NO_SUCH_PACKET 1";
        area.dispatchEvent(new Event("input"));
    });
    await page.click("#tab-see");
    await page.waitForSelector(".picture svg");
    await button("Coverage");
    await see("#status[data-kind=error]", "CP_NO_SUCH_PACKET");
    assert.doesNotMatch(await text_of("#status"), /[{}]/);
    finished();
});

test("breakpoints by the mouse in the margin; registers are changed and shown by type, as hex, decimal and float", { skip }, async () => {
    await fresh("#example=planet&view=run");
    await page.waitForSelector(".row.present");
    const marks = await page.$$(".listing .row .mark");
    await marks[5].click();
    await see(".row", "●");
    await button("Continue");
    await until(() => document.querySelector(".row.present")?.textContent.includes("●"));
    await marks[5].evaluate(() => document.querySelector(".row.present .mark").click());
    await until(() => ![...document.querySelectorAll(".row .mark")].some((one) => one.textContent.includes("●")));
    const holds = (name, wanted) => until((one, text) => [...document.querySelectorAll(".registers .name")].find((other) => other.textContent === one)?.nextSibling.textContent.startsWith(text), name, wanted);
    const set = async (name, text) => {
        await page.evaluate((wanted) => [...document.querySelectorAll(".registers .name")].find((one) => one.textContent === wanted).nextSibling.click(), name);
        await page.waitForSelector(".registers input");
        await page.keyboard.type(text);
        await page.keyboard.press("Enter");
        await see("#status", `${name} is changed`);
    };
    const name = "r20.x";
    await page.type("[aria-label='set a register']", `${name} = 7`); // zero until now, and not in the list
    await page.keyboard.press("Enter");
    await see("#status", `${name} is changed`);
    await see(".registers .name", name);
    await set(name, "-2.5");
    await holds(name, "0xc0200000 (-2.5)");
    for (const [form, expected] of [["hex", "0xc0200000"], ["decimal", "3223322624 (-1071644672)"], ["float", "-2.5"]]) {
        await page.select("[aria-label='values as']", form);
        await holds(name, expected);
    }
    await set(name, "1e3");
    await holds(name, "1000");
    await set(name, "0x10+1"); // expressions as well
    await page.select("[aria-label='values as']", "decimal");
    await holds(name, "17");
    finished();
});

test("the console has a history, over visits", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    await page.focus(".command");
    for (const line of ["print 1+1", "print 2+3"]) {
        await page.keyboard.type(line);
        await page.keyboard.press("Enter");
    }
    await see(".console", "5");
    const shown = () => page.$eval(".command", (box) => box.value);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await shown(), "print 1+1");
    await page.keyboard.press("ArrowDown");
    assert.equal(await shown(), "print 2+3");
    await page.reload();
    await ready();
    await page.waitForSelector(".row.present");
    await page.focus(".command");
    await page.keyboard.press("ArrowUp");
    assert.equal(await shown(), "print 2+3");
    finished();
});

test("a line lights its instructions and bytes, an instruction its line, in whichever file that is", { skip }, async () => {
    await fresh("#example=a6xx&view=write");
    await page.waitForSelector(".beside-source .row", { timeout: patience });
    const lit = () => page.evaluate(() => ({ rows: [...document.querySelectorAll(".beside-source .row.lit .text")].map((one) => one.textContent),
        bytes: [...document.querySelectorAll(".bytes mark")].map((one) => one.textContent), line: document.querySelector(".cm-line.lit")?.textContent, file: window.gpucode_page.views.write.file }));
    await page.evaluate(() => {
        const { view, listing } = window.gpucode_page.views.write, at = view.state.doc.toString().indexOf("[#jumptbl]");
        view.dispatch({ selection: { anchor: at + 2 } });
        return listing.count;
    });
    await page.waitForSelector(".bytes mark");
    assert.deepEqual(await lit(), { rows: ["[#jumptbl]"], bytes: ["d9 02 00 01"], line: "[#jumptbl]", file: "a6xx.asm" });
    const other = await page.evaluate(() => { // an instruction of another file
        const { listing, lines, map } = window.gpucode_page.views.write, index = Array.from({ length: lines.count }, (_, i) => i).find((i) => map.source_of(i).file === "conditions.asm");
        listing.choose(index, { tell: false });
        return index;
    });
    await page.locator(`#beside-${other}`).click(); // rows are drawn anew while the listing scrolls: it waits for one that stays
    await until(() => window.gpucode_page.views.write.file === "conditions.asm" && document.querySelector(".cm-line.lit") && document.querySelector(".row.lit"));
    const { rows, bytes, line } = await lit(), mnemonic = rows[0].split(" ")[0].replace(/^\(.*\)/, "");
    assert.deepEqual([rows.length, bytes.length], [1, 1]);
    assert.ok(line.includes(mnemonic), `${line} and ${rows}`);
    await shot("beside");
    finished();
});

test("graphs are zoomed, moved and followed, and dark in the dark", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=see");
    await page.waitForSelector(".picture svg", { timeout: patience });
    const width = () => page.$eval(".picture svg", (svg) => svg.getBoundingClientRect().width), before = await width();
    const box = await (await page.$(".seer .picture")).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel({ deltaY: -300 });
    await until((old) => document.querySelector(".picture svg").getBoundingClientRect().width > old * 1.5, before);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 100, box.y + box.height / 2 - 60, { steps: 3 });
    const scrolled = await page.$eval(".seer .picture", (one) => [one.scrollLeft, one.scrollTop]);
    await page.mouse.up();
    assert.ok(scrolled[0] > 50 && scrolled[1] > 30, `${scrolled}`);
    await page.focus(".seer .picture");
    await page.keyboard.press("0");
    await until((size) => document.querySelector(".picture svg").getBoundingClientRect().height <= size + 1, box.height);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    assert.match(await page.$eval(".picture svg", (svg) => getComputedStyle(svg).filter), /invert/);
    await page.evaluate(() => [...document.querySelectorAll(".picture .node")].find((node) => node.textContent.includes("CP_COND_WRITE5")).focus());
    await page.keyboard.press("Enter"); // as a click
    await see(".picture svg text", ", handler");
    const node = await page.evaluateHandle(() => [...document.querySelectorAll(".picture .node")].find((one) => one.dataset.name.startsWith("b0_")));
    await node.click();
    await until(() => window.gpucode_page.view === "read");
    await see(".row[aria-selected=true] .label", "CP_COND_WRITE5");
    finished();
});

test("nothing is cut at 1440, 1024 and 390 pixels, and panes fold", { skip }, async () => {
    for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]])
        for (const [name, hash, wait] of [["front", "", ".card :is(img, pre)"], ["read", "#example=a6xx-binary", ".row"], ["write", "#example=a6xx&view=write", ".beside-source .row"],
            ["run", "#example=a6xx-binary&view=run", ".row.present"], ["picture", "#example=planet&view=picture", ".findings li"], ["see", "#example=a6xx-binary&view=see", ".picture svg"],
            ["time", "#example=reclock&view=run", ".runner .strip:not([hidden]) .strip-canvas canvas"], ["stream", "#example=frame", ".row"], ["draw", "#example=frame&view=read&at=draws:1", ".draw-figure:not([hidden])"],
            ["recorded", "#example=frame&view=run&draw=1&stage=fs", ".row.present"], ["crash", "#example=crash", ".verdict"]]) {
            await fresh(hash, { width, height });
            await page.waitForSelector(wait, { timeout: patience });
            await ready();
            const cut = await page.evaluate(() => {
                const beyond = [...document.querySelectorAll("header *, .tools *, #view > * > *")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1 && !one.closest("option"));
                return [document.documentElement.scrollWidth > innerWidth, ...beyond.map((one) => one.outerHTML.slice(0, 80))];
            });
            assert.deepEqual(cut, [false], `${name} at ${width}`);
            await shot(`${name}-${width}`);
        }
    await fresh("#example=a6xx-binary", { width: 390, height: 844 });
    const tall = () => page.$eval("#view .listing", (one) => one.clientHeight), before = await tall();
    await button("Details");
    assert.ok((await tall()) > before + 50);
    finished();
});

test("labels, roles and contrast by axe, in the dark as well", { skip }, async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const [id, view] of [["", "home"], ["a6xx-binary", "read"], ["a6xx", "write"], ["a6xx-binary", "run"], ["planet", "picture"], ["reclock", "see"], ["a6xx-binary", "see"], ["frame", "read"], ["crash", "read"]])
        for (const scheme of view === "home" || id === "a6xx" ? ["light", "dark"] : ["dark"]) {
            await fresh(id ? `#example=${id}&view=${view}` : "");
            await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            if (id)
                await stands(id, view);
            await page.evaluate(axe);
            const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" ")}`));
            assert.deepEqual(found, [], `${id} ${view} ${scheme}`);
        }
});

test("on paper a listing, a source and a report are whole", { skip }, async () => {
    for (const [hash, count] of [["#example=a6xx-binary", () => window.gpucode_page.reader.lines.count], ["#example=a6xx&view=write", () => window.gpucode_page.views.write.view.state.doc.lines],
        ["#example=frame", () => window.gpucode_page.records.starts.length - 1]]) {
        await fresh(hash);
        await page.waitForSelector(hash.includes("write") ? ".cm-content" : ".row");
        await page.emulateMediaType("print");
        await page.waitForSelector("#paper", { visible: true });
        const lines = await page.$eval("#paper", (paper) => paper.textContent.trimEnd().split("\n").length), wanted = await page.evaluate(count);
        assert.ok(Math.abs(lines - wanted) <= 1 && lines > 30, `${hash}: ${lines} of ${wanted}`);
        assert.ok((await page.pdf()).length > 10_000);
        await page.emulateMediaType("screen");
        await page.waitForSelector("#paper", { hidden: true });
    }
    finished();
});
