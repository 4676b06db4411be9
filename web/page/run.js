// SPDX-License-Identifier: MIT
// Running and stepping: code on the machine, forwards and backwards, with what has just changed marked.
import { unit_cells } from "./code_lines.js";
import { code_view, listing_of } from "./code_view.js";
import { Listing } from "./listing.js";
import { Inputs, launch_of } from "./recorded.js";
import { RunLine } from "./run_line.js";
import { Session, place_of } from "./session.js";
import { fold_button, h, show_status } from "./dom.js";
import { shown, taken } from "./values.js";

const movements = [
    ["Step", "stepIn", "F11", "one instruction"], ["Next", "next", "F10", "over calls"], ["Finish", "stepOut", "F12", "out of the routine"],
    ["Continue", "continue", "F5", "to a breakpoint or the end"], ["Step back", "stepBack", "F7", "one instruction back"],
    ["Reverse", "reverseContinue", "F6", "back to a breakpoint or the start"],
];
const console_kept = "gpucode-console", lines_kept = 200; // lines typed, over all visits

export class Runner {
    constructor(page) {
        this.page = page;
        this.listing = new Listing({ label: "code that runs", line: (i) => this.row(i), on_key: (event, i) => this.key(event, i),
            on_mark: (i) => this.toggle_breakpoint(i) });
        this.listing.id = "run";
        this.listing.element.classList.add("with-margin");
        this.listing.element.addEventListener("dblclick", () => this.toggle_breakpoint(this.listing.chosen));
        this.input = h("textarea", { rows: "4", spellcheck: "false", "aria-label": "debugger commands before the start",
            oninput: () => page.touch({ commands: this.input.value }), placeholder: "one a line, e.g. break 0x20" });
        this.registers = h("div", { class: "registers", role: "group", "aria-label": "registers", tabindex: "0" });
        this.memory_at = h("input", { value: "0x100000", size: 12, "aria-label": "address of memory", onchange: () => this.draw_memory() });
        this.memory = h("pre", { class: "memory", role: "group", tabindex: "0", "aria-label": "memory" });
        this.console = h("pre", { class: "console", role: "log", tabindex: "0", "aria-label": "console" });
        this.command = h("input", { class: "command", placeholder: "debugger command, e.g. info registers", "aria-label": "debugger command",
            onkeydown: (event) => this.command_key(event) });
        this.form = h("select", { "aria-label": "values as", onchange: () => this.fill_registers() },
            [["type", "by type"], ["hex", "hex"], ["decimal", "decimal"], ["float", "float"]].map(([value, text]) => h("option", { value }, text)));
        this.setting = h("input", { size: 16, placeholder: "name = value", "aria-label": "set a register", onkeydown: (event) => event.key === "Enter" && this.set_typed() });
        this.threads = h("select", { "aria-label": "thread", hidden: true, onchange: () => this.look_at(Number(this.threads.value)) });
        this.line = new RunLine({ on_moment: (event) => this.go_to_moment(event), on_pixel: (x, y) => (this.document.launch ? this.inputs.pixel(x, y) : page.views.picture.step_pixel(x, y)) });
        this.buttons = movements.map(([text, request, key, title]) =>
            h("button", { title: `${title} (${key})`, onclick: () => this.move(request) }, text));
        this.inputs = new Inputs(page, { on_change: () => this.start() });
        const side = h("div", { class: "side" }, this.inputs.element, h("details", { open: true }, h("summary", {}, "Before the start"), this.input),
            h("h2", {}, "Registers ", this.form, " ", this.setting), this.registers, h("h2", {}, "Memory ", this.memory_at), this.memory);
        const talk = h("div", { class: "talk" }, this.console, this.command);
        this.element = h("div", { class: "runner" },
            h("div", { class: "tools" }, h("button", { onclick: () => this.start() }, "Start again"), this.buttons,
                h("button", { title: "ends a movement that takes too long (Pause)", onclick: () => this.session?.pause() }, "Pause"),
                h("button", { title: "F9, or a click in the margin", onclick: () => this.toggle_breakpoint(this.listing.chosen) }, "Breakpoint"), this.threads,
                fold_button(this.line.strip.place.parentNode, "Time line"), fold_button(side, "Registers"), fold_button(talk, "Console")),
            this.listing.element, this.line.element, side, talk);
        this.breakpoints = new Set();
        this.typed = [];
        try {
            this.typed = JSON.parse(localStorage.getItem(console_kept) ?? "[]");
        } catch {
            // no such place: the lines of this visit
        }
        this.wanted = null;
    }

    async show(document) {
        const view = await code_view(this.page.engine, document);
        this.stays = false;
        if (!view.bytes) {
            this.clear();
            show_status("The source has errors; “Write” shows them.", "error");
            return false;
        }
        this.document = document;
        this.view = view;
        this.lines = (await listing_of(this.page.engine, view)).lines;
        this.unit_bytes = this.lines.count && this.lines.unit(0).at_words === undefined ? 1 : (this.lines.unit(0).bits.length - 2) / 2;
        this.breakpoints = new Set((document.state.breakpoints ?? []).map(({ section, at }) => this.lines.find(section, at)).filter((index) => index >= 0));
        this.listing.marks.clear();
        this.listing.set_count(this.lines.count);
        this.input.value = document.state.commands ?? "";
        await this.inputs.show(document, view.options);
        await this.start();
        this.stays = true; // a change of the source does not end it
        return true;
    }

    // Nothing runs: what another document left goes.
    clear() {
        this.session?.end();
        this.session = this.lines = null;
        this.present = -1;
        this.listing.set_count(0);
        this.registers.replaceChildren();
        this.memory.textContent = this.console.textContent = "";
        this.line.clear();
        this.set_busy(true);
    }

    whole_text() {
        return this.listing.whole_text();
    }

    row(index) {
        const cells = unit_cells(this.lines.unit(index), 8);
        cells[0][1] = `${this.breakpoints.has(index) ? "●" : " "}${index === this.present ? "▶" : " "}`;
        return { cells, class: index === this.present ? "present" : "" };
    }

    // A source is given as such: what it declares for its inputs is not in its bytes.
    async start() {
        this.session?.end();
        this.set_busy(false);
        this.console.textContent = "";
        this.past = this.asked = null;
        this.seen = { position: -1, threads: new Map() };
        this.thread = 1;
        this.session = new Session({ ...this.document.files, ...this.view.files, ...this.page.launch_files }, (event, body) => this.event(event, body));
        const commands = this.input.value.split("\n").map((line) => line.trim()).filter(Boolean);
        const program = this.document.kind === "source" ? this.document.name : this.view.name;
        const fields = this.document.launch ? launch_of(this.document) : this.page.launch_fields ?? {};
        try {
            await this.session.launch({ ...(fields.from ? {} : { program }), stopOnEntry: true, commands, ...(this.view.given && { target: this.view.given }), ...fields });
            const { threads } = await this.session.ask("threads");
            this.threads.hidden = threads.length < 2;
            this.threads.replaceChildren(...threads.map(({ id, name }) => h("option", { value: id }, `thread ${name}`)));
            this.threads.value = this.thread;
            await this.set_breakpoints();
        } catch (error) {
            this.say(`${error.message}\n`);
            show_status(error.message, "error");
        }
        await this.load_line(program, commands, fields);
    }

    async load_line(program, commands, fields) {
        const { document, view, page } = this, is_source = document.kind === "source";
        const said = await this.line.load(page.engine, { program, commands, options: view.options, files: { ...document.files, ...view.files, ...page.launch_files }, fields,
            source: is_source ? new TextDecoder().decode(document.files[document.name]).split("\n") : null });
        this.inputs.tell(said);
        if (document.launch)
            this.line.show_picture(fields.image && document.picture, fields.pixel);
        else
            this.line.show_picture(page.views.picture?.image, page.launch_fields?.pixel);
        if (!this.line.element.hidden && this.frame)
            this.follow(await this.position());
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
        show_status(body.text ?? body.description ?? (body.reason === "pause" ? "paused" : ""));
        const stands_still = body.reason === "pause" && body.text; // all of them do: the one that was looked at is as good
        await this.look_at(stands_still ? this.thread : this.asked ?? body.threadId ?? 1);
        if (!this.line.element.hidden)
            this.follow(await this.position());
        this.page.stopped?.(body);
    }

    // The time line goes along, unless it is ahead: then the place that this one tells is an old one, and the moment would jump back
    // to it between two keys.
    follow(position) {
        if (!this.going)
            this.line.at(position, this.threads.selectedOptions[0]?.textContent.replace("thread ", ""));
        if (this.page.document.moment !== undefined) // one was chosen: it goes along
            this.page.document.moment = position;
    }

    // Shows where a thread stands, and what it sees.
    async look_at(thread) {
        this.thread = thread;
        this.threads.value = thread;
        const { stackFrames } = await this.session.ask("stackTrace", { threadId: thread });
        this.frame = stackFrames[0]?.id ?? 0;
        if (stackFrames[0]) {
            const { section, offset } = place_of(stackFrames[0].instructionPointerReference);
            const name = this.lines.sections()[section]?.name ?? null;
            this.present = this.lines.find(name, offset / this.unit_bytes);
            this.listing.choose(this.present, { tell: false });
            await this.draw_registers(this.frame);
        }
        await this.draw_memory();
    }

    // Instructions that have run since the start.
    async position() {
        const { memoryReference } = await this.session.ask("evaluate", { expression: "$position", context: "watch", frameId: this.frame });
        return Number(memoryReference);
    }

    // A lane of a thread is seen through that thread; a write to memory shows the memory.
    go_to_moment({ position, lane, name }) {
        const own = [...this.threads.options].find(({ textContent }) => textContent.replace("thread ", "") === lane.replace("fiber ", ""));
        const address = lane === "memory" && name.match(/^\[(0x[0-9a-f]+)\]/)?.[1];
        this.asked = own ? Number(own.value) : null;
        this.page.document.moment = position;
        if (address)
            this.memory_at.value = address;
        return this.go_to_time(position);
    }

    // Of moments that are asked for while one is on its way only the last one counts.
    async go_to_time(position) {
        this.wanted = position;
        if (this.going)
            return;
        this.going = true;
        while (this.wanted !== null) {
            const next = this.wanted;
            this.wanted = null;
            await this.session.ask("evaluate", { expression: `goto ${next}`, context: "repl", frameId: this.frame }).catch((error) => show_status(error.message, "error"));
        }
        this.going = false;
    }

    // What has changed since the position that was shown before this one.
    async draw_registers(frame) {
        const { scopes } = await this.session.ask("scopes", { frameId: frame }), now = new Map(), lists = [];
        for (const scope of scopes) {
            const { variables } = await this.session.ask("variables", { variablesReference: scope.variablesReference });
            lists.push([scope, variables]);
            for (const { name, value } of variables)
                now.set(`${scope.name} ${name}`, value);
        }
        const position = await this.position(); // last: it may have moved on meanwhile, and then this comes again
        if (position !== this.seen.position) {
            this.past = this.seen;
            this.seen = { position, threads: new Map() };
        }
        this.seen.threads.set(this.thread, now);
        const before = this.past?.threads.get(this.thread);
        this.lists = lists.filter(([, variables]) => variables.length);
        this.fill_registers();
    }

    fill_registers() {
        const before = this.past?.threads.get(this.thread), open = new Map([...this.registers.children].map((group) => [group.dataset.name, group.open]));
        this.registers.classList.toggle("wide", (this.lists ?? []).some(([, variables]) => variables.some(({ name, value }) => shown(name, value, this.form.value).text.length > 14)));
        this.registers.replaceChildren(...(this.lists ?? []).map(([scope, variables]) =>
            h("details", { "data-name": scope.name, open: open.get(scope.name) ?? (!scope.expensive || variables.length < 24) }, h("summary", {}, `${scope.name} (${variables.length})`), variables.map((variable) => {
                const { name, value } = variable, old = before?.get(`${scope.name} ${name}`) ?? "0x00000000", changed = before && old !== value;
                const now = shown(name, value, this.form.value), was = changed ? `; was ${shown(name, old, this.form.value).text}` : "";
                return h("div", { class: changed ? "changed" : "" }, h("span", { class: "name" }, name),
                    h("button", { class: "value", title: `${now.title}${was}; a click changes it`, onclick: (event) => this.edit(variable, event.currentTarget) }, changed ? `${now.text} *` : now.text));
            }))));
    }

    // A value is changed where it stands: Enter takes it, Escape leaves it.
    edit({ name, value }, place) {
        const box = h("input", { value: shown(name, value, this.form.value).text.replace(/ \(.*/, ""), size: 14, "aria-label": `value of ${name}`, onkeydown: (event) => {
            if (event.key === "Enter")
                this.assign(name, box.value);
            else if (event.key === "Escape")
                this.fill_registers();
        } });
        place.replaceWith(box);
        box.select();
        box.focus();
    }

    // Of registers that are not shown, because they are zero, as well.
    async set_typed() {
        const [, name, text] = this.setting.value.match(/^\s*([^=]+?)\s*=\s*(.+)$/) ?? [];
        if (!name)
            show_status("a register is set by its name and a value: r0.x = 2.5", "error");
        else if (await this.assign(name, text))
            this.setting.value = "";
    }

    async assign(name, text) {
        let good = true;
        try {
            await this.session.ask("setExpression", { expression: name, value: taken(name, text), frameId: this.frame });
            show_status(`${name} is changed`);
        } catch (error) {
            good = false;
            show_status(`${name}: ${error.message}`, "error");
        }
        await this.draw_registers(this.frame);
        return good;
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
        this.asked = null;
        this.set_busy(true);
        show_status("running …");
        try {
            await this.session.ask(request, { threadId: this.thread });
        } catch (error) {
            this.set_busy(false);
            show_status(error.message, "note");
        }
    }

    async toggle_breakpoint(index) {
        if (index < 0 || !this.lines)
            return;
        if (!this.breakpoints.delete(index))
            this.breakpoints.add(index);
        this.listing.draw();
        this.page.touch({ breakpoints: [...this.breakpoints].map((one) => this.lines.unit(one)).map(({ section, at }) => ({ section, at })) });
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

    // Arrow keys go through what was typed before.
    command_key(event) {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (event.key === "Enter")
            this.type(this.command.value);
        if (!step)
            return;
        this.recalled = Math.max(0, Math.min(this.typed.length, (this.recalled ?? this.typed.length) + step));
        this.command.value = this.typed[this.recalled] ?? "";
        event.preventDefault();
    }

    remember(text) {
        this.recalled = null;
        if (!text.trim() || this.typed.at(-1) === text)
            return;
        this.typed = [...this.typed, text].slice(-lines_kept);
        try {
            localStorage.setItem(console_kept, JSON.stringify(this.typed));
        } catch {
            // kept for this visit
        }
    }

    async type(text) {
        this.asked = null;
        this.command.value = "";
        this.remember(text);
        if (!this.session)
            return;
        this.say(`(gpucode) ${text}\n`);
        try {
            const { result } = await this.session.ask("evaluate", { expression: text, context: "repl", frameId: this.frame });
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

    // Wherever the focus is: F5 must not load the page again while something is stepped.
    function_key(event) {
        const movement = movements.find(([, , key]) => key === event.key);
        if (event.key === "Pause")
            this.session?.pause();
        else if (event.key === "F8")
            this.type("reverse-next");
        else if (event.key === "F9")
            this.toggle_breakpoint(this.listing.chosen);
        else if (!movement)
            return;
        else if (!this.buttons[0].disabled)
            this.move(movement[1]);
        event.preventDefault();
    }
}
