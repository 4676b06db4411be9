/* SPDX-License-Identifier: MIT */
/* Code: places as numbers, listings as sources, disassembly. */
#include "dap/server.h"

#include "wire/wire.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned unit_bytes(const struct dap *dap)
{
    return gpucode_target_unit_bytes(gpucode_image_info(dap->image)->target);
}

uint64_t code_address(const struct dap *dap, unsigned section, uint64_t pc)
{
    return CODE_BASE + ((uint64_t)section << 32) + pc * unit_bytes(dap);
}

bool code_place(const struct dap *dap, uint64_t address, unsigned *section, uint64_t *pc)
{
    struct gpucode_section found;
    if (address < CODE_BASE)
        return false;
    *section = (unsigned)((address - CODE_BASE) >> 32);
    *pc = (address & UINT32_MAX) / unit_bytes(dap);
    return gpucode_debug_section(dap->debug, *section, &found) && *pc < found.size;
}

bool take_reference(const json_t *arguments, const char *key, uint64_t *address)
{
    const char *text = text_of(arguments, key);
    char *end;
    *address = strtoull(text, &end, 0);
    return *text && !*end;
}

static char *listing_text(struct dap *dap, unsigned section)
{
    char text[CONSOLE_NOTED_MAX], label[GPUCODE_NAME_MAX], line[CONSOLE_NOTED_MAX + GPUCODE_NAME_MAX + 64];
    size_t length = 0, room = 4096;
    char *listing = memory_zeroed(1, room);
    unsigned units;
    for (uint64_t pc = 0; listing && (units = gpucode_debug_text(dap->debug, section, pc, text, GPUCODE_TEXT_MAX));
         pc += units) {
        bool named = gpucode_debug_label(dap->debug, section, pc, label, sizeof label) && !strchr(label, '+');
        console_add_note(dap->console, section, pc, text);
        size_t size = (size_t)snprintf(line, sizeof line, "%04" PRIx64 "  %-24s %s\n", pc, named ? label : "", text);
        if (room - length <= size) {
            char *larger = memory_resize(listing, room *= 2);
            if (!larger)
                free(listing);
            listing = larger;
        }
        if (listing)
            memcpy(listing + length, line, size + 1);
        length += size;
    }
    return listing;
}

/* Lines of a listing are instructions in order. */
bool listing_place(struct dap *dap, unsigned section, int64_t line, uint64_t *pc)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned units;
    *pc = 0;
    if (unit_bytes(dap) > 1) { /* every unit is an instruction */
        *pc = (uint64_t)line - 1;
        line = 1;
    }
    while (line-- > 1) {
        if (!(units = gpucode_debug_text(dap->debug, section, *pc, text, sizeof text)))
            return false;
        *pc += units;
    }
    return gpucode_debug_text(dap->debug, section, *pc, text, sizeof text);
}

static int64_t listing_line(struct dap *dap, unsigned section, uint64_t pc)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned units;
    int64_t line = 1;
    if (unit_bytes(dap) > 1)
        return (int64_t)pc + 1;
    for (uint64_t at = 0; at < pc && (units = gpucode_debug_text(dap->debug, section, at, text, sizeof text));
         at += units)
        line++;
    return line;
}

void add_source(struct dap *dap, json_t *object, unsigned section, uint64_t pc)
{
    struct gpucode_place place;
    struct gpucode_section found;
    char path[PATH_MAX];
    int64_t line;
    json_t *source;
    if (gpucode_debug_place(dap->debug, section, pc, &place) && realpath(place.file, path)) {
        const char *slash = strrchr(path, '/');
        source = json_pack("{s:s, s:s}", "name", slash ? slash + 1 : path, "path", path);
        line = place.line;
    } else {
        gpucode_debug_section(dap->debug, section, &found);
        source =
            json_pack("{s:s, s:i}", "name", *found.name ? found.name : "code", "sourceReference", (int)section + 1);
        line = listing_line(dap, section, pc);
    }
    if (source)
        json_object_set_new(object, "source", source);
    json_object_set_new(object, "line", json_integer(line - dap->lines_from_0));
}

static bool lists_source(const json_t *list, const char *path)
{
    const json_t *source;
    size_t i;
    json_array_foreach(list, i, source) if (strcmp(text_of(source, "path"), path) == 0) return true;
    return false;
}

/* The files that code comes from, and the listings. */
void request_loadedSources(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    struct gpucode_section section;
    struct gpucode_place place;
    char path[PATH_MAX], last[PATH_MAX] = "";
    json_t *list = json_array();
    (void)arguments;
    for (unsigned i = 0; gpucode_debug_section(dap->debug, i, &section); i++) {
        for (uint64_t pc = 0; pc < section.size; pc++) {
            if (!gpucode_debug_place(dap->debug, i, pc, &place) || strcmp(place.file, last) == 0)
                continue;
            snprintf(last, sizeof last, "%s", place.file);
            if (!realpath(place.file, path) || lists_source(list, path))
                continue;
            const char *slash = strrchr(path, '/');
            json_t *source = json_pack("{s:s, s:s}", "name", slash ? slash + 1 : path, "path", path);
            if (source) /* a path that is not UTF-8 has no JSON form */
                json_array_append_new(list, source);
        }
        json_array_append_new(list, json_pack("{s:s, s:i}", "name", *section.name ? section.name : "code",
                                              "sourceReference", (int)i + 1));
    }
    answer->body = json_pack("{s:o}", "sources", list);
}

void request_source(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    int64_t reference = number_of(json_object_get(arguments, "source"), "sourceReference", 0);
    if (!reference)
        reference = number_of(arguments, "sourceReference", 0);
    struct gpucode_section section;
    if (reference < 1 || reference > UINT32_MAX ||
        !gpucode_debug_section(dap->debug, (unsigned)reference - 1, &section)) {
        refuse(answer, "there is no such source");
        return;
    }
    char *text = listing_text(dap, (unsigned)reference - 1);
    char type[32]; /* editors colour by it */
    snprintf(type, sizeof type, "text/x-%s", gpucode_target_isa(gpucode_image_info(dap->image)->target));
    answer->body = text ? json_pack("{s:s, s:s}", "content", text, "mimeType", type) : NULL;
    if (!text)
        refuse(answer, "out of memory");
    else if (!answer->body)
        refuse(answer, "the listing is not text");
    free(text);
}

/* The place `offset` instructions from pc. Beyond the section's ends *outside says by how many. */
static uint64_t move_by(struct dap *dap, unsigned section, uint64_t pc, int64_t offset, int64_t *outside)
{
    char text[GPUCODE_TEXT_MAX];
    *outside = 0;
    if (offset >= 0 || unit_bytes(dap) > 1) {
        int64_t at = (int64_t)pc;
        if (unit_bytes(dap) > 1) {
            at += offset;
            if (at < 0) {
                *outside = at;
                at = 0;
            }
            return (uint64_t)at;
        }
        while (offset-- > 0) {
            unsigned units = gpucode_debug_text(dap->debug, section, pc, text, sizeof text);
            pc += units ? units : 1;
        }
        return pc;
    }
    /* instructions of several lengths can be found from the start only */
    int64_t line = listing_line(dap, section, pc) + offset;
    if (line < 1) {
        *outside = line - 1;
        return 0;
    }
    listing_place(dap, section, line, &pc);
    return pc;
}

static json_t *no_instruction(uint64_t address)
{
    char reference[32];
    snprintf(reference, sizeof reference, "0x%" PRIx64, address);
    return json_pack("{s:s, s:s, s:s}", "address", reference, "instruction", "(no code)", "presentationHint",
                     "invalid");
}

void request_disassemble(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    uint64_t address, pc;
    unsigned section;
    int64_t count = number_of(arguments, "instructionCount", 0), outside;
    int64_t offset = number_of(arguments, "instructionOffset", 0);
    if (!take_reference(arguments, "memoryReference", &address) ||
        !code_place(dap, address + (uint64_t)number_of(arguments, "offset", 0), &section, &pc)) {
        refuse(answer, "there is no code at that reference");
        return;
    }
    if (count < 0 || count > 65536 || offset < -1000000 || offset > 1000000) {
        refuse(answer, "at most 65536 instructions are shown at a time");
        return;
    }
    pc = move_by(dap, section, pc, offset, &outside);
    json_t *list = json_array();
    for (; outside < 0 && count; outside++, count--)
        json_array_append_new(list, no_instruction(CODE_BASE - (uint64_t)-outside * unit_bytes(dap)));
    for (; count; count--) {
        char text[CONSOLE_NOTED_MAX], bytes[64] = "", reference[32], label[GPUCODE_NAME_MAX];
        struct gpucode_insn insn;
        const unsigned char *at;
        unsigned units = gpucode_debug_text(dap->debug, section, pc, text, GPUCODE_TEXT_MAX);
        snprintf(reference, sizeof reference, "0x%" PRIx64, code_address(dap, section, pc));
        if (!units) {
            json_array_append_new(list, no_instruction(code_address(dap, section, pc++)));
            continue;
        }
        gpucode_debug_insn(dap->debug, section, pc, &insn, &at);
        for (unsigned i = 0; i < units * unit_bytes(dap) && i < 16; i++)
            snprintf(bytes + 3 * i, 4, "%02x ", at[i]);
        console_add_note(dap->console, section, pc, text);
        json_t *item =
            json_pack("{s:s, s:s, s:s}", "address", reference, "instruction", text, "instructionBytes", bytes);
        if (item && gpucode_debug_label(dap->debug, section, pc, label, sizeof label) && !strchr(label, '+'))
            json_object_set_new(item, "symbol", json_string(label));
        struct gpucode_place place;
        if (item && gpucode_debug_place(dap->debug, section, pc, &place)) {
            json_t *where = json_object();
            add_source(dap, where, section, pc);
            json_object_set(item, "location", json_object_get(where, "source"));
            json_object_set(item, "line", json_object_get(where, "line"));
            json_decref(where);
        }
        json_array_append_new(list, item ? item : no_instruction(code_address(dap, section, pc)));
        pc += units;
    }
    answer->body = json_pack("{s:o}", "instructions", list);
}

/* Memory in base64: of the machine, and code as read-only memory. */

#define LARGEST (1 << 20)

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *encode_base64(const unsigned char *bytes, size_t size)
{
    char *text = malloc((size + 2) / 3 * 4 + 1), *at = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < size ? bytes[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            *at++ = i + k > size ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
    *at = 0;
    return text;
}

/* False: no base64. *bytes is malloc'ed. */
static bool decode_base64(const char *text, unsigned char **bytes, size_t *size)
{
    uint32_t group = 0;
    unsigned count = 0;
    *size = 0;
    *bytes = malloc(strlen(text) + 1);
    if (!*bytes)
        return false;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (!digit)
            return false;
        group = group << 6 | (uint32_t)(digit - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            (*bytes)[(*size)++] = (unsigned char)(group >> count);
        }
    }
    return true;
}

static size_t read_code(struct dap *dap, uint64_t address, unsigned char *bytes, size_t size)
{
    unsigned unit = gpucode_target_unit_bytes(gpucode_image_info(dap->image)->target), section;
    size_t done = 0;
    uint64_t pc;
    while (done < size && code_place(dap, address + done, &section, &pc)) {
        struct gpucode_insn insn;
        const unsigned char *at;
        gpucode_debug_insn(dap->debug, section, pc, &insn, &at);
        if (!at)
            break;
        for (unsigned i = (unsigned)((address + done) % unit); i < unit && done < size; i++)
            bytes[done++] = at[i];
    }
    return done;
}

void request_readMemory(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    uint64_t address;
    int64_t count = number_of(arguments, "count", 0);
    char reference[32];
    if (!take_reference(arguments, "memoryReference", &address) || count < 0 || count > LARGEST) {
        refuse(answer, "a memory reference and at most %d bytes are wanted", LARGEST);
        return;
    }
    address += (uint64_t)number_of(arguments, "offset", 0);
    unsigned char *bytes = malloc((size_t)count + 1);
    size_t done = 0;
    if (bytes && address >= CODE_BASE && address < CODE_BASE * 2)
        done = read_code(dap, address, bytes, (size_t)count);
    while (bytes && done < (size_t)count &&
           gpucode_machine_load(dap->machine, address + done, bytes + done, 1) == GPUCODE_OK)
        done++;
    char *text = bytes ? encode_base64(bytes, done) : NULL;
    snprintf(reference, sizeof reference, "0x%" PRIx64, address);
    answer->body = json_pack("{s:s, s:s, s:i}", "address", reference, "data", text ? text : "", "unreadableBytes",
                             (int)((size_t)count - done));
    free(text);
    free(bytes);
}

void request_writeMemory(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    uint64_t address;
    unsigned char *bytes = NULL;
    size_t size;
    if (!take_reference(arguments, "memoryReference", &address)) {
        refuse(answer, "there is no memory at that reference");
        return;
    }
    address += (uint64_t)number_of(arguments, "offset", 0);
    if (address >= CODE_BASE && address < CODE_BASE * 2)
        refuse(answer, "code cannot be written");
    else if (!decode_base64(text_of(arguments, "data"), &bytes, &size))
        refuse(answer, "the data is not base64");
    else if (gpucode_debug_store(dap->debug, address, bytes, size) != GPUCODE_OK)
        refuse(answer, "the memory cannot be written");
    else
        answer->body = json_pack("{s:I}", "bytesWritten", (json_int_t)size);
    free(bytes);
}

/* A value of an expression as text. */

void value_text(const struct dap *dap, const struct gpucode_value *value, bool hex, char text[VALUE_TEXT])
{
    char label[GPUCODE_NAME_MAX], as_float[32];
    if (hex)
        snprintf(text, VALUE_TEXT, "0x%" PRIx64, (uint64_t)value->number);
    else if (value->is_code &&
             gpucode_debug_label(dap->debug, value->section, (uint64_t)value->number, label, sizeof label))
        snprintf(text, VALUE_TEXT, "0x%" PRIx64 " <%s>", (uint64_t)value->number, label);
    else if (console_value_float(dap->machine, value, as_float, sizeof as_float))
        snprintf(text, VALUE_TEXT, "%s (0x%" PRIx64 ")", as_float, (uint64_t)value->number);
    else if (value->number >= -9 && value->number <= 9)
        snprintf(text, VALUE_TEXT, "%" PRId64, value->number);
    else
        snprintf(text, VALUE_TEXT, "0x%" PRIx64 " (%" PRId64 ")", (uint64_t)value->number, value->number);
}
