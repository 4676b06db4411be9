/* SPDX-License-Identifier: MIT */
/* Words as text: five digits of base 85 from '!' on, the highest first, or z for a word that is 0. */
#include "crash_messages.h"
#include "pm4/crash/dump.h"

#define FIRST '!'

/* A group of five digits; false: it has another character, or is more than a word. */
static bool read_group(const char *at, uint32_t *word)
{
    uint64_t value = 0;
    unsigned wrong = 0;
    for (int i = 0; i < 5; i++) {
        unsigned digit = (unsigned)(unsigned char)at[i] - FIRST;
        wrong |= digit >= 85;
        value = value * 85 + digit;
    }
    *word = (uint32_t)value;
    return !wrong && value <= UINT32_MAX;
}

size_t ascii85_decode(const char *text, size_t length, uint32_t *words, size_t room, const char **wrong)
{
    size_t count = 0;
    const char *at = text, *end = text + length;
    uint32_t word = 0;
    for (*wrong = NULL; at < end; count++) {
        if (*at == 'z') {
            word = 0;
            at++;
        } else if (end - at < 5 || !read_group(at, &word)) {
            *wrong = at;
            break;
        } else {
            at += 5;
        }
        if (words && count < room)
            words[count] = word;
    }
    return count;
}

size_t gpucode_crash_ascii85(const char *text, size_t length, uint32_t *words, size_t room)
{
    const char *wrong;
    return text ? ascii85_decode(text, length, words, room, &wrong) : 0;
}

/* No text of the length stands for more words. */
static size_t count_most(const char *text, size_t length)
{
    size_t zeros = 0;
    for (size_t i = 0; i < length; i++)
        zeros += text[i] == 'z';
    return zeros + (length - zeros) / 5;
}

void ascii85_read(struct gpucode_crash *crash, const char *text, size_t length, struct gpucode_crash_words *words)
{
    const char *wrong;
    size_t room = count_most(text, length);
    uint32_t *list = words && room ? arena_array(&crash->loader.arena, room, sizeof *list) : NULL;
    if (words && room && !list) {
        crash->no_memory = true;
        return;
    }
    size_t count = ascii85_decode(text, length, list, room, &wrong);
    if (words) {
        words->words = list;
        words->count = count;
    }
    /* the last group of a file that was cut off is nobody's fault, and the file's end is told elsewhere */
    if (wrong && text + length < crash->text + crash->size)
        dump_warn(crash, wrong, MSG_CRASH_ASCII85);
}

char *ascii85_write(char *at, const uint32_t *words, size_t count)
{
    while (count && !words[count - 1])
        count--;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = words[i];
        if (!word) {
            *at++ = 'z';
            continue;
        }
        for (int digit = 4; digit >= 0; digit--, word /= 85)
            at[digit] = (char)(FIRST + word % 85);
        at += 5;
    }
    return at;
}
