// SPDX-License-Identifier: MIT
// What is kept on this computer: every document with what was done to it in each view, in the browser's own database. Nothing of it
// goes anywhere.

import { size_of, whole_bytes } from "./take.js";

const pause_ms = 100; // after the last change
const most_bytes = whole_bytes; // of one document's files
const opened_most = 24; // documents that were only looked at; what was changed stays until it is thrown away
const journal = "gpucode-journal"; // what a page that is left has no time for

const settled = (request) => new Promise((good, bad) => {
    request.onsuccess = () => good(request.result);
    request.onerror = () => bad(request.error ?? new Error("refused"));
});

export function new_id() {
    return [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

function letters_of(bytes) {
    let letters = "";
    for (let at = 0; at < bytes.length; at += 0x8000)
        letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return letters;
}

const all_bytes = (files) => Object.values(files).reduce((sum, bytes) => sum + size_of(bytes), 0);

// Two tables: what changes often (names, states, texts that were typed), and files as they were opened.
export class Shelf {
    // on_trouble(why): from now on nothing is kept, or (null) it is again; on_kept(record)
    constructor(on_trouble, on_kept) {
        this.on_trouble = on_trouble;
        this.on_kept = on_kept;
        this.waiting = new Map(); // id -> record
        this.stored = new Set(); // ids whose files are there
        this.opening = this.open();
        addEventListener("pagehide", () => this.leave());
        addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
        addEventListener("beforeunload", (event) => this.trouble && this.unkept && event.preventDefault());
    }

    async open() {
        try {
            const request = indexedDB.open("gpucode", 1);
            request.onupgradeneeded = () => {
                request.result.createObjectStore("records", { keyPath: "id" });
                request.result.createObjectStore("files");
            };
            this.base = await settled(request);
            await this.take_journal();
        } catch (error) {
            this.tell(error);
        }
    }

    tell(error) {
        this.trouble = error ? error.message || error.name || `${error}` : null;
        this.on_trouble(this.trouble);
    }

    table(name, mode = "readonly") {
        return this.base.transaction(name, mode).objectStore(name);
    }

    // Newest first.
    async all() {
        await this.opening;
        const records = this.base ? await settled(this.table("records").getAll()).catch(() => []) : [];
        return records.sort((a, b) => b.time - a.time);
    }

    // A record with `files`, those that were typed over those that were opened; or null.
    async get(id) {
        await this.opening;
        await this.flush();
        if (!this.base)
            return null;
        const record = await settled(this.table("records").get(id));
        const files = record && (await settled(this.table("files").get(id)));
        if (files)
            this.stored.add(id);
        return files ? { ...record, files: { ...files, ...record.texts } } : null;
    }

    // record: {id, name, given, example, state, edited, time, texts, files}
    keep(record) {
        if (all_bytes(record.files) > most_bytes)
            return this.tell(new Error(`${record.name} is larger than ${most_bytes >> 20} MB`));
        this.waiting.set(record.id, record);
        this.unkept = true;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.flush(), pause_ms);
    }

    async flush() {
        await this.opening;
        clearTimeout(this.timer);
        const records = [...this.waiting.values()];
        this.waiting.clear();
        for (const record of records)
            await this.write(record).catch((error) => this.tell(error));
        if (records.length && !this.trouble) {
            this.unkept = this.waiting.size > 0;
            this.on_kept(records.at(-1));
            await this.sweep();
        }
    }

    async write({ files, ...record }) {
        if (!this.base)
            throw new Error(this.trouble ?? "there is no database");
        if (!this.stored.has(record.id)) {
            await settled(this.table("files", "readwrite").put(files, record.id));
            this.stored.add(record.id);
        }
        await settled(this.table("records", "readwrite").put(record));
        if (this.trouble)
            this.tell(null);
    }

    async forget(id) {
        this.waiting.delete(id);
        this.stored.delete(id);
        await this.opening;
        if (this.base) {
            await settled(this.table("records", "readwrite").delete(id));
            await settled(this.table("files", "readwrite").delete(id));
        }
    }

    async sweep() {
        const looked_at = (await this.all()).filter((record) => !record.edited);
        for (const { id } of looked_at.slice(opened_most))
            await this.forget(id);
    }

    // A page that goes away may not wait for the database: texts, and files of a document that it has not got yet, go where that
    // takes no time.
    leave() {
        this.on_leave?.();
        const written = (files) => Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, letters_of(bytes)]));
        const records = [...this.waiting.values()].map(({ files, texts, state, ...record }) => ({
            ...record, state: { ...state, picture: null }, texts: written(texts), files: this.stored.has(record.id) ? null : written(files),
        }));
        this.flush();
        if (records.length)
            try {
                localStorage.setItem(journal, JSON.stringify(records));
            } catch {
                // too long for it; the database may still have taken it
            }
    }

    async take_journal() {
        let records = [];
        try {
            records = JSON.parse(localStorage.getItem(journal) ?? "[]");
            localStorage.removeItem(journal);
        } catch {
            return; // no such place: the database alone
        }
        const read = (files) => Object.fromEntries(Object.entries(files).map(([name, letters]) => [name, Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]));
        for (const { files, texts, state, ...record } of records) {
            const before = await settled(this.table("records").get(record.id)), kept = await settled(this.table("files").getKey(record.id));
            if (!kept && files)
                await settled(this.table("files", "readwrite").put(read(files), record.id));
            if (kept || files)
                await settled(this.table("records", "readwrite").put({ ...record, texts: read(texts), state: { ...state, picture: before?.state.picture ?? null } }));
        }
    }
}
