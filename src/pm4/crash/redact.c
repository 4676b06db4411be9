/* SPDX-License-Identifier: MIT */
/*
 * Dumps without firmware, and without what else their owner does not want to show. Only what is known stays: lines of a
 * known form, items with their usual keys, words of known memories that stand where the driver writes them. Whatever is
 * in doubt goes, and so does what the kernel has for itself.
 */
#include "pm4/crash/redact.h"
#include "base/buffer.h"

#include <gpucode/crash.h>
#include <gpucode/fields.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRMWARES_MAX 16
#define KEY_NAME_BIT 8u /* the fourth key of a buffer */

struct redactor {
    const struct gpucode_crash *crash;
    unsigned without;
    struct buffer out;
    unsigned family;
    uint64_t firmware[FIRMWARES_MAX]; /* where some lies */
    unsigned firmware_count;
    bool has_names; /* buffers have names, as all of newer kernels do */
    const struct section_form *form;
    struct buffer lines;  /* of the item */
    unsigned seen;        /* keys of the item, by their bits */
    bool begun, doubtful; /* something in the item is not as the driver writes it */
    unsigned data;        /* lines with data in the item */
    struct piece data_line;
    const char *digits, *digits_end;
    uint64_t size, address, flags;
    char name[64]; /* of the item */
    char kind[64]; /* of this and the items after it: the type of a shader block */
};

/* The number that a line of FORM_NUMBER has. */
static uint64_t number_of(const struct piece *piece)
{
    char digits[32] = "";
    size_t length = (size_t)(piece->end - piece->value);
    memcpy(digits, piece->value, length < sizeof digits - 1 ? length : sizeof digits - 1);
    return strtoull(digits, NULL, digits[0] == '0' && digits[1] == 'x' ? 16 : 10);
}

static void copy_value(const struct piece *piece, char text[64])
{
    size_t length = (size_t)(piece->end - piece->value);
    while (length && piece->value[length - 1] == ' ')
        length--;
    length = length < 63 ? length : 63;
    memcpy(text, piece->value, length);
    text[length] = 0;
}

/* --- what is harmless -------------------------------------------------------------------------------------------- */

/*
 * Words that stand in no buffer of a program: a handler's end, "waitin" and "mov $01, $data". Code of a processor is
 * full of them, wherever and under whatever name it lies.
 */
static bool has_code(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (words[i] >> 26 == 0x36 && words[i + 1] == 0x981f0806)
            return true;
    return false;
}

/* Names that the driver gives to its own buffers, as far as they are not told by a part of the name. */
static bool is_kernel_name(const char *name)
{
    static const char *const parts[] = {"fw",  "firmware", "ucode",   "sqe",   "aqe",     "gmu",      "pfp",
                                        "pm4", "zap",      "preempt", "pwrup", "memptrs", "crashdump"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcasestr(name, parts[i]))
            return true;
    return strcmp(name, "shadow") == 0 || (strncmp(name, "ring", 4) == 0 && is_digit(name[4]));
}

/* Has the register's name this part? Where the GPU is not known, that of any. */
static bool is_register(const struct redactor *redactor, uint32_t number, const char *part)
{
    char name[GPUCODE_NAME_MAX] = "";
    const unsigned first = redactor->family ? redactor->family : 5, last = redactor->family ? redactor->family : 8;
    for (unsigned family = first; family <= last; family++)
        if (gpucode_register_name(family, number, name, sizeof name) && strstr(name, part))
            return true;
    return false;
}

/* Notes where registers say that firmware lies. */
static void find_firmware(struct redactor *redactor)
{
    struct gpucode_chip chip;
    const struct gpucode_crash *crash = redactor->crash;
    if (gpucode_chip_find(crash->head.gpu_id, crash->head.chip_id, &chip))
        redactor->family = chip.family;
    for (size_t i = 0; i < crash->buffers.count; i++)
        redactor->has_names |= DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i)->name != NULL;
    for (size_t i = 0; i < crash->sorted_count && redactor->firmware_count < FIRMWARES_MAX; i++) {
        const struct gpucode_crash_register *reg = &crash->sorted[i];
        uint32_t high = 0;
        if (!reg->value || !is_register(redactor, reg->number, "INSTR_BASE") ||
            is_register(redactor, reg->number - 1, "INSTR_BASE"))
            continue;
        gpucode_crash_read(crash, reg->number + 1, &high);
        redactor->firmware[redactor->firmware_count++] = (uint64_t)high << 32 | reg->value;
    }
}

static bool is_firmware_address(const struct redactor *redactor, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < redactor->firmware_count; i++)
        if (redactor->firmware[i] >= address && redactor->firmware[i] - address < bytes)
            return true;
    return false;
}

/* Flags that programs may give to their buffers: for the GPU to read alone, scanned out, not shared, how cached. */
#define USER_FLAGS 0x000f0007u

static bool is_kernel_buffer(const struct redactor *redactor)
{
    return redactor->flags & ~(uint64_t)USER_FLAGS || is_kernel_name(redactor->name) ||
           is_firmware_address(redactor, redactor->address, redactor->size);
}

/* Shader blocks are known by their unit: texture, shader processor, its sequencer. */
static bool is_shader_block(const char *kind)
{
    static const char *const units[] = {"TP", "SP_", "HLSQ_"};
    if (kind[0] != 'A' || !is_digit(kind[1]) || strncmp(kind + 2, "XX_", 3) != 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(kind + 5, units[i], strlen(units[i])) == 0)
            return true;
    return false;
}

/* The command processors' signals may have their code among them. */
static bool is_debug_block(const char *name)
{
    static const char bus[] = "XX_DBGBUS_";
    return name[0] == 'A' && is_digit(name[1]) && strncmp(name + 2, bus, strlen(bus)) == 0 &&
           strncmp(name + 2 + strlen(bus), "CP", 2) != 0 && !strstr(name, "GMU");
}

/* Clears words that are firmware, or may be. */
static void clear_code(const struct redactor *redactor, const char *name, uint32_t *words, size_t count)
{
    const struct gpucode_crash_block block = {.name = name};
    for (size_t i = 0; i < count; i++) {
        bool table = i / GPUCODE_CRASH_UCODE_SECTION == 4;
        if (!gpucode_crash_is_open(&block, i) ||
            (table && (redactor->without & GPUCODE_CRASH_WITHOUT_TABLE || words[i] >> 16)))
            words[i] = 0;
    }
}

/* May these words of the item stay? What is firmware among them is cleared. */
static bool keep_words(const struct redactor *redactor, uint32_t *words, size_t count, bool whole)
{
    bool in_words = strcmp(redactor->form->size, "size") != 0 || redactor->form->contents == CONTENTS_SHADER;
    if (redactor->doubtful || redactor->data != 1 || count > redactor->size / (in_words ? 1 : 4))
        return false;
    const char *known = NULL;
    switch (redactor->form->contents) {
    case CONTENTS_BUFFER:
        if (redactor->without & GPUCODE_CRASH_WITHOUT_BUFFERS ||
            (redactor->has_names && !(redactor->seen & KEY_NAME_BIT)))
            return false;
        break;
    case CONTENTS_BLOCK:
        known = block_name(redactor->name, redactor->size);
        if (known == redactor->name)
            return false;
        if (!block_is_code(known))
            break;
        clear_code(redactor, known, words, count);
        return whole;
    case CONTENTS_SHADER:
        if (!is_shader_block(redactor->kind))
            return false;
        break;
    case CONTENTS_DEBUG:
        if (!is_debug_block(redactor->name))
            return false;
        break;
    default:
        break;
    }
    return !has_code(words, count);
}

/* --- items ------------------------------------------------------------------------------------------------------- */

static void write_data(struct redactor *redactor)
{
    size_t length = redactor->digits ? (size_t)(redactor->digits_end - redactor->digits) : 0, indent = 0;
    const char *text = redactor->digits ? redactor->digits : "", *wrong; /* a block may have no data */
    while (indent < length && text[indent] == ' ')
        indent++;
    uint32_t *words = calloc(length + 1, sizeof *words);
    if (!words) {
        redactor->out.failed = true;
        return;
    }
    size_t count = ascii85_decode(text + indent, length - indent, words, length, &wrong);
    if (keep_words(redactor, words, count, !wrong)) {
        while (count && !words[count - 1])
            count--;
        buffer_append(&redactor->out, redactor->data_line.text,
                      count ? (size_t)(redactor->data_line.next - redactor->data_line.text) : 0);
        buffer_append(&redactor->out, text, count ? indent : 0);
        if (count && buffer_reserve(&redactor->out, 5 * count + 1)) {
            buffer_commit(&redactor->out, ascii85_write(buffer_end(&redactor->out), words, count));
            buffer_text(&redactor->out, "\n");
        }
    }
    free(words);
}

static void end_item(struct redactor *redactor)
{
    const struct section_form *form = redactor->form;
    const unsigned usual = (1u << form->usual) - 1;
    bool kept = redactor->begun && (redactor->seen & usual) == usual &&
                !(form->contents == CONTENTS_BUFFER && is_kernel_buffer(redactor));
    redactor->out.failed |= redactor->lines.failed;
    if (kept) {
        buffer_append(&redactor->out, redactor->lines.bytes, redactor->lines.length);
        if (redactor->data)
            write_data(redactor);
    }
    redactor->lines.length = 0;
    redactor->seen = redactor->data = 0;
    redactor->begun = redactor->doubtful = false;
    redactor->size = redactor->address = redactor->flags = 0;
    redactor->name[0] = 0;
}

static void keep_line(struct buffer *buffer, const struct piece *piece)
{
    buffer_append(buffer, piece->text, (size_t)(piece->end - piece->text));
    buffer_text(buffer, "\n");
}

/* "- { offset: 0x002000, value: 0x00000001 }" and nothing else. Words that were read out of code memory become 0. */
static bool keep_register(struct redactor *redactor, const struct piece *piece)
{
    static const char *const parts[] = {"{ offset: 0x", ", value: 0x", " }"};
    const char *at = piece->key, *digits[2] = {NULL, NULL};
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strlen(parts[i]);
        if ((size_t)(piece->end - at) < length || memcmp(at, parts[i], length) != 0)
            return false;
        at += length;
        if (i == 2)
            break;
        digits[i] = at;
        while (at < piece->end && is_hex_digit(*at))
            at++;
        if (at == digits[i] || at - digits[i] > 8)
            return false;
    }
    if (at != piece->end || !piece->item)
        return false;
    size_t before = redactor->out.length;
    keep_line(&redactor->out, piece);
    uint32_t number = (uint32_t)strtoul(digits[0], NULL, 16) / 4;
    if (!redactor->out.failed && is_register(redactor, number, "UCODE_DBG_DATA"))
        for (size_t i = before + (size_t)(digits[1] - piece->text); is_hex_digit(redactor->out.bytes[i]); i++)
            redactor->out.bytes[i] = '0';
    return true;
}

/* A line of the item with a key; false: it is none that is known. */
static bool keep_key(struct redactor *redactor, const struct piece *piece)
{
    const struct section_form *form = redactor->form;
    unsigned k = 0;
    while (k < KEYS_MAX && form->keys[k].name && !redact_has_key(piece, form->keys[k].name))
        k++;
    if (k == KEYS_MAX || !form->keys[k].name || !redact_has_form(form->keys[k].form, piece->value, piece->end))
        return false;
    if (redactor->seen & 1u << k)
        redactor->doubtful = true;
    redactor->seen |= 1u << k;
    const char *name = form->keys[k].name;
    if (form->size && strcmp(name, form->size) == 0)
        redactor->size = number_of(piece);
    if (strcmp(name, "iova") == 0 && form->keys[k].form == FORM_NUMBER)
        redactor->address = number_of(piece);
    else if (strcmp(name, "flags") == 0)
        redactor->flags = number_of(piece);
    else if (strcmp(name, "type") == 0)
        copy_value(piece, redactor->kind);
    else if (form->keys[k].form == FORM_WORD || form->keys[k].form == FORM_TEXT)
        copy_value(piece, redactor->name);
    if (!(form->keys[k].without & redactor->without))
        keep_line(&redactor->lines, piece);
    return true;
}

/* "data: !!ascii85 |", and the line after it, which must have the digits. */
static void note_data(struct redactor *redactor, const struct piece *piece, const char **at, const char *end)
{
    static const char mark[] = "!!ascii85 |";
    struct piece digits;
    redactor->data++;
    redactor->data_line = *piece;
    if ((size_t)(piece->end - piece->value) != strlen(mark) || memcmp(piece->value, mark, strlen(mark)) != 0 ||
        *at == end || **at != ' ') {
        redactor->doubtful = true;
        return;
    }
    redact_next(at, end, &digits);
    redactor->digits = digits.text;
    redactor->digits_end = digits.end;
    redactor->doubtful |= digits.indent == (size_t)(digits.end - digits.text);
}

static void redact_lines(struct redactor *redactor, const char *at, const char *end)
{
    struct piece piece;
    while (redact_next(&at, end, &piece)) {
        if (piece.indent == (size_t)(piece.end - piece.text))
            continue; /* empty; where digits should be, see note_data() */
        if (piece.item) {
            end_item(redactor);
            redactor->begun = true;
        } else if (!redactor->begun && redactor->form->name && strncmp(redactor->form->name, "gmu-", 4) == 0) {
            redactor->begun = true; /* these are not lists */
        }
        if (redactor->form->registers && keep_register(redactor, &piece))
            continue;
        if (redactor->form->contents && redact_has_key(&piece, "data"))
            note_data(redactor, &piece, &at, end);
        else if (!keep_key(redactor, &piece))
            redactor->doubtful = true;
    }
    end_item(redactor);
}

/* "  - map:1: 0x1000-0x2000" */
static void redact_mappings(struct redactor *redactor, const char *at, const char *end)
{
    struct piece piece;
    while (redact_next(&at, end, &piece)) {
        const char *from = piece.key;
        unsigned numbers = 0;
        while (from < piece.end && (is_word_byte(*from) || *from == ':' || *from == ' ') &&
               !(piece.end - from > 2 && from[0] == '0' && from[1] == 'x') && from - piece.key < 40)
            from++;
        while (numbers < 2 && piece.end - from > 2 && from[0] == '0' && from[1] == 'x') {
            for (from += 2; from < piece.end && is_hex_digit(*from);)
                from++;
            numbers++;
            from += numbers == 1 && from < piece.end && *from == '-';
        }
        if (piece.item && numbers == 2 && from == piece.end && from - piece.text < 100)
            keep_line(&redactor->out, &piece);
    }
}

static void redact_section(struct redactor *redactor, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = section->text + section->length;
    struct piece head;
    if (!redact_next(&at, end, &head))
        return;
    const struct section_form *form = redact_scalar_form(&head);
    if (form && !(form->keys[0].without & redactor->without) &&
        redact_has_form(form->keys[0].form, head.value, head.end))
        keep_line(&redactor->out, &head);
    if (head.value != head.end)
        return;
    if (redact_has_key(&head, "vm-log") && !(redactor->without & GPUCODE_CRASH_WITHOUT_ADDRESSES)) {
        keep_line(&redactor->out, &head);
        redact_mappings(redactor, at, end);
    }
    form = redact_list_form(&head);
    if (!form || form->without & redactor->without)
        return;
    redactor->form = form;
    redactor->kind[0] = 0;
    keep_line(&redactor->out, &head);
    redact_lines(redactor, at, end);
}

static void redact_devcore(struct redactor *redactor)
{
    buffer_text(&redactor->out, "---\n");
    for (size_t i = 0; i < redactor->crash->sections.count; i++)
        redact_section(redactor, DUMP_ITEM(redactor->crash->sections, struct gpucode_crash_section, i));
    buffer_free(&redactor->lines);
}

/* --- snapshots --------------------------------------------------------------------------------------------------- */

static const struct {
    unsigned id;
    const char *name;
    size_t contents; /* bytes before a buffer's contents; 0: it has none */
    size_t page_table, page_table_bytes;
    size_t process, process_bytes; /* names of programs */
} kinds[] = {
    {0x0101, "0x0101", 0, 36, 16, 136, 32}, {0x0201, "0x0201", 0, 0, 0, 0, 0},   {0x0302, "0x0302", 0, 0, 0, 0, 0},
    {0x0402, "0x0402", 32, 16, 8, 0, 0},    {0x0b02, "0x0b02", 36, 20, 8, 0, 0}, {0x0501, "0x0501", 0, 0, 0, 0, 0},
    {0x0502, "0x0502", 0, 0, 0, 0, 0},
};

static void clear_bytes(char *part, size_t length, size_t from, size_t count)
{
    if (from && from < length)
        memset(part + from, 0, count < length - from ? count : length - from);
}

static uint32_t word_of(const char *bytes)
{
    const uint8_t *at = (const uint8_t *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t long_of(const char *bytes)
{
    return word_of(bytes) | (uint64_t)word_of(bytes + 4) << 32;
}

static bool has_code_bytes(const char *bytes, size_t length)
{
    for (size_t i = 0; i + 8 <= length; i += 4) {
        const uint32_t words[2] = {word_of(bytes + i), word_of(bytes + i + 4)};
        if (has_code(words, 2))
            return true;
    }
    return false;
}

/*
 * Memories of processors: those that are not known, and of code what is firmware. The words are numbered from the start
 * of the memory only where the section has all of it.
 */
static void clear_block(const struct redactor *redactor, char *part, size_t length, size_t head)
{
    if (length < head)
        return;
    const char *name = block_name_by_registers(word_of(part + 8), word_of(part + 12));
    const struct gpucode_crash_block block = {.name = name};
    const uint32_t start = word_of(part + 16), count = word_of(part + 20);
    const bool code = name && block_is_code(name);
    const bool doubtful = !name || (code ? start != 0 : has_code_bytes(part + head, length - head));
    for (size_t i = 0; head + 4 * i < length; i++) {
        const char *at = part + head + 4 * i;
        bool table = code && i / GPUCODE_CRASH_UCODE_SECTION == 4;
        if (doubtful || i >= count || length - head - 4 * i < 4 || !gpucode_crash_is_open(&block, i) ||
            (table && (redactor->without & GPUCODE_CRASH_WITHOUT_TABLE || word_of(at) >> 16)))
            clear_bytes(part, length, head + 4 * i, 4);
    }
}

/* Registers in pairs of number and value; words of code memory become 0, and so does what comes after the pairs. */
static void clear_registers(const struct redactor *redactor, char *part, size_t length)
{
    uint32_t count = length >= 12 ? word_of(part + 8) : 0;
    size_t pairs = length >= 12 ? (length - 12) / 8 : 0;
    for (size_t i = 0; i < pairs && i < count; i++)
        if (is_register(redactor, word_of(part + 12 + 8 * i), "UCODE_DBG_DATA"))
            clear_bytes(part, length, 16 + 8 * i, 4);
    size_t end = 12 + 8 * (pairs < count ? pairs : count);
    clear_bytes(part, length, end, length);
}

/* Of the kinds of objects the last is the driver's own. */
#define OBJECT_KINDS 4

static bool is_program_memory(const struct redactor *redactor, unsigned id, const char *part, size_t length)
{
    size_t at = id == 0x0b02 ? 12 : 8, head = id == 0x0b02 ? 36 : 32;
    if (length < head)
        return false;
    if (id == 0x0b02 && (!word_of(part + 8) || word_of(part + 8) > OBJECT_KINDS))
        return false;
    return !is_firmware_address(redactor, long_of(part + at), length - head + 1) &&
           !has_code_bytes(part + head, length - head);
}

static void redact_part(struct redactor *redactor, const struct gpucode_crash_section *section)
{
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, section->name) != 0)
        kind++;
    if (kind == sizeof kinds / sizeof *kinds || !buffer_reserve(&redactor->out, section->length))
        return;
    const unsigned id = kinds[kind].id;
    const size_t length = section->length;
    if ((id == 0x0402 || id == 0x0b02) && !is_program_memory(redactor, id, section->text, length))
        return;
    if (id == 0x0302 && has_code_bytes(section->text, length))
        return;
    char *part = buffer_end(&redactor->out);
    buffer_append(&redactor->out, section->text, length);
    for (int i = 0; i < 4; i++)
        part[4 + i] = (char)(length >> 8 * i); /* less than it says where the file was cut off */
    if (id == 0x0501 || id == 0x0502)
        clear_block(redactor, part, length, id == 0x0501 ? 24 : 32);
    if (id == 0x0201)
        clear_registers(redactor, part, length);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_BUFFERS)
        clear_bytes(part, length, kinds[kind].contents, length);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_ADDRESSES)
        clear_bytes(part, length, kinds[kind].page_table, kinds[kind].page_table_bytes);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_PROCESS)
        clear_bytes(part, length, kinds[kind].process, kinds[kind].process_bytes);
}

static void redact_snapshot(struct redactor *redactor)
{
    static const char end[] = {(char)0xcd, (char)0xab, (char)0xff, (char)0xff, 8, 0, 0, 0};
    buffer_append(&redactor->out, redactor->crash->text, 12);
    for (size_t i = 0; i < redactor->crash->sections.count; i++)
        redact_part(redactor, DUMP_ITEM(redactor->crash->sections, struct gpucode_crash_section, i));
    buffer_append(&redactor->out, end, sizeof end);
}

enum gpucode_status gpucode_crash_redact(const struct gpucode_crash *crash, unsigned without, void **bytes,
                                         size_t *size)
{
    if (!crash || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    struct redactor redactor = {.crash = crash, .without = without};
    *bytes = NULL;
    *size = 0;
    find_firmware(&redactor);
    if (crash->head.format == GPUCODE_CRASH_KGSL)
        redact_snapshot(&redactor);
    else
        redact_devcore(&redactor);
    if (redactor.out.failed) {
        buffer_free(&redactor.out);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = redactor.out.bytes;
    *size = redactor.out.length;
    return GPUCODE_OK;
}
