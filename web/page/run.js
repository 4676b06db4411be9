// SPDX-License-Identifier: MIT
// Running and stepping: code on the machine, forwards and backwards, with what has just changed marked.
import { code_of } from "./open.js";
import { CodeLines, unit_cells } from "./code_lines.js";
import { Listing } from "./listing.js";
import { Session, place_of } from "./session.js";
import { h, show_status } from "./dom.js";

const movements = [
    ["Step", "stepIn", "F11", "one instruction"], ["Next", "next", "F10", "over calls"], ["Finish", "stepOut", "F12", "out of the routine"],
    ["Continue", "continue", "F5", "to a breakpoint or the end"], ["Step back", "stepBack", "F7", "one instruction back"],
    ["Reverse", "reverseContinue", "F6", "back to a breakpoint or the start"],
];

export class Runner {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({ label: "code that runs", line: (i) => this.row(i), on_key: (event, i) => this.key(event, i) });
        this.listing.id = "run";
        this.listing.element.addEventListener("dblclick", () => this.toggle_breakpoint(this.listing.chosen));
        this.input = h("textarea", { rows: "4", spellcheck: "false", "aria-label": "debugger commands before the start",
            placeholder: "packet CP_MEM_WRITE 0x100000, 0, 0xcafe" });
        this.registers = h("div", { class: "registers", "aria-label": "registers", tabindex: "0" });
        this.memory_at = h("input", { value: "0x100000", size: 12, "aria-label": "address of memory", onchange: () => this.draw_memory() });
        this.memory = h("pre", { class: "memory", tabindex: "0", "aria-label": "memory" });
        this.console = h("pre", { class: "console", role: "log", tabindex: "0", "aria-label": "console" });
        this.command = h("input", { class: "command", placeholder: "debugger command, e.g. info registers", "aria-label": "debugger command",
            onkeydown: (event) => event.key === "Enter" && this.type(this.command.value) });
        this.buttons = movements.map(([text, request, key, title]) =>
            h("button", { title: `${title} (${key})`, onclick: () => this.move(request) }, text));
        this.element = h("div", { class: "runner" },
            h("div", { class: "tools" }, h("button", { onclick: () => this.start() }, "Start again"), this.buttons,
                h("button", { title: "ends a movement that takes too long, by starting again", onclick: () => this.halt() }, "Halt"),
                h("button", { title: "F9", onclick: () => this.toggle_breakpoint(this.listing.chosen) }, "Breakpoint")),
            this.listing.element,
            h("div", { class: "side" }, h("details", { open: true }, h("summary", {}, "Before the start"), this.input),
                h("h2", {}, "Registers"), this.registers,
                h("h2", {}, "Memory ", this.memory_at), this.memory),
            h("div", { class: "talk" }, this.console, this.command));
        this.element.addEventListener("keydown", (event) => this.function_key(event));
        this.breakpoints = new Set();
    }

    async show(document) {
        const code = await code_of(this.page.engine, document);
        if (!code.bytes) {
            show_status("The source has errors; “Write” shows them.", "error");
            return false;
        }
        const options = code.given ? ["-t", code.given] : [], files = { "page-code.bin": code.bytes, ...(code.map && { "page-code.map": code.map }) };
        const { out } = await this.page.engine.run(["disasm", "--json", ...options, ...(code.map ? ["--symbols", "page-code.map"] : []), "page-code.bin"], files);
        this.document = document;
        this.code = code;
        this.files = files;
        this.lines = new CodeLines(out);
        this.unit_bytes = this.lines.count && this.lines.unit(0).at_words === undefined ? 1 : (this.lines.unit(0).bits.length - 2) / 2;
        this.breakpoints.clear();
        this.listing.marks.clear();
        this.listing.set_count(this.lines.count);
        if (!this.input.value && this.page.example?.commands)
            this.input.value = this.page.example.commands.join("\n");
        await this.start();
        return true;
    }

    row(index) {
        const cells = unit_cells(this.lines.unit(index), 8);
        cells[0][1] = `${this.breakpoints.has(index) ? "●" : " "}${index === this.present ? "▶" : " "}`;
        return { cells, class: index === this.present ? "present" : "" };
    }

    async start() {
        this.session?.end();
        this.console.textContent = "";
        this.before = null;
        this.session = new Session(this.files, (event, body) => this.event(event, body));
        const commands = this.input.value.split("\n").map((line) => line.trim()).filter(Boolean);
        try {
            await this.session.launch({
                program: "page-code.bin", stopOnEntry: true, commands, ...(this.code.given && { target: this.code.given }),
                ...(this.code.map && { symbols: ["page-code.map"] }), ...this.page.launch_fields?.(),
            });
            await this.set_breakpoints();
        } catch (error) {
            this.say(`${error.message}\n`);
            show_status(error.message, "error");
        }
    }

    say(text) {
        this.console.textContent += text;
        this.console.scrollTop = this.console.scrollHeight;
    }

    event(event, body) {
        if (event === "output")
            this.say(body.output);
        else if (event === "stopped")
            this.stopped(body);
        else if (event === "terminated")
            this.say("the program has ended\n");
    }

    async stopped(body) {
        this.set_busy(false);
        if (body.text || body.description)
            show_status(body.text ?? body.description);
        const { stackFrames } = await this.session.ask("stackTrace", { threadId: body.threadId ?? 1 });
        const frame = stackFrames[0];
        if (frame) {
            const { section, offset } = place_of(frame.instructionPointerReference);
            const name = this.lines.sections()[section]?.name ?? null;
            this.present = this.lines.find(name, offset / this.unit_bytes);
            this.listing.choose(this.present, { tell: false });
            await this.draw_registers(frame.id);
        }
        await this.draw_memory();
        this.page.stopped?.(body);
    }

    async draw_registers(frame) {
        const { scopes } = await this.session.ask("scopes", { frameId: frame });
        const now = new Map(), parts = [];
        for (const scope of scopes) {
            const { variables } = await this.session.ask("variables", { variablesReference: scope.variablesReference });
            const rows = variables.map(({ name, value }) => {
                now.set(`${scope.name} ${name}`, value);
                const changed = this.before && this.before.get(`${scope.name} ${name}`) !== value;
                return h("div", { class: changed ? "changed" : "", title: changed ? `was ${this.before.get(`${scope.name} ${name}`) ?? 0}` : null },
                    h("span", { class: "name" }, name), h("span", { class: "value" }, changed ? `${value} *` : value));
            });
            if (rows.length)
                parts.push(h("details", { open: !scope.expensive || rows.length < 24 }, h("summary", {}, `${scope.name} (${rows.length})`), rows));
        }
        this.before = now;
        this.registers.replaceChildren(...parts);
    }

    async draw_memory() {
        try {
            const { data = "", address } = await this.session.ask("readMemory", { memoryReference: this.memory_at.value, offset: 0, count: 128 });
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), lines = [];
            for (let at = 0; at + 4 <= bytes.length; at += 16) {
                const view = new DataView(bytes.buffer, at, Math.min(16, bytes.length - at)), words = [];
                for (let i = 0; i + 4 <= view.byteLength; i += 4)
                    words.push(view.getUint32(i, true).toString(16).padStart(8, "0"));
                lines.push(`${(BigInt(address) + BigInt(at)).toString(16).padStart(8, "0")}  ${words.join(" ")}`);
            }
            this.memory.textContent = lines.join("\n") || "nothing there";
        } catch (error) {
            this.memory.textContent = error.message;
        }
    }

    set_busy(busy) {
        for (const button of this.buttons)
            button.disabled = busy;
    }

    async move(request) {
        if (!this.session)
            return;
        this.set_busy(true);
        try {
            await this.session.ask(request, { threadId: 1 });
        } catch (error) {
            this.set_busy(false);
            show_status(error.message, "note");
        }
    }

    async halt() {
        show_status("halted by starting again", "note");
        this.set_busy(false);
        await this.start();
    }

    async toggle_breakpoint(index) {
        if (index < 0)
            return;
        if (!this.breakpoints.delete(index))
            this.breakpoints.add(index);
        this.listing.draw();
        await this.set_breakpoints();
    }

    set_breakpoints() {
        const sections = this.lines.sections();
        const breakpoints = [...this.breakpoints].map((index) => {
            const unit = this.lines.unit(index), section = sections.findIndex((run) => run.name === unit.section);
            const address = 2n ** 52n + (BigInt(section) << 32n) + BigInt(unit.at * this.unit_bytes);
            return { instructionReference: `0x${address.toString(16)}` };
        });
        return this.session.ask("setInstructionBreakpoints", { breakpoints });
    }

    async type(text) {
        this.command.value = "";
        this.say(`(gpucode) ${text}\n`);
        try {
            const { result } = await this.session.ask("evaluate", { expression: text, context: "repl", frameId: 0 });
            if (result)
                this.say(result.endsWith("\n") ? result : `${result}\n`);
        } catch (error) {
            this.say(`${error.message}\n`);
        }
    }

    key(event, index) {
        if (event.key === "b" || event.key === " ") {
            this.toggle_breakpoint(index);
            return true;
        }
        return false;
    }

    function_key(event) {
        const movement = movements.find(([, , key]) => key === event.key);
        if (movement)
            this.move(movement[1]);
        else if (event.key === "F9")
            this.toggle_breakpoint(this.listing.chosen);
        else
            return;
        event.preventDefault();
    }
}
