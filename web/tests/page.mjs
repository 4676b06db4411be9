// SPDX-License-Identifier: MIT
// usage: node --test page.mjs, with GPUCODE_WEB (the folder of static files) and, for pictures, GPUCODE_SCREENSHOTS
// The page in a real browser: each thing it is for, once, with what a person would see of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { address, before_answers, blank, button, choose, drop, finished, folder, fresh, gpucode, made, page, patience, ready, root, see, shot, skip, text_of, traces, without_server } from "./drive.mjs";

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

test("a pattern's places, and the way to one of them", { skip }, async () => {
    await fresh("#example=a6xx-binary");
    await page.focus("[type=search]");
    await page.keyboard.type("mov $x, *; ...; waitin");
    await button("Find pattern");
    await see(".found li", "waitin");
    await page.$eval(".found li .link", (link) => link.click());
    await see(".row[aria-selected=true]", "mov $");
    finished();
});

test("a source with includes is opened, edited and assembled", { skip }, async () => {
    const firmware = path.join(root, "examples/firmware"), names = ["a6xx.asm"];
    for (const name of names) // those that it includes come behind it
        for (const other of (await readFile(path.join(firmware, name), "utf8")).match(/(?<=include ")[^"]+/g) ?? [])
            if (!names.includes(other))
                names.push(other);
    await fresh();
    await drop(...names.map((name) => path.join(firmware, name)));
    await see(".row", "boot:");
    await page.click("#tab-write");
    await see("#status", "assembled: 3432 bytes");
    await see(".word-comment", ";");
    await see(".word-function", "drain");
    await see(".word-keyword", "ushr");
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
    await fresh();
    await drop(await made("rename.asm", ".target afuc:a630\nstart:\n    mov $02, 0x1\n    jump #start\n    nop\n    brne $02, 0x0, #start\n    nop\n"));
    await page.click("#tab-write");
    await see("#status", "assembled");
    await page.evaluate(() => {
        const { view } = window.gpucode_page.views.write;
        view.focus();
        view.dispatch({ selection: { anchor: view.state.doc.toString().indexOf("#start") + 3 } });
    });
    await page.keyboard.press("F2");
    await page.waitForSelector(".cm-panel input", { timeout: patience });
    await page.keyboard.type("again");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.gpucode_page.views.write.text().match(/#again/g)?.length === 2, { timeout: patience });
    assert.match(await page.evaluate(() => window.gpucode_page.views.write.text()), /^again:$/m);
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
    await see(".word-keyword", "bary.f");
    await shot("picture");
    await page.$eval(".sliders input", (input) => {
        input.value = 0;
        input.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction((old) => {
        const canvas = document.querySelector("canvas");
        return canvas.width === 256 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((all, one) => all + one, 0) !== old;
    }, { timeout: patience }, first);
    // the picture's pixel and the debugger's are one: run to its end, its registers have the colour
    const drawn = await page.$eval("canvas", (canvas) => [...canvas.getContext("2d").getImageData(100, 141, 1, 1).data]);
    assert.equal(drawn[3], 255);
    const box = await (await page.$("canvas")).boundingBox();
    await page.mouse.click(box.x + 1 + (100.5 / 256) * (box.width - 2), box.y + 1 + (141.5 / 256) * (box.height - 2));
    await page.waitForSelector(".row.present", { timeout: patience });
    assert.equal(await page.$eval("[aria-label=thread]", (select) => select.selectedOptions[0].textContent), "thread 2");
    await button("Continue");
    await see("#status", "end");
    const colour = await page.evaluate(async () => {
        const { session, frame } = window.gpucode_page.runner;
        const half = (bits) => (bits & 0x8000 ? -1 : 1) * (bits & 0x7c00 ? (1 + (bits & 0x3ff) / 1024) * 2 ** (((bits >> 10) & 31) - 15) : ((bits & 0x3ff) / 1024) * 2 ** -14);
        return Promise.all("xyzw".split("").map(async (component) => {
            const { memoryReference } = await session.ask("evaluate", { expression: `hr0.${component}`, context: "watch", frameId: frame });
            return Math.floor(Math.min(1, Math.max(0, half(Number(memoryReference)))) * 255 + 0.5);
        }));
    });
    assert.deepEqual(colour.slice(0, 3), drawn.slice(0, 3));
    finished();
});

test("a shader is typed beside its picture, with lint and schedule", { skip }, async () => {
    await fresh("#example=planet&view=picture");
    await see(".findings", "nothing");
    await see(".beside", "slots");
    const sum = () => page.$eval("canvas", (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((all, one) => all + one, 0));
    const first = await sum();
    await page.evaluate(() => { // the first nop goes, and the storm's colour changes
        const { view } = window.gpucode_page.views.write, text = view.state.doc.toString();
        const colour = text.indexOf("0.72, 0.20"), nop = text.indexOf("    (rpt1)nop\n");
        view.dispatch({ changes: [{ from: colour, to: colour + 4, insert: "0.02" }, { from: nop, to: nop + 14 }], selection: { anchor: nop } });
    });
    await see(".findings", "too early");
    await see(".changes", "+ (rpt1)nop");
    await page.waitForFunction((old) => {
        const canvas = document.querySelector("canvas");
        return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((all, one) => all + one, 0) !== old;
    }, { timeout: patience }, first);
    await button("Schedule");
    await see(".findings", "nothing");
    await shot("typing");
    finished();
});

test("a texture is a PNG file, and the picture the one that the program draws", { skip: skip || !(await stat(gpucode).catch(() => null)) && "no gpucode" }, async () => {
    await fresh("#example=floor&view=picture");
    await see(".shader p", "256 × 256");
    const out = path.join(os.tmpdir(), `gpucode-page-${process.pid}-floor.pam`), place = path.join(folder, "examples/floor");
    const run = (texture) => {
        const { status, stderr } = spawnSync(gpucode, ["run", "-t", "a3xx", "--image", "256x256", out, path.join(place, "floor.asm"), "--varying", "0=-0.5,0.5,-0.5",
            "--varying", "1=0.0,0.0,1.0", "--texture", texture, "--policy", "a3xx-wrap=repeat", "--policy", "a3xx-filter=linear", "--policy", "a3xx-mip=linear"]);
        assert.equal(status, 0, String(stderr));
    };
    const sum_of = (bytes) => bytes.reduce((sum, one) => (sum * 31 + one) >>> 0, 7);
    const same = async () => { // not of the canvas, which keeps colours under what is transparent only roughly
        const bytes = await readFile(out), sum = sum_of(bytes.subarray(bytes.indexOf("ENDHDR\n") + 7));
        await page.waitForFunction((wanted) => window.gpucode_page.views.picture.image.data.reduce((all, one) => (all * 31 + one) >>> 0, 7) === wanted, { timeout: patience }, sum);
    };
    run(`0=${path.join(place, "planet.png")}:levels`);
    await same();
    // a file of one's own, without levels
    const own = await made("own.png", await readFile(path.join(root, "docs/planet.png")));
    await (await page.$(".sliders [type=file]")).uploadFile(own);
    run(`0=${own}`);
    await same();
    const bad = await made("bad.png", (await readFile(own)).subarray(0, 60));
    await (await page.$(".sliders [type=file]")).uploadFile(bad);
    await see("#status", "damaged");
    finished();
});

test("a shader of a later chip has its picture too, the program's, and a time line of its pixels", { skip: skip || !(await stat(gpucode).catch(() => null)) && "no gpucode" }, async () => {
    await fresh("#example=wheel&view=picture");
    await see(".shader p", "256 × 256");
    const out = path.join(os.tmpdir(), `gpucode-page-${process.pid}-wheel.pam`), source = path.join(folder, "examples/wheel/wheel.asm");
    const { status, stderr } = spawnSync(gpucode, ["run", "-t", "ir3:a630", "--image", "256x256", out, source, "--varying", "0=-1.1,1.1,-1.1", "--varying", "1=1.1,1.1,-1.1"]);
    assert.equal(status, 0, String(stderr));
    const bytes = await readFile(out), wanted = bytes.subarray(bytes.indexOf("ENDHDR\n") + 7);
    assert.ok(new Set(wanted).size > 50);
    const shown = await page.evaluate(() => [...window.gpucode_page.views.picture.image.data]);
    assert.ok(wanted.equals(Buffer.from(shown)));
    await page.type("[aria-label='pixel to step']", "128,100");
    await button("Step pixel");
    await page.waitForFunction(() => window.gpucode_page.runner?.line.events.length > 20, { timeout: patience });
    const lanes = await page.evaluate(() => [...new Set(window.gpucode_page.runner.line.events.map(({ lane }) => lane))]);
    assert.deepEqual(lanes.filter((lane) => lane.startsWith("fiber")).sort(), ["fiber 0", "fiber 1", "fiber 2", "fiber 3"]);
    await see(".row.present", "bary.f");
    finished();
});

test("the first view is small: at most 1.2 MB as a server sends it, with all instruction sets", { skip }, async () => {
    await blank();
    const asked = new Set();
    page.on("response", (answer) => asked.add(new URL(answer.url()).pathname.slice(1) || "index.html"));
    await page.goto(address());
    await ready();
    await page.waitForFunction(() => [...document.querySelectorAll("#target option")].some((one) => one.value.startsWith("ir3:")), { timeout: patience }); // the module has answered
    const names = [...asked].filter((name) => !name.startsWith("examples/") && name !== "sw.js" && existsSync(path.join(folder, name)));
    assert.ok(["index.html", "main.js", "worker.js", "gpucode.wasm"].every((name) => names.includes(name)), names.join(" "));
    const sizes = await Promise.all(names.map(async (name) => brotliCompressSync(await readFile(path.join(folder, name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length));
    const all = sizes.reduce((sum, one) => sum + one, 0);
    console.log(`# first view: ${(all / 1000).toFixed(0)} kB`);
    assert.ok(all <= 1_200_000, `${all} bytes`);
    finished();
});

test("what the first listing needs is asked for ahead of the page's script", { skip }, async () => {
    await blank();
    const asked = new Set(), wanted = [/^worker\.js$/, /^part-chunk-\w+\.js$/, /^examples\/index\.json$/];
    const all = new Promise((good, bad) => {
        setTimeout(() => bad(new Error(`before main.js only ${[...asked].join(", ")} were asked for`)), patience).unref();
        before_answers((name) => {
            asked.add(name);
            if (wanted.every((one) => [...asked].some((other) => one.test(other))))
                good();
            return name === "main.js" ? all : null;
        });
    });
    const opened = page.goto(`${address()}#example=a6xx-binary`).catch(() => null);
    try {
        await all;
        await opened;
    } finally {
        before_answers(null);
    }
    await see(".row", "CP_ME_INIT");
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/worker.js")).length), 1, "one worker");
    finished();
});

test("a script's time line is a picture with words", { skip }, async () => {
    await fresh("#example=reclock&view=see");
    await page.waitForSelector(".picture svg", { timeout: patience });
    await see(".picture title", "memory paused");
    await shot("time-line");
    finished();
});

test("a movement without end is paused, and goes on from there", { skip }, async () => {
    await fresh();
    await choose("#target", "afuc:a6xx");
    await drop(path.join(root, "tests/dap/count.asm"));
    await page.click("#tab-run");
    await page.waitForSelector(".row.present");
    const position = () => page.evaluate(() => window.gpucode_page.runner.position());
    let before = 0;
    for (let i = 0; i < 2; i++) {
        await button("Continue");
        await see("#status", "running");
        await new Promise((done) => setTimeout(done, 200));
        await button("Pause");
        await see("#status", "paused");
        const now = await position();
        assert.ok(now > before + 1000, `${before} to ${now}`);
        before = now;
    }
    await button("Step");
    await page.waitForFunction((old) => window.gpucode_page.runner.position().then((now) => now === old + 1), { timeout: patience }, before);
    finished();
});

test("graphs, and coverage as their colours", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=see");
    await page.waitForSelector(".picture svg", { timeout: patience });
    await see(".picture svg text", "CP_ME_INIT");
    const fill_of = (name) => page.$$eval(".picture svg .node", (nodes, wanted) => {
        const node = nodes.find((one) => [...one.querySelectorAll("text")].some((text) => text.textContent.trim() === wanted));
        return node?.querySelector("polygon").getAttribute("fill");
    }, name);
    const before = await fill_of("CP_ME_INIT");
    await button("Coverage");
    await see(".coverage th", "CP_MEM_WRITE");
    await see(".picture svg text", "4 of 4 ran");
    const [ran, idle] = [await fill_of("CP_ME_INIT"), await fill_of("CP_COND_WRITE5")];
    assert.ok(ran !== before && ran !== idle && ran !== undefined && idle !== undefined, `${before} ${ran} ${idle}`);
    await page.type("[aria-label=routine]", "CP_MEM_WRITE");
    await button("Flow of");
    await see(".picture svg text", "waitin");
    const boxes = await page.$$eval(".picture svg .node polygon", (all) => all.map((one) => one.getAttribute("fill")));
    assert.deepEqual([...new Set(boxes)], [ran]); // the packet of the example runs all of it
    await shot("flow");
    finished();
});

test("two versions are compared side by side", { skip }, async () => {
    await fresh("#example=a6xx-binary&view=see");
    const edited = Buffer.from(await readFile(path.join(folder, "examples/a6xx-binary/a6xx.fw")));
    edited.writeUInt32LE(0x88020005, 4 + 0x1a * 4);
    await (await page.$(".seer [type=file]")).uploadFile(await made("edited.fw", edited));
    const sides = await (await page.waitForSelector("iframe.sides", { timeout: patience })).contentFrame();
    await sides.waitForSelector("table.sides ins");
    assert.match(await sides.$eval("td:has(del)", (one) => one.textContent), /^- +0x1a +mov \$02, 0x4\n$/);
    assert.match(await sides.$eval("td:has(ins)", (one) => one.textContent), /^\+ +0x1a +mov \$02, 0x5\n$/);
    await see(".as-text", "CP_ME_INIT");
    await shot("sides");
    finished();
});

test("a crash dump tells its verdict", { skip }, async () => {
    await fresh("#example=crash");
    await see(".verdict", "CP_WAIT_REG_MEM");
    assert.match(await text_of(".verdict"), /^The SQE stood in .* signs agree\)\.$/); // a whole sentence
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
    await see("#status[data-kind=error]", "broken.bin");
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
    await without_server(async (url) => {
        await page.goto(`${url}#example=planet&view=picture`);
        await page.reload();
        await ready();
        await see(".shader p", "256 × 256");
    });
});

test("as one file, from a disk", { skip: skip || !(await stat(`${folder}.html`).catch(() => null)) && "there is no such file" }, async () => {
    await blank();
    await page.goto(`file://${folder}.html#example=planet&view=picture`);
    await ready();
    await see(".shader p", "256 × 256");
    await page.click("#tab-write");
    await see(".word-keyword", "bary.f"); // the language server, in a worker of its own
    await page.click("#tab-run");
    await page.waitForSelector(".row.present", { timeout: patience });
    await page.click("#tab-read");
    await see(".row", "bary.f");
    await page.click("#home");
    await page.waitForSelector("#cards img");
    await page.goBack();
    await see(".row", "bary.f");
    finished();
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
    for (const [example, view] of [["a6xx-binary", "read"], ["a6xx-binary", "run"], ["planet", "picture"], ["reclock", "write"], ["reclock", "run"], ["reclock", "see"], ["crash", "read"]]) {
        await fresh(`#example=${example}&view=${view}`);
        await page.evaluate(axe);
        const found = await page.evaluate(async () => (await window.axe.run()).violations
            .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" ")}`));
        assert.deepEqual(found, [], `${example} ${view}`);
    }
});
