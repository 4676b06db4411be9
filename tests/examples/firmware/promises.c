/* SPDX-License-Identifier: MIT */
/*
 * README.md has a list: packet (processors that have it): payload and result. Every processor must have the packets
 * that it names and no others, and the tests of each chip must send each of them.
 */
#include "bundled.h"
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packet, and the processors that have it, each with a space on both sides. */
struct promise {
    char packet[64];
    char processors[72];
};

/* Splits the list into one promise per packet name; returns how many. */
static unsigned read_promises(struct promise *promises, unsigned capacity)
{
    char *text = read_items("examples/firmware/README.md");
    unsigned count = 0;
    for (char *line = strstr(text, "\n* PKT4 ("); line && line[1] == '*'; line = strchr(line + 1, '\n')) {
        char names[256], processors[64];
        assert_int_equal(sscanf(line + 1, "* %255[^(](%62[^)]):", names, processors), 2);
        for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", ")) {
            assert_true(count < capacity);
            snprintf(promises[count].packet, sizeof promises[count].packet, "%s", name);
            snprintf(promises[count].processors, sizeof promises[count].processors, " %s ", processors);
            count++;
        }
    }
    free(text);
    return count;
}

static bool promised(const struct promise *promise, const char *processor)
{
    char word[16];
    snprintf(word, sizeof word, " %s ", processor);
    return strstr(promise->processors, word) != NULL;
}

#define PROMISES_MAX 100

static void handlers(void)
{
    struct promise promises[PROMISES_MAX];
    unsigned count = read_promises(promises, PROMISES_MAX);
    assert_true(count > 40);
    for (unsigned f = 0; f < BUNDLED_COUNT; f++) {
        struct opened o;
        open_bundled(&o, f);
        for (unsigned s = 0; s < o.info->section_count; s++) {
            const char *processor = o.info->sections[s].name;
            uint32_t rest, label, handler;
            bool explained[128] = {0};
            assert_true(section_label(&o, s, "skip_payload", &rest));
            for (unsigned i = 0; i < count; i++) {
                bool there = section_label(&o, s, promises[i].packet, &label);
                if (there != promised(&promises[i], processor))
                    fail_msg("%s of %s %s", promises[i].packet, processor, there ? "is not in README" : "is missing");
                unsigned entries = 0;
                for (unsigned entry = 0; there && entry < 128; entry++) {
                    assert_true(gpucode_image_handler(o.image, s, entry, &handler));
                    entries += handler == label;
                    explained[entry] |= handler == label;
                }
                if (there && (!entries || (label == rest && strcmp(promises[i].packet, "CP_NOP") != 0)))
                    fail_msg("%s of %s has no handler of its own", promises[i].packet, processor);
            }
            /* What has a handler, and is not the entry for preemption, stands in the table. */
            for (unsigned entry = 0; entry < 128; entry++) {
                assert_true(gpucode_image_handler(o.image, s, entry, &handler));
                if (!explained[entry] && entry != 0xf)
                    fail_msg("opcode 0x%x of %s is not in README", entry, processor);
            }
        }
        close_bundled(&o);
    }
}

/* Reads the `ring` lines of a .tests file and notes the opcodes sent; bodies are skipped by length. */
static void read_opcodes(const char *name, bool sent[128], unsigned *packets)
{
    size_t size;
    char *text = bundled_text(name, ".tests", &size);
    unsigned skip = 0; /* a packet may go on in the next line, not in the next test */
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line += strspn(line, " ");
        if (strncmp(line, "test ", 5) == 0)
            assert_int_equal(skip, 0);
        if (strncmp(line, "ring ", 5) != 0)
            continue;
        for (char *word = strtok(line + 5, " "); word; word = strtok(NULL, " ")) {
            char *end;
            unsigned long value = strtoul(word, &end, 16);
            assert_true(*end == '\0' && end - word == 8);
            if (skip) {
                skip--;
                continue;
            }
            assert_true(value >> 28 == 4 || value >> 28 == 7);
            sent[value >> 28 == 4 ? 4 : value >> 16 & 0x7f] = true;
            skip = (unsigned)(value >> 28 == 4 ? value & 0x7f : value & 0x3fff);
            (*packets)++;
        }
    }
    assert_int_equal(skip, 0);
    free(text);
}

static void tested(void)
{
    struct promise promises[PROMISES_MAX];
    unsigned count = read_promises(promises, PROMISES_MAX);
    for (unsigned f = 0; f < BUNDLED_COUNT; f++) {
        struct opened o;
        open_bundled(&o, f);
        bool sent[128] = {0};
        unsigned packets = 0;
        read_opcodes(o.firmware->name, sent, &packets);
        assert_true(packets > 100);
        for (unsigned i = 0; i < count; i++) {
            uint32_t label, handler;
            if (!section_label(&o, 0, promises[i].packet, &label))
                continue;
            bool found = false;
            for (unsigned entry = 0; entry < 128; entry++)
                found |= gpucode_image_handler(o.image, 0, entry, &handler) && handler == label && sent[entry];
            if (!found)
                fail_msg("no test of %s sends %s", o.firmware->name, promises[i].packet);
        }
        close_bundled(&o);
    }
}

TESTS(promises, handlers, tested)
