/* SPDX-License-Identifier: MIT */
#include "gpu/packet_word.h"

#include <ctype.h>
#include <gpucode/gpucode.h>
#include <inttypes.h>
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

bool packet_send(struct console *console, const struct console_arguments *given)
{
    const char *arguments = given->text;
    struct words words = {.count = 1};
    struct gpucode_debug *debug = console_debug(console);
    size_t length = strcspn(arguments, " ");
    const char *rest = skip_blanks(arguments + length);
    bool good;
    if (length == 3 && memcmp(arguments, "raw", 3) == 0) {
        words.count = 0;
        good = take_words(console, rest, &words);
    } else if (*arguments == '@' || (length == 3 && memcmp(arguments, "reg", 3) == 0)) {
        good = take_type4(console, *arguments == '@' ? arguments + 1 : rest, &words);
    } else {
        good = take_type7(console, arguments, &words);
    }
    if (!good)
        return false;
    switch (gpucode_debug_feed(debug, gpucode_debug_processor(debug), words.list, words.count)) {
    case GPUCODE_OK:
        return true;
    case GPUCODE_ERROR_UNSUPPORTED:
        return console_complain(console, "this machine takes no packets");
    default:
        return console_complain(console, "the queue takes no more");
    }
}
