// SPDX-License-Identifier: MIT
// usage: node --test strip.mjs, as page.mjs
// The time line of a stream: what it shows, how one moves in it by wheel and keys, and what a moment tells.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { button, choose, drop, finished, fresh, gpucode, made, page, patience, see, shot, skip, text_of } from "./drive.mjs";
import { many_packets } from "./recording.mjs";

const until = (check, ...args) => page.waitForFunction(check, { timeout: patience }, ...args);
const moment = () => page.$eval(".strip-canvas", (one) => one.getAttribute("aria-valuetext"));
const range = () => page.evaluate(() => [window.gpucode_page.records.strip.from, window.gpucode_page.records.strip.to]);
const there = () => until(() => window.gpucode_page.records.strip.rows.length > 0 && window.gpucode_page.records.strip.frame_ms !== undefined);
// Where an event is on the screen.
const place_of = (id) => page.evaluate((wanted) => {
    const { strip } = window.gpucode_page.records, row = strip.rows.find((one) => one.events.some((event) => `${event.lane}:${event.number}` === wanted));
    const event = row.events.find((one) => `${one.lane}:${one.number}` === wanted), box = strip.place.getBoundingClientRect();
    const scale = (box.width - strip.left) / (strip.to - strip.from);
    return { x: box.left + strip.left + ((event.start + event.end) / 2 - strip.from) * scale, y: box.top + 20 + 20 * strip.rows.indexOf(row) + 10 };
}, id);

test("a stream's time line: the program's events, a click on one tells its packet, registers and draw", { skip }, async () => {
    await fresh("#example=frame");
    await there();
    await see(".strip .tools", "words in their order: how long they take is not known");
    const shown = await page.evaluate(() => window.gpucode_page.records.strip.rows.flatMap((row) => row.events.map(({ lane, number, name, start, end }) => `${lane} ${number} ${name} ${start} ${end}`)).sort());
    const file = new URL("../../examples/streams/frame.asm", import.meta.url).pathname, stream = await made("frame.rd", "");
    assert.equal(spawnSync(gpucode, ["asm", file, "-o", stream]).status, 0);
    const said = spawnSync(gpucode, ["decode", "--time-line", "--json", stream], { encoding: "utf8" }).stdout.trimEnd().split("\n").map((line) => JSON.parse(line)).filter(({ lane }) => lane);
    assert.deepEqual(shown, said.map(({ lane, number, name, start, end }) => `${lane} ${number} ${name} ${start} ${end}`).sort());
    const draw = said.find((event) => event.lane === "draws" && event.number === 1), { x, y } = await place_of("draws:1");
    await page.mouse.click(x, y);
    assert.match(await moment(), new RegExp(`^${draw.name} .*, draws:1, ${draw.start} words to ${draw.end} words$`));
    await see(".details caption", "registers changed since the draw before");
    await see(".details tr.changed", "GRAS_SC_WINDOW_SCISSOR_TL");
    await see(".details tr.changed td", "X = 64, Y = 64");
    await see(".row[aria-selected=true]", "draw 1:");
    const packet = await page.evaluate(() => window.gpucode_page.records.strip.rows.find(({ lane }) => lane === "packets").events.find(({ name }) => name === "RB_MRT[0].CONTROL" || name.startsWith("RB_MRT[0].CONTROL")).number);
    const at = await place_of(`packets:${packet}`);
    await page.mouse.click(at.x, at.y);
    await see(".details caption", "registers that it writes");
    await see(".details th", "RB_MRT[0].CONTROL");
    await shot("strip");
    finished();
});

test("the wheel and keys zoom, dragging moves; arrows go from event to event and lane to lane, both ways", { skip }, async () => {
    await fresh("#example=frame");
    await there();
    const [, total] = await range(), { x, y } = await place_of("draws:1");
    await page.mouse.move(x, y);
    await page.mouse.wheel({ deltaY: -400 });
    await until((all) => window.gpucode_page.records.strip.to - window.gpucode_page.records.strip.from < all / 2, total);
    const [from, to] = await range();
    assert.ok(from > 0 && to <= total);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y, { steps: 4 });
    await page.mouse.up();
    assert.ok((await range())[0] < from);
    assert.match(await moment(), /no moment/); // dragging chooses nothing
    await page.focus(".strip-canvas");
    await page.keyboard.press("0");
    assert.deepEqual(await range(), [0, total]);
    await page.keyboard.press("Home");
    assert.match(await moment(), /draws:0/);
    await page.keyboard.press("ArrowRight");
    assert.match(await moment(), /draws:1/);
    await page.keyboard.press("ArrowDown");
    const first = await moment();
    assert.match(first, /packets:\d+/);
    await page.keyboard.press("ArrowRight");
    const second = await moment();
    assert.notEqual(second, first);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await moment(), first);
    await page.keyboard.press("+");
    assert.ok((await range())[1] - (await range())[0] <= total / 2);
    await page.keyboard.press("PageUp");
    await page.keyboard.press("-");
    assert.match(await page.evaluate(() => location.hash), /at=packets:/);
    const hash = await page.evaluate(() => location.hash);
    await fresh(hash); // the address is that of the moment
    await there();
    await until((wanted) => document.querySelector(".strip-canvas").getAttribute("aria-valuetext") === wanted, first);
    finished();
});

test("names are filtered and found; events stand in a list as well", { skip }, async () => {
    await fresh("#example=frame");
    await there();
    await page.type("[aria-label='find an event']", "cp_draw");
    await page.keyboard.press("Enter");
    const one = await moment();
    assert.match(one, /^CP_DRAW/);
    await page.keyboard.press("Enter");
    assert.notEqual(await moment(), one);
    await page.keyboard.down("Shift");
    await page.keyboard.press("Enter");
    await page.keyboard.up("Shift");
    assert.equal(await moment(), one);
    await page.type("[aria-label='show only events whose names have']", "CP_DRAW");
    await until(() => window.gpucode_page.records.strip.rows.find(({ lane }) => lane === "packets").shown === 2);
    await button("Events");
    await see(".row", "times are words in their order");
    await page.evaluate(() => [...document.querySelectorAll(".records .row")].find((row) => row.textContent.includes("CP_SET_MARKER")).click());
    await until(() => document.querySelector(".strip-canvas").getAttribute("aria-valuetext").startsWith("CP_SET_MARKER"));
    finished();
});

test("the packet in hand of a crash dump is a fault on its time line", { skip }, async () => {
    await fresh("#example=crash");
    await there();
    await page.type("[aria-label='find an event']", "in hand");
    await page.keyboard.press("Enter");
    assert.match(await moment(), /^in hand: CP_WAIT_REG_MEM \(fault\), faults:0/);
    await see(".details td", "something is wrong here");
    await see(".details th", "POLL_ADDR");
    await shot("strip-crash");
    finished();
});

// How long this takes is measured by `make web-bench`; the count of what is painted does not depend on the machine.
test("100,000 packets: a frame paints at most a bar a pixel and lane, however far one looks", { skip }, async () => {
    await fresh();
    await drop(await made("many.rd", many_packets(100_000)));
    await there();
    const found = await page.evaluate(() => {
        const { strip } = window.gpucode_page.records, kind = CanvasRenderingContext2D.prototype, own = kind.fillRect, frames = [];
        let painted = 0;
        kind.fillRect = function (...box) {
            painted++;
            return own.apply(this, box);
        };
        for (let i = 0; i < 60; i++) {
            strip.zoom(i < 40 ? 1.25 : 0.5, strip.total * 0.37);
            painted = 0;
            strip.draw();
            frames.push(painted);
        }
        kind.fillRect = own;
        const packets = strip.rows.find(({ lane }) => lane === "packets");
        strip.only.value = "CP_NOP";
        strip.sift();
        return { packets: packets.events.length, shown: packets.shown, frames, most: strip.rows.length * strip.place.clientWidth };
    });
    assert.equal(found.packets, 100_000);
    assert.equal(found.shown, 14_000);
    assert.ok(Math.max(...found.frames) <= found.most, JSON.stringify(found));
    assert.ok(Math.max(...found.frames) > 100, JSON.stringify(found));
    finished();
});

test("a stream too large to be read at once is loaded where one looks", { skip }, async () => {
    await fresh();
    await drop(await made("large.rd", many_packets(600_000, 12)));
    await there();
    const loaded = () => page.evaluate(() => [...window.gpucode_page.records.loaded].sort((a, b) => a - b));
    assert.deepEqual(await loaded(), [0]);
    assert.equal(await page.evaluate(() => window.gpucode_page.records.strip.rows.find(({ lane }) => lane === "streams").events.length), 12);
    await see(".strip .tools", "packets of 1 of 12 streams are loaded");
    await page.evaluate(() => {
        const { strip } = window.gpucode_page.records;
        strip.go_to("streams:7");
        strip.zoom(30);
    });
    await until(() => window.gpucode_page.records.loaded.has(7));
    await until(() => window.gpucode_page.records.strip.in_lane("packets", window.gpucode_page.records.strip.chosen.start + 5)?.frame === 7);
    assert.ok((await loaded()).length < 12);
    finished();
});

test("a stream of 1 GB opens, and only the parts of its file are read that are looked at", { skip }, async () => {
    const packets = many_packets(2000, 4), texture = new Uint32Array([3, 12, 0x40000000, 1e9, 0, 12, 1e9]), before = packets.subarray(0, 12);
    const name = await made("large.rd", Buffer.concat([before, Buffer.from(texture.buffer)])), file = await open(name, "r+");
    await file.write(packets.subarray(12), 0, packets.length - 12, before.length + texture.byteLength + 1e9); // the disk has nothing of what is skipped
    await file.close();
    await fresh("", { begin: () => {
        window.read_bytes = 0;
        const { arrayBuffer } = Blob.prototype;
        Blob.prototype.arrayBuffer = function whole() {
            window.read_bytes += this.size;
            return arrayBuffer.call(this);
        };
    } });
    const [worker] = page.workers();
    await worker.evaluate(() => {
        self.read_bytes = 0;
        const { readAsArrayBuffer } = FileReaderSync.prototype;
        FileReaderSync.prototype.readAsArrayBuffer = function part(blob) {
            self.read_bytes += blob.size;
            return readAsArrayBuffer.call(this, blob);
        };
    });
    await drop(name);
    await see(".listing .row", "draw 0:");
    await see("#status", "lines");
    await see(".notice[data-kind=trouble]", "is larger than 96 MB");
    assert.deepEqual(await page.evaluate(() => [...window.gpucode_page.records.loaded]), [0]);
    await page.evaluate(() => {
        const { strip } = window.gpucode_page.records;
        strip.go_to("streams:3");
        strip.zoom(2);
    });
    await until(() => window.gpucode_page.records.loaded.has(3));
    const read = (await worker.evaluate(() => self.read_bytes)) + (await page.evaluate(() => window.read_bytes));
    assert.ok(read > 4096 && read < 64 << 20, `${read} bytes were read`);
    // what is no recording is refused in words, and the page goes on
    const other = await open(name, "r+");
    await other.write(Buffer.alloc(64), 0, 64, 0);
    await other.close();
    await drop(name);
    await see("#status", "is no recording and no crash dump");
    await see(".listing .row", "draw 0:");
    await rm(name);
    finished();
});

test("the time line by axe, in the light and in the dark", { skip }, async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const scheme of ["light", "dark"]) {
        await fresh("#example=frame");
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await there();
        await page.focus(".strip-canvas");
        await page.keyboard.press("End");
        await see(".details caption", "registers changed");
        await page.evaluate(axe);
        const found = await page.evaluate(async () => (await window.axe.run()).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" ")}`));
        assert.deepEqual(found, [], scheme);
    }
});

test("the trace that is saved is the program's", { skip }, async () => {
    await fresh("#example=frame");
    await there();
    const trace = await page.evaluate(async () => {
        const { records } = window.gpucode_page, out = "t.json";
        const { made } = await records.page.engine.run(["decode", "--perfetto", out, records.document.name], records.document.files, { wanted: [out] });
        return new TextDecoder().decode(made[out]);
    });
    assert.ok(JSON.parse(trace).traceEvents.some(({ ph, name }) => ph === "X" && name.startsWith("CP_DRAW")));
    assert.match(await text_of(".records .tools"), /Save trace/);
    finished();
});

test("two streams, two strips: the same draws below one another, with what differs", { skip }, async () => {
    const file = new URL("../../examples/streams/frame.asm", import.meta.url).pathname, first = await made("first.rd", ""), second = await made("second.rd", ""), words = ["decode", "--source", first];
    assert.equal(spawnSync(gpucode, ["asm", file, "-o", first]).status, 0);
    const once = "    RB_DEPTH_CNTL = { ZFUNC = FUNC_NEVER }\n", text = spawnSync(gpucode, words, { encoding: "utf8" }).stdout;
    assert.ok(text.includes(once));
    const source = await made("second.txt", text.replace(once, `${once}    RB_DEPTH_CNTL = { ZFUNC = FUNC_LESS }\n`));
    assert.equal(spawnSync(gpucode, ["encode", source, "-o", second]).status, 0);
    await fresh();
    await drop(first, second);
    await there();
    await page.waitForSelector(".strip.second:not([hidden])");
    await page.evaluate(() => window.gpucode_page.records.strip.go_to("draws:0"));
    await see(".beside-draw caption", "1 register of draw 0 differs");
    await see(".beside-draw tr", "RB_DEPTH_CNTL");
    await page.evaluate(() => window.gpucode_page.records.strip.go_to("draws:1"));
    const both = () => page.evaluate(() => {
        const { strip, second } = window.gpucode_page.records, at = (one) => (one.chosen.start - one.from) / (one.to - one.from);
        return { ids: [strip, second.strip].map(({ chosen }) => `${chosen.lane}:${chosen.number}`), shift: second.strip.chosen.start - strip.chosen.start, here: at(strip), there: at(second.strip) };
    });
    await see(".beside-draw caption", "draw 1 writes the same in both");
    const one = await both();
    assert.deepEqual(one.ids, ["draws:1", "draws:1"]);
    assert.ok(one.shift > 0 && Math.abs(one.here - one.there) < 1e-9, JSON.stringify(one)); // it comes later, and stands below
    await page.focus(".strip:not(.second) .strip-canvas");
    await page.keyboard.press("+");
    await page.keyboard.press("PageUp");
    const zoomed = await both();
    assert.ok(Math.abs(zoomed.here - zoomed.there) < 1e-9 && zoomed.here !== one.here, JSON.stringify(zoomed));
    await page.focus(".strip.second .strip-canvas"); // from below as well
    await page.keyboard.press("ArrowLeft");
    await until(() => window.gpucode_page.records.strip.chosen.number === 0);
    await page.keyboard.press("0");
    const below = await both();
    assert.deepEqual(below.ids, ["draws:0", "draws:0"]);
    assert.ok(Math.abs(below.here - below.there) < 1e-9, JSON.stringify(below));
    await shot("strip-two");
    await button("Close");
    await page.waitForSelector(".strip.second", { hidden: true });
    finished();
});

test("a firmware beside a stream: the handlers that run, by replay", { skip }, async () => {
    const file = (name) => new URL(`../../examples/${name}`, import.meta.url).pathname, stream = await made("own.rd", ""), firmware = await made("own.fw", "");
    for (const [source, out] of [["streams/frame.asm", stream], ["firmware/a6xx.asm", firmware]])
        assert.equal(spawnSync(gpucode, ["asm", file(source), "-o", out]).status, 0);
    await fresh();
    await drop(stream);
    await there();
    await (await page.$("[aria-label='another recording or a firmware, with a time line below this one']")).uploadFile(firmware);
    await page.waitForSelector(".strip.second:not([hidden])");
    await see(".strip.second .tools", "handlers of");
    const shown = await page.evaluate(() => window.gpucode_page.records.second.strip.rows.flatMap((row) => row.events.map(({ lane, name, start, end }) => `${lane} ${name} ${start} ${end}`)).sort());
    const said = spawnSync(gpucode, ["replay", stream, "--firmware", firmware, "--time-line", "--json"], { encoding: "utf8" }).stdout.trimEnd().split("\n").map((line) => JSON.parse(line)).filter(({ lane }) => lane);
    assert.ok(said.some(({ lane, name }) => lane === "SQE" && name === "CP_DRAW_INDX_OFFSET"));
    assert.deepEqual(shown, said.map(({ lane, name, start, end }) => `${lane} ${name} ${start} ${end}`).sort());
    await page.focus(".strip.second .strip-canvas");
    await page.keyboard.press("End");
    await until(() => document.querySelector(".strip.second .strip-words").textContent.includes("instructions"));
    finished();
});
