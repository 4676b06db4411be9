/* SPDX-License-Identifier: MIT */
/*
 * Kinds of records: the packets that the firmware has handlers for, and one of those that it has none for. How many
 * words a handler takes at least is tried out.
 */
#include "kit/afuc/fuzz.h"

#include <stdio.h>
#include <string.h>

#define LEAST_MAX 16u /* words that are tried */
#define MORE 16u      /* a packet of no fixed length gets so many more at most */

/* The handler that most opcodes have: that of packets which the firmware does not know. */
static uint32_t common_handler(const uint32_t *table)
{
    uint32_t best = table[0];
    unsigned most = 0;
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < FUZZ_OPCODES; k++)
            count += table[k] == table[i];
        if (count > most) {
            most = count;
            best = table[i];
        }
    }
    return most > 1 ? best : UINT32_MAX;
}

struct probe {
    unsigned opcode, taken;
    bool handled;
};

static bool watch_probe(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct probe *probe = user;
    (void)machine;
    if (event->address != probe->opcode || !event->value)
        return false;
    probe->handled = true;
    probe->taken = (unsigned)event->old;
    return true;
}

/* Does the handler take a packet of so many words, all of them 0, as a whole? */
static bool takes(struct fuzzed *fuzzed, unsigned opcode, unsigned count)
{
    uint32_t words[1 + LEAST_MAX + MORE] = {gpucode_packet_type7(opcode, count)};
    struct probe probe = {opcode, 0, false};
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    gpucode_machine_hook(fuzzed->machine, GPUCODE_EVENT_HANDLED, watch_probe, &probe);
    gpucode_machine_feed(fuzzed->machine, fuzzed->processor, words, 1 + count);
    gpucode_machine_run(fuzzed->machine, fuzzed->limit, &fuzzed->stop);
    return probe.handled && probe.taken == 1 + count;
}

/* The words that it takes at least, and at most: the same where one more is not taken. */
static void find_lengths(struct fuzzed *fuzzed, unsigned opcode, struct gpucode_fuzz_kind *kind)
{
    unsigned least = 0;
    while (least <= LEAST_MAX && !takes(fuzzed, opcode, least))
        least++;
    if (least > LEAST_MAX) /* it stops whatever it gets */
        least = 0;
    bool more = takes(fuzzed, opcode, least + 1) || takes(fuzzed, opcode, least + 2);
    kind->least = least;
    kind->most = more || !least ? least + MORE : least;
    if (!more && takes(fuzzed, opcode, 0))
        kind->most = 0;
}

static void name_packet(struct fuzzed *fuzzed, unsigned opcode)
{
    char *name = fuzzed->names[opcode];
    if (!gpucode_name_of(fuzzed->input->target, input_names(fuzzed->input), GPUCODE_SPACE_PACKET, opcode, name,
                         GPUCODE_NAME_MAX) ||
        strpbrk(name, " \t,;#"))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", opcode);
}

static int opcode_named(const struct fuzzed *fuzzed, const char *name, const uint32_t *table, uint32_t common)
{
    uint32_t opcode;
    return gpucode_number_of(fuzzed->input->target, input_names(fuzzed->input), GPUCODE_SPACE_PACKET, name,
                             strlen(name), &opcode) &&
                   opcode < FUZZ_OPCODES && table[opcode] != common
               ? (int)opcode
               : -1;
}

bool fuzz_find_kinds(struct fuzzed *fuzzed)
{
    uint32_t table[FUZZ_OPCODES];
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        table[i] = fuzz_read(fuzzed, fuzzed->processor, GPUCODE_SPACE_PACKET, i);
        name_packet(fuzzed, i);
    }
    uint32_t common = common_handler(table), registers;
    if (!gpucode_number_of(fuzzed->input->target, NULL, GPUCODE_SPACE_PACKET, "PKT4", 4, &registers))
        registers = 4;
    /* of all packets that the firmware does not know one is enough: CP_NOP, if it is among them */
    uint32_t unknown = 0;
    if (!gpucode_number_of(fuzzed->input->target, NULL, GPUCODE_SPACE_PACKET, "CP_NOP", 6, &unknown) ||
        table[unknown % FUZZ_OPCODES] != common)
        for (unknown = 0; unknown < FUZZ_OPCODES - 1 && table[unknown] != common;)
            unknown++;
    for (unsigned i = 0; i < FUZZ_OPCODES; i++) {
        if (i == registers || (table[i] == common && i != unknown))
            continue;
        struct gpucode_fuzz_kind *kind = &fuzzed->kinds[fuzzed->packets];
        fuzzed->opcodes[fuzzed->packets++] = (uint8_t)i;
        kind->name = fuzzed->names[i];
        kind->weight = table[i] == common ? 2 : 8;
        find_lengths(fuzzed, i, kind);
    }
    fuzzed->indirect = opcode_named(fuzzed, "CP_INDIRECT_BUFFER", table, common);
    fuzzed->draw_state = opcode_named(fuzzed, "CP_SET_DRAW_STATE", table, common);
    bool preempts = fuzzed->trigger != GPUCODE_NONE;
    const struct gpucode_fuzz_kind specials[FUZZ_SPECIALS] = {
        [FUZZ_REGISTERS] = {.name = "registers", .weight = 8, .least = 2, .most = 6},
        [FUZZ_BUFFER] = {.name = "buffer", .weight = fuzzed->indirect < 0 ? 0 : 8, .nesting = GPUCODE_FUZZ_OPENS},
        [FUZZ_GROUP] = {.name = "group",
                        .weight = fuzzed->draw_state < 0 ? 0 : 4,
                        .least = 1,
                        .most = 1,
                        .nesting = GPUCODE_FUZZ_OPENS},
        [FUZZ_END] = {.name = "end", .weight = fuzzed->indirect < 0 ? 0 : 4, .nesting = GPUCODE_FUZZ_CLOSES},
        [FUZZ_STORE] = {.name = "memory", .weight = 6, .least = 3, .most = 18},
        [FUZZ_SET] = {.name = "register", .weight = 4, .least = 2, .most = 2},
        [FUZZ_PREEMPT] = {.name = "preempt", .weight = preempts ? 2 : 0},
    };
    memcpy(fuzzed->kinds + fuzzed->packets, specials, sizeof specials);
    fuzzed->kind_count = fuzzed->packets + FUZZ_SPECIALS;
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    return true;
}
