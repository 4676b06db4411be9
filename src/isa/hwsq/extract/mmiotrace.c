/* SPDX-License-Identifier: MIT */
/*
 * Linux mmiotrace: a driver's register accesses as text. The code RAM is followed byte by byte, whatever the order and
 * width of the uploads and whatever happens between them; a trigger tells where a script begins, its exit where it
 * ends.
 */
#include "hwsq_messages.h"
#include "isa/hwsq/extract/extract.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES_MAX 4
#define CODE_MAX 0x200
#define OLD_WINDOW 0x1400
#define NEW_WINDOW 0x80000
#define ENTRY_POINT 0x1304
#define TRIGGER 0x130c
#define ENTRY_POINT_HIGH 0x1318
#define REGISTERS 0x1000000

struct device {
    unsigned place; /* bus << 8 | devfn */
    uint64_t base, length;
    bool any_base; /* no PCIDEV line: addresses modulo the size of the register space */
    const struct gpucode_target *target;
    uint32_t other_id; /* chipset that PMC.ID has shown and that has no HWSQ; 0: none */
    unsigned char code[CODE_MAX];
    bool known[CODE_MAX];   /* written or read */
    bool pending[CODE_MAX]; /* written since the last script was given */
    bool any_pending;
    uint8_t entry_low[4], entry_high[4];
    bool entry_known;
    uint64_t upload_line;
    double upload_time;
    /* the script started last, to be given when it can no longer be started again unchanged */
    struct gpucode_hwsq_script started;
    unsigned char bytes[CODE_MAX];
};

struct trace {
    struct extract *extract;
    struct device device[DEVICES_MAX];
    unsigned device_count;
    uint64_t line;
    double time;
    bool no_target; /* a script was found, but no target for it */
};

bool extract_is_mmiotrace(const struct extract *extract)
{
    return extract->size > 8 && memcmp(extract->bytes, "VERSION ", 8) == 0;
}

/* --- words of a line ------------------------------------------------------------------------------------ */

struct words {
    const char *at, *end;
};

/* The next word, at most room - 1 bytes of it; false at the end of the line. */
static bool next_word(struct words *words, char *text, size_t room)
{
    while (words->at < words->end && (*words->at == ' ' || *words->at == '\t' || *words->at == '\r'))
        words->at++;
    size_t length = 0;
    while (words->at < words->end && *words->at != ' ' && *words->at != '\t' && *words->at != '\r') {
        if (length + 1 < room)
            text[length++] = *words->at;
        words->at++;
    }
    text[length] = 0;
    return length > 0;
}

static bool next_number(struct words *words, unsigned base, uint64_t *value)
{
    char text[32];
    bool overflow;
    if (!next_word(words, text, sizeof text) || strlen(text) == sizeof text - 1) /* the word may go on */
        return false;
    const char *end = text + strlen(text), *at = text;
    if (base == 16 && text[0] == '0' && (text[1] | 32) == 'x')
        at += 2;
    return at < end && text_read_digits(at, end, base, value, &overflow) == end && !overflow;
}

/* "1234.567890", whatever the locale's decimal point is. */
static bool read_seconds(const char *text, double *seconds)
{
    const char *end = text + strlen(text), *at;
    uint64_t whole, part;
    bool overflow;
    at = text_read_digits(text, end, 10, &whole, &overflow);
    if (at == text || overflow)
        return false;
    *seconds = (double)whole;
    if (*at != '.')
        return at == end;
    const char *point = at++;
    double scale = 1;
    at = text_read_digits(at, end, 10, &part, &overflow);
    for (const char *digit = point + 1; digit < at; digit++)
        scale *= 10;
    *seconds += (double)part / scale;
    return at == end && !overflow;
}

/* --- giving scripts ------------------------------------------------------------------------------------- */

static void give_started(struct trace *trace, struct device *device)
{
    if (!device->started.starts)
        return;
    device->started.bytes = device->bytes;
    extract_give(trace->extract, &device->started);
    device->started.starts = 0;
}

static bool same_script(const struct device *device, const unsigned char *code, size_t size, uint32_t address,
                        unsigned entry, char slot)
{
    const struct gpucode_hwsq_script *last = &device->started;
    return last->starts && last->size == size && last->address == address && last->entry == entry &&
           last->slot == slot && memcmp(device->bytes, code, size) == 0;
}

static uint32_t window_bytes(const struct device *device)
{
    return hwsq_chip_of(device->target)->code_bytes;
}

/* What was uploaded and never started: from the entry points that point into it, else run by run. */
static void give_pending(struct trace *trace, struct device *device)
{
    if (!device->any_pending)
        return;
    device->any_pending = false;
    if (!device->target) {
        trace->no_target = true;
        memset(device->pending, 0, sizeof device->pending);
        return;
    }
    give_started(trace, device);
    size_t end = window_bytes(device);
    bool given[CODE_MAX] = {false};
    struct gpucode_hwsq_script script = {.origin = GPUCODE_HWSQ_UPLOADED,
                                         .target = device->target,
                                         .line = device->upload_line,
                                         .time = device->upload_time,
                                         .device = device->place};
    for (size_t pass = 0; pass < 4 + end; pass++) {
        size_t start = pass - 4;
        if (pass < 4) {
            if (!device->entry_known)
                continue;
            start = device->entry_low[pass] | (size_t)device->entry_high[pass] << 8;
            if (start >= end || !device->pending[start] || given[start])
                continue;
            script.entry = (unsigned)pass;
        } else if (!device->pending[start] || given[start] ||
                   (start && device->pending[start - 1] && !given[start - 1])) {
            continue;
        } else {
            script.entry = 0; /* of those before it; no entry point leads here */
        }
        bool padding = pass >= 4 && device->code[start] == 0x7f && start && given[start - 1];
        if (padding) {
            given[start] = true; /* exits that fill up after a script */
            continue;
        }
        script.size = extract_length(device->target, device->code, device->known, start, end, &script.complete);
        if (!script.size)
            continue;
        script.address = (uint32_t)start;
        script.bytes = device->code + start;
        memset(given + start, true, script.size);
        extract_give(trace->extract, &script);
    }
    memset(device->pending, 0, sizeof device->pending);
}

static void start_script(struct trace *trace, struct device *device, uint32_t trigger)
{
    if (!device->target) {
        trace->no_target = true;
        return;
    }
    unsigned entry = trigger >> 2 & 3;
    size_t address = device->entry_low[entry], end = window_bytes(device);
    if (end > 0x100)
        address |= (size_t)device->entry_high[entry] << 8;
    if (address >= end)
        return;
    bool complete;
    size_t size = extract_length(device->target, device->code, device->known, address, end, &complete);
    char slot = hwsq_chip_of(device->target)->slots == 2 ? (trigger & 2 ? 'A' : 'B') : 0;
    memset(device->pending + address, false, size);
    device->any_pending = memchr(device->pending, true, sizeof device->pending) != NULL;
    /* padding that came with the upload is not a script of its own */
    for (size_t i = address + size; i < end && device->pending[i] && device->code[i] == 0x7f; i++)
        device->pending[i] = false;
    device->any_pending = memchr(device->pending, true, sizeof device->pending) != NULL;
    if (same_script(device, device->code + address, size, (uint32_t)address, entry, slot)) {
        device->started.starts++;
        return;
    }
    give_started(trace, device);
    if (!size) /* nothing of it was seen */
        return;
    memcpy(device->bytes, device->code + address, size);
    device->started = (struct gpucode_hwsq_script){.origin = GPUCODE_HWSQ_TRIGGERED,
                                                   .target = device->target,
                                                   .size = size,
                                                   .address = (uint32_t)address,
                                                   .line = trace->line,
                                                   .time = trace->time,
                                                   .device = device->place,
                                                   .entry = entry,
                                                   .slot = slot,
                                                   .starts = 1,
                                                   .complete = complete};
}

/* --- accesses ------------------------------------------------------------------------------------------- */

/* Byte of the code RAM that a register address means, or -1. Without a target both windows are followed. */
static int code_offset(const struct device *device, uint64_t address)
{
    uint32_t bytes = device->target ? hwsq_chip_of(device->target)->code_bytes : CODE_MAX;
    uint32_t old = bytes < 0x100 ? bytes : 0x100;
    if (address >= OLD_WINDOW && address < OLD_WINDOW + old)
        return (int)(address - OLD_WINDOW);
    if (bytes == CODE_MAX && address >= NEW_WINDOW && address < NEW_WINDOW + bytes)
        return (int)(address - NEW_WINDOW);
    return -1;
}

static void write_code(struct trace *trace, struct device *device, int offset, unsigned char byte)
{
    /* an upload that was never started is about to be overwritten: it is given now */
    if (device->pending[offset] && device->code[offset] != byte)
        give_pending(trace, device);
    device->code[offset] = byte;
    device->known[offset] = device->pending[offset] = device->any_pending = true;
    device->upload_line = trace->line;
    device->upload_time = trace->time;
}

static void read_code(struct trace *trace, struct device *device, int offset, unsigned char byte, const char *at)
{
    if (device->known[offset] && device->code[offset] != byte) {
        char read[8], written[8];
        snprintf(read, sizeof read, "0x%02x", byte);
        snprintf(written, sizeof written, "0x%02x", device->code[offset]);
        extract_report(trace->extract, at, 1, MSG_EXTRACT_READBACK, NULL, read, written);
    }
    device->code[offset] = byte;
    device->known[offset] = true;
}

/* One byte lane of a register write other than to the code RAM. */
static void write_register(struct trace *trace, struct device *device, uint64_t address, unsigned char byte)
{
    if (address >= ENTRY_POINT && address < ENTRY_POINT + 4) {
        device->entry_low[address - ENTRY_POINT] = byte;
        device->entry_known = true;
    } else if (address >= ENTRY_POINT_HIGH && address < ENTRY_POINT_HIGH + 4) {
        device->entry_high[address - ENTRY_POINT_HIGH] = byte & 1;
    } else if (address == TRIGGER && byte & 1) {
        start_script(trace, device, byte);
    }
}

static void access_registers(struct trace *trace, struct device *device, bool write, uint64_t address, unsigned width,
                             uint64_t value, const char *at)
{
    if (!write && address == 0 && width == 4 && !device->target) {
        device->other_id = (uint32_t)value >> 20 & 0xff;
        device->target = hwsq_target_of_id(&hwsq_isa, device->other_id);
    }
    for (unsigned i = 0; i < width; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * i);
        int offset = code_offset(device, address + i);
        if (offset >= 0 && write)
            write_code(trace, device, offset, byte);
        else if (offset >= 0)
            read_code(trace, device, offset, byte, at);
        else if (write)
            write_register(trace, device, address + i, byte);
    }
}

/* "W width time id phys value pc pid" */
static bool access_line(struct trace *trace, struct words words, bool write, const char *at)
{
    uint64_t width, id, physical, value;
    char time[40];
    if (!next_number(&words, 10, &width) || (width != 1 && width != 2 && width != 4 && width != 8) ||
        !next_word(&words, time, sizeof time) || !next_number(&words, 10, &id) || !next_number(&words, 16, &physical) ||
        !next_number(&words, 16, &value))
        return false;
    if (!read_seconds(time, &trace->time))
        return false;
    for (unsigned i = 0; i < trace->device_count; i++) {
        struct device *device = &trace->device[i];
        uint64_t address = device->any_base ? physical % REGISTERS : physical - device->base;
        if (address < device->length && (device->any_base || physical >= device->base)) {
            access_registers(trace, device, write, address, (unsigned)width, value, at);
            break;
        }
    }
    return true;
}

/* "PCIDEV busdevfn vendordevice irq bar0..bar6 len0..len6 driver" */
static bool device_line(struct trace *trace, struct words words)
{
    uint64_t place, id, number, base, length = 0;
    if (!next_number(&words, 16, &place) || !next_number(&words, 16, &id) || !next_number(&words, 16, &number) ||
        !next_number(&words, 16, &base))
        return false;
    for (unsigned i = 1; i < 7; i++)
        if (!next_number(&words, 16, &number))
            return false;
    if (!next_number(&words, 16, &length))
        return false;
    if (id >> 16 != 0x10de || trace->device_count == DEVICES_MAX || !(base & ~UINT64_C(15)))
        return true;
    if (trace->device_count == 1 && trace->device[0].any_base)
        trace->device_count = 0; /* the device that was made up for want of this line */
    struct device *device = &trace->device[trace->device_count++];
    *device = (struct device){.place = (unsigned)place & 0xffff,
                              .base = base & ~UINT64_C(15),
                              .length = length && length < REGISTERS ? length : REGISTERS,
                              .target = trace->extract->options->target};
    return true;
}

static bool begins_with(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
           (at + length == end || at[length] == ' ' || at[length] == '\r');
}

static void read_line(struct trace *trace, const char *at, const char *end)
{
    static const char *const others[] = {"VERSION", "LSPCI", "MAP", "UNMAP", "MARK", "UNKNOWN"};
    bool write = begins_with(at, end, "W"), good = at == end || *at == '\r' || *at == '#';
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        good |= begins_with(at, end, others[i]);
    if (write || begins_with(at, end, "R")) {
        if (!trace->device_count) {
            extract_report(trace->extract, at, 1, MSG_EXTRACT_DEVICE, NULL, NULL, NULL);
            trace->device[trace->device_count++] =
                (struct device){.any_base = true, .length = REGISTERS, .target = trace->extract->options->target};
        }
        good = access_line(trace, (struct words){at + 1, end}, write, at);
    } else if (begins_with(at, end, "PCIDEV")) {
        good = device_line(trace, (struct words){at + 6, end});
    }
    if (!good)
        extract_report(trace->extract, at, (size_t)(end - at), MSG_EXTRACT_LINE, NULL, NULL, NULL);
}

/* A first look for what the chipset is: drivers may upload before they read PMC.ID in the trace. */
static void find_targets(struct trace *trace, const char *text, const char *end)
{
    struct trace look = *trace;
    struct extract deaf = {.options = &(struct gpucode_hwsq_extract_options){0}};
    look.extract = &deaf;
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        struct words words = {at + 6, stop};
        if (begins_with(at, stop, "PCIDEV"))
            device_line(&look, words);
        at = stop + 1;
    }
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        struct words words = {at + 1, stop};
        uint64_t width, id, physical, value;
        char time[40];
        if (begins_with(at, stop, "R") && next_number(&words, 10, &width) && width == 4 &&
            next_word(&words, time, sizeof time) && next_number(&words, 10, &id) &&
            next_number(&words, 16, &physical) && next_number(&words, 16, &value)) {
            if (!look.device_count)
                look.device[look.device_count++] = (struct device){.any_base = true};
            for (unsigned i = 0; i < look.device_count; i++) {
                struct device *device = &look.device[i];
                bool is_id = device->any_base ? physical % REGISTERS == 0 : physical == device->base;
                if (is_id && !device->target)
                    device->target = hwsq_target_of_id(&hwsq_isa, (uint32_t)value >> 20 & 0xff);
            }
        }
        at = stop + 1;
    }
    for (unsigned i = 0; i < look.device_count; i++)
        trace->device[i].target = look.device[i].target; /* taken over when the device line comes */
}

static void report_no_target(const struct trace *trace)
{
    char id[16];
    for (unsigned i = 0; i < trace->device_count; i++)
        if (!trace->device[i].target && trace->device[i].other_id) {
            snprintf(id, sizeof id, "0x%02x", (unsigned)trace->device[i].other_id);
            extract_report(trace->extract, NULL, 0, MSG_EXTRACT_NO_HWSQ, "-t TARGET takes its accesses all the same",
                           id, NULL);
            return;
        }
    extract_no_target(trace->extract);
}

void extract_mmiotrace(struct extract *extract)
{
    struct trace *trace = calloc(1, sizeof *trace), *found = calloc(1, sizeof *found);
    const char *text = (const char *)extract->bytes, *end = text + extract->size;
    if (!trace || !found) {
        extract->failed = true;
    } else {
        found->extract = trace->extract = extract;
        if (!extract->options->target)
            find_targets(found, text, end);
        for (const char *at = text; at < end;) {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            const char *stop = newline ? newline : end;
            unsigned before = trace->device_count;
            trace->line++;
            read_line(trace, at, stop);
            if (trace->device_count &&
                (before != trace->device_count || !trace->device[trace->device_count - 1].target)) {
                struct device *device = &trace->device[trace->device_count - 1];
                if (!device->target)
                    device->target = found->device[trace->device_count - 1].target;
            }
            at = stop + 1;
        }
        for (unsigned i = 0; i < trace->device_count; i++) {
            give_pending(trace, &trace->device[i]);
            give_started(trace, &trace->device[i]);
        }
        if (trace->no_target)
            report_no_target(trace);
    }
    free(trace);
    free(found);
}
