/* SPDX-License-Identifier: MIT */
/* Input for the machine: PM4 packets and memory. */
#include "console/internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define WORDS_MAX 0x4000

/* The bit that makes the count of ones odd (AFUC notes, packet headers). */
static uint32_t parity(uint32_t value)
{
    uint32_t bit = 1;
    for (; value; value &= value - 1)
        bit ^= 1;
    return bit;
}

/* Words separated by commas or blanks; false: told. */
static bool take_words(struct console *console, const char *text, uint32_t *words, size_t *count)
{
    struct gpucode_value value;
    while (*text) {
        const char *end = find_comma(text);
        /* as `gpucode run --packet` has them: a blank between two operands ends a word too */
        const char *first = text + strspn(text, "$@");
        first += strspn(first, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");
        const char *second = skip_blanks(first);
        if (first > text && second > first && second < end &&
            (isalnum((unsigned char)*second) || strchr("$@_'", *second)))
            end = first;
        if (!evaluate(console, text, (size_t)(end - text), &value))
            return false;
        if (*count == WORDS_MAX)
            return complain_of(console, "a packet has at most %d words", WORDS_MAX - 1);
        if (value.number < INT32_MIN || value.number > UINT32_MAX)
            return complain_of(console, "0x%" PRIx64 " is no word", (uint64_t)value.number);
        words[(*count)++] = (uint32_t)value.number;
        text = skip_blanks(end + (*end == ','));
    }
    return true;
}

bool do_packet(struct console *console, const char *arguments)
{
    static const char usage[] = "packet NAME WORD, ... | packet reg REGISTER WORD, ... | packet raw WORD, ...";
    const struct gpucode_target *target = gpucode_image_info(gpucode_debug_image(console->debug))->target;
    uint32_t words[WORDS_MAX];
    size_t count = 1, length = strcspn(arguments, " ");
    const char *rest = skip_blanks(arguments + length);
    uint32_t number;
    if (!length)
        return complain_of(console, "%s", usage);
    if (length == 3 && memcmp(arguments, "raw", 3) == 0) {
        count = 0;
        if (!take_words(console, rest, words, &count))
            return false;
    } else if (*arguments == '@' || (length == 3 && memcmp(arguments, "reg", 3) == 0)) {
        if (*arguments == '@')
            rest = arguments + 1;
        size_t name = strcspn(rest, " ");
        struct gpucode_value value;
        if (!gpucode_number_of(target, gpucode_symbols_names(console->symbols), GPUCODE_SPACE_GPU, rest, name,
                               &number)) {
            if (!evaluate(console, rest, name, &value))
                return false;
            number = (uint32_t)value.number;
        }
        if (!take_words(console, skip_blanks(rest + name), words, &count))
            return false;
        if (count - 1 > 127 || number >= 1 << 18)
            return complain_of(console, "a type-4 packet has at most 127 words, and registers below 0x40000");
        uint32_t size = (uint32_t)(count - 1);
        words[0] = 4u << 28 | parity(number) << 27 | number << 8 | parity(size) << 7 | size;
    } else {
        struct gpucode_value value;
        if (!gpucode_number_of(target, NULL, GPUCODE_SPACE_PACKET, arguments, length, &number)) {
            if (!evaluate(console, arguments, length, &value))
                return false;
            number = (uint32_t)value.number;
        }
        if (number > 127)
            return complain_of(console, "packet opcodes have 7 bits");
        if (!take_words(console, rest, words, &count))
            return false;
        uint32_t size = (uint32_t)(count - 1);
        words[0] = 7u << 28 | parity(number) << 23 | number << 16 | parity(size) << 15 | size;
    }
    switch (gpucode_debug_feed(console->debug, gpucode_debug_processor(console->debug), words, count)) {
    case GPUCODE_OK:
        return true;
    case GPUCODE_ERROR_UNSUPPORTED:
        return complain_of(console, "this machine takes no packets");
    default:
        return complain_of(console, "the queue takes no more");
    }
}

bool do_map(struct console *console, const char *arguments)
{
    struct gpucode_value address, size;
    const char *comma = find_comma(arguments);
    if (!*comma)
        return complain_of(console, "map ADDRESS, SIZE");
    if (!evaluate(console, arguments, (size_t)(comma - arguments), &address) ||
        !evaluate_all(console, comma + 1, &size))
        return false;
    return gpucode_debug_map(console->debug, (uint64_t)address.number, (uint64_t)size.number) == GPUCODE_OK ||
           complain_of(console, "that memory cannot be made");
}
