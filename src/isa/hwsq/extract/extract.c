/* SPDX-License-Identifier: MIT */
/* Scripts in files of all kinds that hold some. */
#include "isa/hwsq/extract/extract.h"

#include "base/buffer.h"
#include "base/text.h"
#include "hwsq_messages.h"

#include <stdio.h>

/* The HWSQ table of a BMP VBIOS (NV17 to NV3x): the tag, number and size of entries, entries of ENTRY_POINT and code.
 */

#define HEADER 6 /* tag, count, size */
#define ENTRY_HEADER 4

static const unsigned char *find_bytes(const unsigned char *bytes, size_t size, const void *what, size_t length)
{
    return memmem(bytes, size, what, length);
}

/* BMP VBIOSes exist up to NV3x, and all chipsets with HWSQ among those are of one variant. */
static const struct gpucode_target *target_of(const struct extract *extract)
{
    if (extract->options->target)
        return extract->options->target;
    return find_bytes(extract->bytes, extract->size, "\377\177NV\0", 5) ? &hwsq_targets[0] : NULL;
}

static void give_entries(struct extract *extract, const struct gpucode_target *target, const unsigned char *table,
                         unsigned count)
{
    unsigned size = table[5];
    for (unsigned i = 0; i < count; i++) {
        const unsigned char *entry = table + HEADER + (size_t)i * size;
        struct gpucode_hwsq_script script = {
            .origin = GPUCODE_HWSQ_VBIOS,
            .target = target,
            .bytes = entry + ENTRY_HEADER,
            .size = size - ENTRY_HEADER,
            .line = (uint64_t)(entry - extract->bytes),
            .entry = i,
            .entry_points = entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16 | (uint32_t)entry[3] << 24,
        };
        bool complete;
        unsigned first = entry[0] < script.size ? entry[0] : 0;
        extract_length(target, script.bytes, NULL, first, script.size, &complete);
        script.complete = complete && first == entry[0];
        extract_give(extract, &script);
    }
}

/* How many entries there are, which are fewer than the table says when the file ends before them. */
static unsigned count_entries(struct extract *extract, const unsigned char *table, size_t rest)
{
    char place[24], number[16];
    snprintf(place, sizeof place, "%zx", (size_t)(table - extract->bytes));
    if (rest < HEADER || table[5] <= ENTRY_HEADER) {
        snprintf(number, sizeof number, "%u", rest < HEADER ? 0u : table[5]);
        extract_report(extract, NULL, 0, rest < HEADER ? MSG_EXTRACT_TABLE : MSG_EXTRACT_TABLE_SIZE, NULL, place,
                       number);
        return 0;
    }
    size_t whole = (rest - HEADER) / table[5];
    if (whole >= table[4])
        return table[4];
    snprintf(number, sizeof number, "%zu of %u", whole, table[4]);
    extract_report(extract, NULL, 0, MSG_EXTRACT_TABLE, NULL, place, number);
    return (unsigned)whole;
}

/* False when there is no table. */
static bool extract_vbios(struct extract *extract)
{
    const unsigned char *end = extract->bytes + extract->size;
    const unsigned char *table = find_bytes(extract->bytes, extract->size, "HWSQ", 4);
    /* text that mentions HWSQ is a log */
    if (!table || !memchr(extract->bytes, 0, extract->size))
        return false;
    for (; table; table = find_bytes(table + 4, (size_t)(end - table) - 4, "HWSQ", 4)) {
        unsigned count = count_entries(extract, table, (size_t)(end - table));
        if (!count)
            continue;
        const struct gpucode_target *target = target_of(extract);
        if (!target) {
            extract_no_target(extract);
            return true;
        }
        give_entries(extract, target, table, count);
    }
    return true;
}

/*
 * Dumps in logs. Their format is not documented: taken are hex numbers of two or eight digits, or longer runs of bytes,
 * after the word hwsq, and from the lines after it that have, after their last colon or tab, nothing else.
 */

#define EXIT_OPCODE 0x7f
/* Fewer bytes at the end of a sentence, or within one, are numbers of that sentence. */
#define LEAST_BEHIND_WORDS 2
#define LEAST_WITHIN_WORDS 4
#define DUMP_MAX 0x4000 /* bytes that a dump may have and go on at another line that names it; code RAMs have 512 */

struct dump {
    struct buffer bytes;
    uint64_t line; /* where it began */
};

static bool is_word_byte(char c)
{
    return text_hex_digit(c) >= 0 || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

/* Where a line goes on after the word hwsq, or null. */
static const char *behind_word(const char *at, const char *end)
{
    for (; end - at >= 4; at++)
        if ((at[0] | 32) == 'h' && (at[1] | 32) == 'w' && (at[2] | 32) == 's' && (at[3] | 32) == 'q' &&
            (at + 4 == end || !is_word_byte(at[4])))
            return at + 4;
    return NULL;
}

/* Digits that make bytes: 2, a word of 8, or a run of bytes. 16 are more likely a pointer. */
static bool is_number(size_t digits)
{
    return digits == 2 || digits == 8 || (digits > 8 && digits % 2 == 0 && digits != 16);
}

/* "10:" and "[10]" are offsets and indices, not bytes. 8 digits, two spaces and a byte are how hexdump -C begins. */
static bool is_offset(const char *line, const char *start, const char *at, const char *end)
{
    if (at == end)
        return false;
    if (*at == ':')
        return at + 1 < end;
    if (*at == ']' || *at == ')')
        return start > line && (start[-1] == '[' || start[-1] == '(');
    return at - start == 8 && end - at > 4 && at[0] == ' ' && at[1] == ' ' && text_hex_digit(at[2]) >= 0 &&
           text_hex_digit(at[3]) >= 0 && !is_word_byte(at[4]);
}

static void put_number(struct buffer *bytes, const char *digits, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        size_t from = count == 8 ? 6 - i : i; /* words are little-endian */
        char byte = (char)(text_hex_digit(digits[from]) << 4 | text_hex_digit(digits[from + 1]));
        buffer_append(bytes, &byte, 1);
    }
}

/* Numbers one after the other, without a word between. */
struct row {
    size_t kept;  /* where the bytes of the longest row so far begin, and that of the line */
    size_t start; /* where those of this row begin: after the longest */
};

static void end_row(struct buffer *bytes, struct row *row)
{
    size_t length = bytes->length - row->start;
    if (length && length >= row->start - row->kept) {
        memmove(bytes->bytes + row->kept, bytes->bytes + row->start, length);
        bytes->length = row->kept + length;
    } else {
        bytes->length = row->start;
    }
    row->start = bytes->length;
}

/*
 * Takes the longest row of hex numbers of a line, up to a '|' that begins the column of characters. `strict`: false
 * when there is anything else.
 */
static bool take_numbers(struct dump *dump, const char *line, const char *end, bool strict)
{
    size_t before = dump->bytes.length;
    struct row row = {before, before};
    bool words = false, last_is_number = false;
    for (const char *at = line; at < end && *at != '|';) {
        if (!is_word_byte(*at)) {
            at++;
            continue;
        }
        const char *start = at;
        if (end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x')
            at += 2;
        const char *digits = at;
        while (at < end && text_hex_digit(*at) >= 0)
            at++;
        size_t count = (size_t)(at - digits);
        bool number = is_number(count) && (at == end || (!is_word_byte(*at) && *at != '.'));
        while (at < end && is_word_byte(*at))
            at++;
        bool taken = number && !is_offset(line, start, at, end);
        words |= !taken;
        last_is_number = taken;
        if (taken) {
            put_number(&dump->bytes, digits, count);
        } else if (!number && strict) {
            dump->bytes.length = before;
            return false;
        } else {
            end_row(&dump->bytes, &row);
        }
    }
    end_row(&dump->bytes, &row);
    size_t least = last_is_number ? LEAST_BEHIND_WORDS : LEAST_WITHIN_WORDS;
    if (words && !strict && dump->bytes.length - before < least)
        dump->bytes.length = before; /* "hwsq took 12 us" only mentions it */
    return dump->bytes.length > before;
}

/* What a line has after the stamps and names that a kernel log puts in front. */
static const char *line_payload(const char *at, const char *end)
{
    const char *from = at;
    for (const char *c = at; c + 1 < end; c++)
        if ((*c == ':' && c[1] == ' ') || *c == '\t' || *c == ']')
            from = c + 1;
    return from;
}

static void give_dump(struct extract *extract, struct dump *dump)
{
    if (!dump->bytes.length || extract->errors)
        return;
    const struct gpucode_target *target = extract->options->target;
    if (!target) {
        extract_no_target(extract);
        return;
    }
    struct gpucode_hwsq_script script = {.origin = GPUCODE_HWSQ_LOG,
                                         .target = target,
                                         .bytes = (unsigned char *)dump->bytes.bytes,
                                         .size = dump->bytes.length,
                                         .line = dump->line};
    extract_length(target, script.bytes, NULL, 0, script.size, &script.complete);
    extract_give(extract, &script);
}

/* Does a line with the word hwsq go on with the dump, or begin another? Another when the first has come to its exit. */
static void split_dump(struct extract *extract, struct dump *dump, size_t before, uint64_t line)
{
    bool complete = before > DUMP_MAX;
    size_t added = dump->bytes.length - before, padding = 0;
    if (before && !complete && extract->options->target)
        extract_length(extract->options->target, (unsigned char *)dump->bytes.bytes, NULL, 0, before, &complete);
    while (padding < added && dump->bytes.bytes[before + padding] == EXIT_OPCODE)
        padding++;
    if (!before || (added && (!complete || padding == added)))
        return;
    dump->bytes.length = before;
    give_dump(extract, dump);
    memmove(dump->bytes.bytes, dump->bytes.bytes + before, added);
    dump->bytes.length = added;
    dump->line = line;
}

static bool extract_log(struct extract *extract)
{
    const char *text = (const char *)extract->bytes, *end = text + extract->size;
    struct dump dump = {0};
    uint64_t line = 1;
    bool inside = false, any = false;
    for (const char *at = text; at < end && !dump.bytes.failed; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        const char *behind = behind_word(at, stop);
        any |= behind != NULL;
        if (behind) {
            size_t before = dump.bytes.length;
            if (!inside)
                dump.line = line;
            inside = true;
            take_numbers(&dump, behind, stop, false);
            if (!dump.bytes.failed)
                split_dump(extract, &dump, before, line);
        } else if (inside && !take_numbers(&dump, line_payload(at, stop), stop, true)) {
            give_dump(extract, &dump);
            dump.bytes.length = 0;
            inside = false;
        }
        at = stop + 1;
    }
    if (inside && !dump.bytes.failed)
        give_dump(extract, &dump);
    extract->failed |= dump.bytes.failed;
    buffer_free(&dump.bytes);
    return any;
}

enum gpucode_status gpucode_hwsq_extract(const void *bytes, size_t size,
                                         const struct gpucode_hwsq_extract_options *options, unsigned *count)
{
    static const struct gpucode_hwsq_extract_options none = {0};
    if ((!bytes && size) || (options && options->target && options->target->isa != &hwsq_isa))
        return GPUCODE_ERROR_ARGUMENT;
    struct extract extract = {.options = options ? options : &none, .bytes = bytes ? bytes : "", .size = size};
    if (extract_is_mmiotrace(&extract))
        extract_mmiotrace(&extract);
    else if (!extract_vbios(&extract) && !extract_log(&extract))
        extract_report(&extract, NULL, 0, MSG_EXTRACT_KIND, NULL, NULL, NULL);
    if (count)
        *count = extract.count;
    return extract.failed ? GPUCODE_ERROR_MEMORY : extract.errors ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
