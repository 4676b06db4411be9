/* SPDX-License-Identifier: MIT */
#include "gpu/words.h"

#include "console/console.h"
#include <gpucode/crash.h>
#include <gpucode/gpucode.h>
#include <gpucode/packet.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX (GPUCODE_PACKET_COUNT7_MAX + 1) /* the header included */

struct words {
    uint32_t list[WORDS_MAX];
    size_t count;
};

/* Where the word that `text` begins with ends: at a comma, or at a blank between two operands, as the words of
 * `gpucode run --packet` do. */
static const char *find_word_end(const char *text)
{
    const char *comma = find_comma(text), *first = text + strspn(text, "$@");
    first += strspn(first, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
    const char *second = skip_blanks(first);
    bool parted = first > text && second > first && second < comma &&
                  (isalnum((unsigned char)*second) || strchr("$@_'", *second));
    return parted ? first : comma;
}

/* Appends words separated by commas or blanks; false: an error was written. */
static bool take_words(struct console *console, const char *text, struct words *words)
{
    struct gpucode_value value;
    while (*text) {
        const char *end = find_word_end(text);
        if (!console_evaluate(console, text, (size_t)(end - text), &value))
            return false;
        if (words->count == WORDS_MAX)
            return console_complain(console, "a packet has at most %d words", WORDS_MAX - 1);
        if (value.number < INT32_MIN || value.number > UINT32_MAX)
            return console_complain(console, "0x%" PRIx64 " is not a word", (uint64_t)value.number);
        words->list[words->count++] = (uint32_t)value.number;
        text = skip_blanks(end + (*end == ','));
    }
    return true;
}

/* The number of a register or packet by its name, or an expression for it; false: an error was written. */
static bool take_number(struct console *console, enum gpucode_space space, const struct gpucode_names *names,
                        const char *text, size_t length, uint32_t *number)
{
    struct gpucode_value value;
    if (gpucode_number_of(console_target(console), names, space, text, length, number))
        return true;
    if (!console_evaluate(console, text, length, &value))
        return false;
    *number = (uint32_t)value.number;
    return true;
}

static bool take_type4(struct console *console, const char *text, struct words *words)
{
    uint32_t number;
    size_t length = strcspn(text, " ");
    if (!take_number(console, GPUCODE_SPACE_GPU, console_names(console), text, length, &number) ||
        !take_words(console, skip_blanks(text + length), words))
        return false;
    if (words->count - 1 > GPUCODE_PACKET_COUNT4_MAX || number > GPUCODE_PACKET_REGISTER_MAX)
        return console_complain(console, "a type-4 packet has at most 127 words, and registers below 0x40000");
    words->list[0] = gpucode_packet_type4(number, (uint32_t)(words->count - 1));
    return true;
}

static bool take_type7(struct console *console, const char *text, struct words *words)
{
    uint32_t number;
    size_t length = strcspn(text, " ");
    if (!take_number(console, GPUCODE_SPACE_PACKET, NULL, text, length, &number))
        return false;
    if (number > GPUCODE_PACKET_OPCODE_MAX)
        return console_complain(console, "packet opcodes have 7 bits");
    if (!take_words(console, skip_blanks(text + length), words))
        return false;
    words->list[0] = gpucode_packet_type7(number, (uint32_t)(words->count - 1));
    return true;
}

static bool feed_words(struct console *console, const struct words *words)
{
    struct gpucode_debug *debug = console_debug(console);
    switch (gpucode_debug_feed(debug, gpucode_debug_processor(debug), words->list, words->count)) {
    case GPUCODE_OK:
        return true;
    case GPUCODE_ERROR_UNSUPPORTED:
        return console_complain(console, "this machine takes no packets");
    default:
        return console_complain(console, "the queue takes no more");
    }
}

bool words_send(struct console *console, const char *text)
{
    struct words words = {.count = 0};
    return take_words(console, text, &words) && feed_words(console, &words);
}

bool packet_send(struct console *console, const struct console_arguments *given)
{
    const char *arguments = given->text;
    struct words words = {.count = 1};
    size_t length = strcspn(arguments, " ");
    const char *rest = skip_blanks(arguments + length);
    bool good;
    if (length == 3 && memcmp(arguments, "raw", 3) == 0)
        return words_send(console, rest);
    if (*arguments == '@' || (length == 3 && memcmp(arguments, "reg", 3) == 0)) {
        good = take_type4(console, *arguments == '@' ? arguments + 1 : rest, &words);
    } else {
        good = take_type7(console, arguments, &words);
    }
    return good && feed_words(console, &words);
}

/* --- The debugger's command `crash`: the place of a dump as a catchpoint, and what differs there ------------------ */

#define LINES_MAX 40

struct comparison {
    struct console *console;
    const struct gpucode_crash *crash;
    const struct gpucode_machine *machine;
    unsigned processor, different;
};

/* --- crash break ------------------------------------------------------------------------------------------------- */

/* What is true when the packet in hand is about to be taken: the queues of all levels, outermost first. */
static bool write_condition(const struct gpucode_crash *crash, char *text, size_t size)
{
    struct gpucode_crash_position position;
    unsigned level = 2;
    if (!gpucode_crash_position(crash, &position))
        return false;
    if (position.level <= GPUCODE_CRASH_IB2)
        level = position.level;
    while (level &&
           !position.places[level].has_packet) /* of other levels, and of buffers just entered: who calls them */
        level--;
    const struct gpucode_crash_place *ring = &position.places[0], *place = &position.places[level];
    if (!place->has_packet || !ring->known || !ring->words)
        return false;
    size_t length = (size_t)snprintf(text, size, "packet if @IB_LEVEL == %u && CP_RB_RPTR == 0x%" PRIx32, level,
                                     (level ? ring->next : ring->word) % ring->words);
    for (unsigned i = 1; i <= level && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, " && @IB%u_DWORDS == 0x%" PRIx32, i,
                                   position.places[i].words -
                                       (i == level ? position.places[i].word : position.places[i].next));
    return length < size;
}

static bool break_at(struct comparison *comparison)
{
    char condition[256];
    if (!write_condition(comparison->crash, condition, sizeof condition))
        return console_complain(comparison->console, "the dump does not tell where its packet was");
    return console_command(comparison->console, "catch", condition);
}

/* --- crash compare ----------------------------------------------------------------------------------------------- */

static void compare_value(struct comparison *comparison, const char *name, uint32_t here, uint32_t there)
{
    if (here == there)
        return;
    if (comparison->different++ < LINES_MAX)
        console_say(comparison->console, "%-28s 0x%08" PRIx32 " here, 0x%08" PRIx32 " in the dump\n", name, here,
                    there);
}

static void compare_register(struct comparison *comparison, enum gpucode_space space, char mark, uint32_t number,
                             uint32_t there)
{
    char name[GPUCODE_NAME_MAX + 1];
    uint32_t here;
    if (gpucode_machine_read(comparison->machine, comparison->processor, space, number, &here) != GPUCODE_OK)
        return;
    name[0] = mark;
    if (!gpucode_name_of(console_target(comparison->console), console_names(comparison->console), space, number,
                         name + 1, GPUCODE_NAME_MAX))
        snprintf(name + 1, GPUCODE_NAME_MAX, "0x%" PRIx32, number);
    compare_value(comparison, mark ? name : name + 1, here, there);
}

/* Is a word of the status the machine's register? In $12 dumps have the level of buffers. */
static bool is_plain(unsigned number)
{
    return number != 0x12;
}

static void compare_status(struct comparison *comparison)
{
    struct gpucode_crash_block block;
    if (!gpucode_crash_find_block(comparison->crash, "SQE_STAT", &block) || !block.data.count)
        return;
    compare_value(comparison, "PC", (uint32_t)gpucode_machine_pc(comparison->machine, comparison->processor),
                  gpucode_crash_word(&block.data, 0));
    for (unsigned i = 1; i < 32; i++) {
        char name[8];
        uint32_t here = 0, there = gpucode_crash_word(&block.data, i);
        snprintf(name, sizeof name, "$%02x", i);
        gpucode_machine_read(comparison->machine, comparison->processor, GPUCODE_SPACE_GENERAL, i, &here);
        if (i == 1 && there >> 28 == 4) /* its upper bits do not reach the machine's register */
            there &= 0x0fffffff;
        if (is_plain(i))
            compare_value(comparison, name, here, there);
    }
}

/* Sections 7 and 5 of the debug memory, as far as the dump has them. */
static void compare_control(struct comparison *comparison)
{
    struct gpucode_crash_block block;
    uint32_t any = 0;
    if (!gpucode_crash_find_block(comparison->crash, "SQE_UCODE_DBG", &block))
        return;
    for (uint32_t i = 0; i < 0x400; i++)
        any |= gpucode_crash_word(&block.data, 7 * GPUCODE_CRASH_UCODE_SECTION + i);
    for (uint32_t i = 0; any && i < 0x400; i++)
        compare_register(comparison, GPUCODE_SPACE_CONTROL, '@', i,
                         gpucode_crash_word(&block.data, 7 * GPUCODE_CRASH_UCODE_SECTION + i));
}

/* The fetcher's registers and what was flagged: the machine has no such. */
static bool is_hardware(const struct gpucode_crash *crash, uint32_t number)
{
    for (unsigned role = GPUCODE_CRASH_INTERRUPT; role < GPUCODE_CRASH_ROLES; role++) {
        uint32_t first = gpucode_crash_number(crash, (enum gpucode_crash_role)role);
        bool wide = role == GPUCODE_CRASH_IB1_BASE || role == GPUCODE_CRASH_IB2_BASE || role == GPUCODE_CRASH_SDS_BASE;
        if (first && (number == first || (wide && number == first + 1)))
            return true;
    }
    return false;
}

static bool compare_all(struct comparison *comparison)
{
    struct gpucode_crash_register reg;
    compare_status(comparison);
    compare_control(comparison);
    for (size_t i = 0; gpucode_crash_register(comparison->crash, i, &reg); i++)
        if (!is_hardware(comparison->crash, reg.number))
            compare_register(comparison, GPUCODE_SPACE_GPU, 0, reg.number, reg.value);
    if (comparison->different > LINES_MAX)
        console_say(comparison->console, "and %u more\n", comparison->different - LINES_MAX);
    console_say(comparison->console, comparison->different ? "%u registers differ\n" : "All registers are equal\n",
                comparison->different);
    return true;
}

bool crash_word(struct console *console, const struct console_arguments *arguments)
{
    const char *path = arguments->at[1].text;
    size_t size;
    char *bytes = console_file(path, &size);
    if (!bytes)
        return console_complain(console, "cannot read %s", path);
    struct gpucode_crash *crash;
    if (gpucode_crash_open(bytes, size, NULL, &crash) != GPUCODE_OK) {
        free(bytes);
        return console_complain(console, "%s is not a crash dump", path);
    }
    struct comparison comparison = {.console = console,
                                    .crash = crash,
                                    .machine = gpucode_debug_machine(console_debug(console)),
                                    .processor = gpucode_debug_processor(console_debug(console))};
    bool good = arguments->form == 0 ? break_at(&comparison) : compare_all(&comparison);
    gpucode_crash_free(crash);
    free(bytes);
    return good;
}
