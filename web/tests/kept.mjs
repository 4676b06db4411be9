// SPDX-License-Identifier: MIT
// usage: as page.mjs. Nothing that a person made is lost, and nothing that is shown is old without saying so.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { address, blank, button, choose, drop, finished, folder, fresh, made, page, patience, ready, root, see, shot, skip, text_of } from "./drive.mjs";

const text = () => page.evaluate(() => window.gpucode_page.views.write.text());
const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
const in_editor = (wanted) => until((one) => window.gpucode_page.view === "write" && window.gpucode_page.views.write?.view && window.gpucode_page.views.write.text().includes(one), wanted);
const hash = () => page.evaluate(() => location.hash);

async function type_in_editor(words) {
    await page.waitForSelector(".cm-content", { timeout: patience });
    await page.focus(".cm-content");
    await page.keyboard.down("Control");
    await page.keyboard.press("End");
    await page.keyboard.up("Control");
    await page.keyboard.type(words);
}

test("what was typed survives a reload at once, a crash and another visit", { skip }, async () => {
    await fresh("#example=reclock&view=write");
    await see("#status", "assembled");
    await type_in_editor("\n// mine");
    await page.reload(); // within the pause after a key
    await ready();
    await in_editor("// mine");
    assert.match(await hash(), /^#doc=\w+&view=write/);
    await type_in_editor("\n// and more");
    await see("#kept", "kept");
    await until(() => !window.gpucode_page.shelf.unkept);
    const place = await hash();
    await blank({ same: true }); // the tab is gone; this is another one
    await page.goto(address());
    await ready();
    await see("#kept-list", "reclock.hwsq");
    await page.click("#kept-list .link");
    await in_editor("// and more");
    assert.equal(await hash(), place);
    finished();
});

test("commands of Run, breakpoints, a picture's inputs and the target are kept with their document", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    await page.$eval(".side textarea", (area) => {
        area.value = "packet CP_NOP 3";
        area.dispatchEvent(new Event("input"));
    });
    await page.focus("#view [role=listbox]");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("b");
    await see(".row", "●");
    await until(() => !window.gpucode_page.shelf.unkept);
    await page.reload();
    await ready();
    await see(".row", "●");
    assert.equal(await page.$eval(".side textarea", (area) => area.value), "packet CP_NOP 3");
    await choose("#examples", "planet");
    await ready();
    await page.click("#tab-picture");
    await see(".shader p", "256 × 256");
    await page.$eval(".sliders input", (input) => {
        input.value = 1.5;
        input.dispatchEvent(new Event("input"));
    });
    const kept = await page.$eval(".sliders input", (input) => input.value);
    await until(() => !window.gpucode_page.shelf.unkept);
    await page.reload();
    await ready();
    await see(".shader p", "256 × 256");
    assert.equal(await page.$eval(".sliders input", (input) => input.value), kept);
    assert.equal(await page.$eval("#target", (select) => select.value), "a3xx");
    finished();
});

test("where nothing can be kept a warning says so", { skip }, async () => {
    await blank({ begin: () => { IDBFactory.prototype.open = () => { throw new Error("refused by the browser"); }; } });
    await page.goto(`${address()}#example=reclock&view=write`);
    await ready();
    await see(".notice[data-kind=trouble]", "refused by the browser");
    await see("#kept", "not kept");
    await see("#status", "assembled");
    await type_in_editor("\n// mine"); // and the page goes on
    await see(".bytes", "000000");
    assert.match(await text(), /^\/\/ mine$/m);
    page.on("dialog", (dialog) => dialog.accept()); // it asks before it is left
});

test("Back and Forward go through views and documents; an example throws no text away", { skip }, async () => {
    await fresh();
    await choose("#examples", "reclock");
    await ready();
    await page.click("#tab-write");
    await see("#status", "assembled");
    await type_in_editor("\n// mine");
    await choose("#examples", "planet"); // at once
    await ready();
    await see(".row", "bary.f");
    await page.click("#tab-run");
    await page.waitForSelector(".row.present");
    await page.goBack();
    await until(() => window.gpucode_page.view === "read");
    await page.goBack();
    await in_editor("// mine");
    await page.goBack();
    await until(() => window.gpucode_page.view === "read" && window.gpucode_page.document.name === "reclock.hwsq");
    await page.goBack();
    await page.waitForSelector("#cards .card");
    for (const [view, name] of [["read", "reclock.hwsq"], ["write", "reclock.hwsq"], ["read", "planet.asm"], ["run", "planet.asm"]]) {
        await page.goForward();
        await until((one, other) => window.gpucode_page.view === one && window.gpucode_page.document.name === other && !document.body.dataset.busy, view, name);
    }
    await choose("#examples", "reclock"); // as it comes, and the way to one's own
    await see(".notice", "a text of yours");
    await page.click("#tab-write");
    await until(() => window.gpucode_page.views.write.document?.name === "reclock.hwsq");
    assert.doesNotMatch(await text(), /\/\/ mine/);
    await button("Open it", "notices");
    await in_editor("// mine");
    finished();
});

test("the keys of the debugger act wherever the focus is", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    const position = () => page.evaluate(() => window.gpucode_page.runner.position());
    const goes_to = (wanted) => until((one) => window.gpucode_page.runner.position().then((now) => now === one), wanted);
    for (const [place, keys, expected] of [["#tab-run", ["F11", "F11"], 2], ["#target", ["F7"], 1], [".command", ["F11"], 2], [".side textarea", ["F11"], 3], ["#open", ["F8"], 2]]) {
        await page.focus(place);
        for (const key of keys) {
            const now = await position();
            await page.keyboard.press(key);
            await until((old) => window.gpucode_page.runner.position().then((one) => one !== old), now);
        }
        await goes_to(expected);
    }
    await page.focus("#tab-run");
    await page.keyboard.press("F9");
    await see(".row", "●");
    await page.keyboard.press("F5"); // not the browser's reload
    await see(".memory", "0000cafe");
    await page.keyboard.press("F6");
    await until(() => window.gpucode_page.runner.position().then((now) => now <= 2));
    await page.keyboard.press("F10");
    await page.keyboard.press("F12");
    await ready();
    finished();
});

test("what runs says when the source has changed or has errors, and starts with its own document's commands", { skip }, async () => {
    await fresh("#example=reclock&view=run");
    await page.waitForSelector(".row.present");
    await button("Step");
    await page.click("#tab-write");
    await see("#status", "assembled");
    await type_in_editor("\n// mine");
    await page.click("#tab-run");
    await see(".notice[data-kind=stale]", "The source has changed; this runs the version of ");
    await page.waitForSelector("#view.stale");
    assert.equal(await page.evaluate(() => window.gpucode_page.runner.position()), 1); // the session is still there
    await shot("stale");
    await button("Take the new version", "notices");
    await until(() => !document.querySelector(".notice[data-kind=stale]") && !document.querySelector("#view.stale"));
    await page.click("#tab-write");
    await type_in_editor("\nnonsense");
    for (const [tab, word] of [["run", "runs"], ["see", "shows"], ["read", "shows"]]) {
        await page.click(`#tab-${tab}`);
        await see(".notice[data-kind=stale]", `The source has 1 error; this ${word} the version of `);
    }
    await page.waitForSelector(".row"); // the last one without errors
    await button("Go to the error", "notices");
    await until(() => window.gpucode_page.view === "write" && window.gpucode_page.views.write.line() > 10);
    await choose("#examples", "a6xx-binary");
    await ready();
    await page.click("#tab-run");
    await page.waitForSelector(".row.present");
    await page.$eval(".side textarea", (area) => {
        area.value = "packet CP_NOP 3";
        area.dispatchEvent(new Event("input"));
    });
    await choose("#examples", "macros");
    await ready();
    await page.click("#tab-run");
    await page.waitForSelector(".row.present");
    assert.equal(await page.$eval(".side textarea", (area) => area.value), "");
    finished();
});

test("a picture says when its source has errors", { skip }, async () => {
    await fresh("#example=planet&view=picture");
    await see(".shader p", "256 × 256");
    await see(".word-keyword", "bary.f");
    await type_in_editor("\nnonsense");
    await see(".notice[data-kind=stale]", "The source has 1 error; this shows the version of ");
    await page.waitForSelector("#view.stale canvas");
    for (const _ of "nonsense")
        await page.keyboard.press("Backspace");
    await until(() => !document.querySelector("#view.stale"));
    finished();
});

test("targets have names, belong to their document, and a wrong choice is taken back by a click", { skip }, async () => {
    await fresh("#example=a6xx-binary");
    await page.waitForSelector('#target option[value="afuc:a630"]');
    assert.equal(await page.$eval('#target option[value="afuc:a630"]', (option) => option.textContent), "Adreno 630 (afuc:a630)");
    await see("#target option", "found: Adreno 630");
    const before = await text_of(".row[aria-selected=true]");
    await choose("#target", "hwsq:nv50");
    await see(".notice", "Read as HWSQ of G80");
    await see(".outline", "hwsq:nv50");
    await button("Undo", "notices");
    await see(".outline", "afuc:a630");
    assert.equal(await text_of(".row[aria-selected=true]"), before);
    assert.match(await hash(), /^#example=a6xx-binary/);
    await choose("#target", "afuc:a650");
    await see(".notice", "Read as Adreno 650");
    await choose("#examples", "reclock"); // another document has its own
    await see(".row", "set1");
    assert.equal(await page.$eval("#target", (select) => select.value), "");
    await page.goBack();
    await until(() => document.getElementById("target").value === "afuc:a650");
    // bytes that do not say what they are: what they could be is a click each
    await drop(await made("raw.bin", Buffer.from(await page.evaluate(async () => [...(await window.gpucode_page.engine.run(["asm", "-t", "a3xx", "s.asm", "-o", "s.bin"],
        { "s.asm": new TextEncoder().encode("mov.f32f32 r0.x, (1.5)\nend\n") }, { wanted: ["s.bin"] })).made["s.bin"]]))));
    await see(".notice", "does not say what it is");
    await button("Adreno 3xx shaders (a3xx)", "notices");
    await see(".row", "mov.f32f32");
    finished();
});

test("a shader that names its target has its picture, as soon as it does", { skip }, async () => {
    await fresh();
    await drop(await made("own.asm", ".target a3xx\n(sy)(ss)mov.f32f32 r0.x, (1.0)\nend\n"));
    await page.waitForSelector("#tab-picture:not([hidden])");
    await drop(await made("later.asm", "; nothing yet\n"));
    await page.waitForSelector("#tab-picture[hidden]");
    await page.click("#tab-write");
    await type_in_editor("\n.target a3xx\nend");
    await page.waitForSelector("#tab-picture:not([hidden])");
    finished();
});

test("includes are in a list, opened and edited; what is missing says so and is taken when it comes", { skip }, async () => {
    await fresh();
    const main = await made("main.asm", '.target afuc:a630\n.include "PART"\n    waitin\n    mov $01, $data\n'.replace("PART", "part.asm"));
    await drop(main);
    await page.click("#tab-write");
    await see(".files .missing", "part.asm: missing");
    const { rename } = await import("node:fs/promises"), part = path.join(path.dirname(main), "part.asm");
    await rename(await made("part.asm", "    mov $02, 0x7\n"), part);
    await drop(part);
    await see("#status", "assembled: 16 bytes");
    await button("part.asm");
    await in_editor("mov $02, 0x7");
    await page.evaluate(() => {
        const { view } = window.gpucode_page.views.write;
        view.dispatch({ changes: { from: view.state.doc.length, insert: "    mov $03, 0x8\n" } });
    });
    await see("#status", "assembled: 20 bytes");
    await page.click("#tab-read");
    await see(".row", "mov $03, 0x8");
    await page.reload();
    await ready();
    await see(".row", "mov $03, 0x8");
    finished();
});

test("several files open together: all of them, and two firmwares as a comparison", { skip }, async () => {
    const old = Buffer.from(await readFile(path.join(folder, "examples/a6xx-binary/a6xx.fw"))), edited = Buffer.from(old);
    edited.writeUInt32LE(0x88020005, 4 + 0x1a * 4);
    await fresh();
    await drop(await made("old.fw", old), await made("new.fw", edited));
    const sides = await (await page.waitForSelector("iframe.sides", { timeout: patience })).contentFrame();
    await sides.waitForSelector("table.sides ins");
    assert.match(await sides.$eval("td:has(ins)", (one) => one.textContent), /mov \$02, 0x5/);
    await fresh();
    await drop(path.join(folder, "examples/reclock/reclock.hwsq"), path.join(folder, "examples/planet/planet.asm"), await made("third.asm", ".target afuc:a630\nnop\n"));
    await see(".notice", "3 documents are open");
    const names = await page.$$eval("#documents option", (all) => all.map((one) => [one.value, one.textContent]));
    assert.equal(names.length, 3);
    await page.select("#documents", names.find(([, name]) => name.includes("planet"))[0]);
    await see(".row", "bary.f");
    finished();
});

const paste = (words) => page.evaluate((one) => {
    const data = new DataTransfer();
    data.setData("text/plain", one);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}, words);

test("a wrong file among others keeps none of them out, and what was said of it goes with the next", { skip }, async () => {
    const wrong = await made("wrong.bin", Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 7919 + (i >> 3) * 31) & 255)));
    await fresh();
    await drop(wrong);
    await see(".notice[data-kind=note]", "does not say what it is");
    await drop(wrong, await made("right.asm", ".target afuc:a630\nmov $01, 0x1234\n"));
    await see(".row", "mov $01, 0x1234");
    await see("#status", "wrong.bin: the file is not an image");
    await drop(await made("next.asm", ".target afuc:a630\nmov $01, 0x4321\n"));
    await see(".row", "mov $01, 0x4321");
    assert.equal((await page.$$(".notice[data-kind=note]")).length, 0);
    finished();
});

test("Latin-1, hex text and base64 are taken by drop and by paste", { skip }, async () => {
    const firmware = await readFile(path.join(folder, "examples/a6xx-binary/a6xx.fw"));
    const words = Array.from({ length: firmware.length / 4 }, (_, i) => `0x${firmware.readUInt32LE(4 * i).toString(16).padStart(8, "0")}`);
    const dump = Array.from({ length: Math.ceil(firmware.length / 16) }, (_, i) => `${(16 * i).toString(16).padStart(8, "0")}  ${[...firmware.subarray(16 * i, 16 * i + 16)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`).join("\n");
    const plain = firmware.toString("hex"), forms = { words: words.join(" "), commas: words.join(",\n"), dump, plain, base64: firmware.toString("base64"), packed: gzipSync(firmware).toString("base64") };
    for (const [name, form] of Object.entries(forms)) {
        if (name === "packed")
            continue;
        await fresh();
        if (name === "words" || name === "base64")
            await paste(form);
        else
            await drop(await made(`${name}.txt`, form));
        await see(".row", "CP_ME_INIT");
        await see(".notice", "read as");
        const same = await page.evaluate(() => [...window.gpucode_page.document.bytes]);
        assert.ok(firmware.equals(Buffer.from(same)), name);
    }
    await fresh();
    await drop(await made("latin.hwsq", Buffer.from("; für G80\n.target hwsq:nv50\nset1\n".replace("set1", "wait 0x1"), "latin1")));
    await see(".notice", "Latin-1");
    await page.click("#tab-write");
    await in_editor("; für G80");
    await page.click("#home");
    await page.type("#paste-box", ".target a3xx\nend\n");
    await page.click("#paste");
    await see(".row", "end");
    finished();
});

test("a link has source, target, inputs and view in it, and nothing else is asked for them", { skip }, async () => {
    await fresh("#example=floor&view=picture");
    await see(".shader p", "256 × 256");
    await see(".word-keyword", "sam");
    await type_in_editor("\n; mine");
    await see("#kept", "kept");
    await page.$eval(".sliders input:not([type=file])", (input) => {
        input.value = "-0.25,0.25,-0.25";
        input.dispatchEvent(new Event("input"));
    });
    await ready();
    await until(() => !window.gpucode_page.views.picture.drawing);
    const sum = () => page.evaluate(() => window.gpucode_page.views.picture.image.data.reduce((all, one) => (all * 31 + one) >>> 0, 7));
    await new Promise((done) => setTimeout(done, 300));
    const drawn = await sum();
    await page.click("#link");
    const link = await page.waitForSelector(".notice input").then((box) => box.evaluate((one) => one.value));
    assert.match(link, /#code=[\w-]+$/);
    await blank(); // somebody else
    await page.goto(link);
    await ready();
    await see(".shader p", "256 × 256");
    await until((wanted) => window.gpucode_page.views.picture.image?.data.reduce((all, one) => (all * 31 + one) >>> 0, 7) === wanted, drawn);
    assert.match(await text(), /^; mine$/m);
    assert.equal(await page.$eval("#target", (select) => select.value), "a3xx");
    await blank();
    await page.goto(link.slice(0, -40));
    await see("#status[data-kind=error]", "damaged");
    finished();
});

test("a session's link starts with its commands", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=run");
    await page.waitForSelector(".row.present");
    await page.click("#link");
    const link = await page.waitForSelector(".notice input").then((box) => box.evaluate((one) => one.value));
    await blank();
    await page.goto(link);
    await ready();
    await page.waitForSelector(".row.present");
    assert.match(await page.$eval(".side textarea", (area) => area.value), /^packet CP_MEM_WRITE/);
    await button("Continue");
    await see(".memory", "0000cafe");
    finished();
});
