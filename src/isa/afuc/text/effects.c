/* SPDX-License-Identifier: MIT */
/*
 * What AFUC's rows cannot say about effects: registers that are queues and the counters that step with them, (xmovN),
 * and that a (rep) with $rem 0 does nothing; and a flow that depends on which register it goes through.
 */
#include "isa/afuc/afuc.h"

#include <string.h>

static void add_unnamed(struct isa_effects *list, struct gpucode_effect effect)
{
    effect.operand = -1;
    isa_add_effect(list, effect);
}

/* A control register with behaviour, by name; chips without it do without. */
static void add_control(struct isa_effects *list, const struct gpucode_insn *insn, const char *name, unsigned count,
                        unsigned use)
{
    uint32_t number;
    if (isa_number_of(insn->target->names, NULL, GPUCODE_SPACE_CONTROL, name, strlen(name), &number))
        add_unnamed(
            list,
            (struct gpucode_effect){
                .use = use, .space = GPUCODE_SPACE_CONTROL, .number = number, .count = (uint16_t)count, .known = true});
}

/* A register of the space; which one is not known. */
static void add_some(struct isa_effects *list, enum gpucode_space space, unsigned use)
{
    add_unnamed(list, (struct gpucode_effect){.use = use, .space = space, .maybe = true});
}

static void add_memory(struct isa_effects *list, unsigned use)
{
    add_unnamed(list, (struct gpucode_effect){.kind = GPUCODE_EFFECT_MEMORY, .use = use, .maybe = true});
}

static void add_rem(struct isa_effects *list)
{
    add_unnamed(list, (struct gpucode_effect){.use = GPUCODE_USE_BOTH,
                                              .space = GPUCODE_SPACE_GENERAL,
                                              .number = REG_REM,
                                              .count = 1,
                                              .known = true,
                                              .maybe = true});
}

/* $addr or $usraddr, whichever was written last. */
static void add_selected(struct isa_effects *list, unsigned use)
{
    add_unnamed(list, (struct gpucode_effect){
                          .use = use, .space = GPUCODE_SPACE_GENERAL, .number = REG_ADDR, .count = 2, .maybe = true});
}

/* AFUC manual, Reading Memory and Registers. With (peek) nothing moves on. */
static void add_queue_read(struct isa_effects *list, const struct gpucode_insn *insn, uint32_t number)
{
    bool early = insn->target->generation == AFUC_A5XX;
    unsigned use = isa_letter(insn, 'p') ? GPUCODE_USE_READ : GPUCODE_USE_BOTH;
    switch (number) {
    case REG_MEMDATA:
        add_memory(list, GPUCODE_USE_READ);
        add_control(list, insn, "MEM_READ_ADDR", 2, use);
        add_control(list, insn, "MEM_READ_DWORDS", 1, use);
        add_control(list, insn, "MEM_READ_ADDR_HI_PREEMPTION", 1, GPUCODE_USE_READ);
        if (early) /* without words left memory is read through NRT registers */
            add_some(list, GPUCODE_SPACE_GPU, use);
        break;
    case REG_REGDATA:
        add_some(list, GPUCODE_SPACE_GPU, GPUCODE_USE_READ);
        if (early)
            add_selected(list, use);
        add_control(list, insn, "REG_READ_ADDR", 1, use);
        add_control(list, insn, "REG_READ_DWORDS", 1, use);
        break;
    default:
        if (use == GPUCODE_USE_BOTH)
            add_rem(list);
    }
}

/* $data writes where the selected register says, which steps. */
static void add_data_write(struct isa_effects *list)
{
    add_selected(list, GPUCODE_USE_BOTH);
    add_some(list, GPUCODE_SPACE_GPU, GPUCODE_USE_WRITE);
    add_some(list, GPUCODE_SPACE_PIPE, GPUCODE_USE_WRITE);
    add_memory(list, GPUCODE_USE_WRITE); /* through NRT registers */
}

/* A queue as an operand. Written $addr and $usraddr are registers, and may fire a pipe register. */
static void add_queue(struct isa_effects *list, const struct gpucode_insn *insn, struct gpucode_effect effect)
{
    unsigned use = effect.use;
    if (use & GPUCODE_USE_READ) {
        effect.kind = GPUCODE_EFFECT_QUEUE;
        effect.use = GPUCODE_USE_READ;
        isa_add_effect(list, effect);
        add_queue_read(list, insn, effect.number);
    }
    if (use & GPUCODE_USE_WRITE) {
        effect.kind = effect.number == REG_DATA ? GPUCODE_EFFECT_QUEUE : GPUCODE_EFFECT_REGISTER;
        effect.use = GPUCODE_USE_WRITE;
        isa_add_effect(list, effect);
        if (effect.number == REG_DATA)
            add_data_write(list);
        else
            add_some(list, GPUCODE_SPACE_PIPE, GPUCODE_USE_WRITE);
    }
}

void afuc_refine_effects(const struct gpucode_insn *insn, struct isa_effects *list)
{
    struct gpucode_effect from_row[GPUCODE_EFFECTS_MAX];
    unsigned count = list->count;
    memcpy(from_row, list->effects, count * sizeof *from_row);
    list->count = 0;
    for (unsigned i = 0; i < count; i++) {
        struct gpucode_effect effect = from_row[i];
        bool general = effect.kind == GPUCODE_EFFECT_REGISTER && effect.space == GPUCODE_SPACE_GENERAL;
        if (general && effect.number == 0)
            continue; /* reads 0, and what is written is gone */
        if (!general || effect.number < REG_MEMDATA)
            isa_add_effect(list, effect);
        else if (insn->row == AFUC_BFI && effect.use == GPUCODE_USE_BOTH) /* what it keeps is not a word of a queue */
            add_queue(list, insn, (effect.use = GPUCODE_USE_WRITE, effect));
        else
            add_queue(list, insn, effect);
        if (effect.kind == GPUCODE_EFFECT_MEMORY)
            add_control(list, insn, insn->target->generation == AFUC_A5XX ? "STORE_HI" : "LOAD_STORE_HI", 1,
                        GPUCODE_USE_READ);
    }
    if (isa_letter(insn, 'x')) {
        add_rem(list);
        if (isa_letter(insn, 'd') >= REG_ADDR) /* else the extra moves are dropped */
            add_data_write(list);
    }
    if (isa_letter(insn, 'r'))
        for (unsigned i = 0; i < list->count; i++)
            list->effects[i].maybe = true;
}

/* A jump through the link register is how code that was called by bl returns. */
void afuc_refine_flow(const struct gpucode_insn *insn, struct gpucode_flow *flow)
{
    if (flow->kind == GPUCODE_FLOW_JUMP && !flow->known &&
        isa_letter(insn, insn->row == AFUC_JUMP_REG ? 't' : 's') == REG_LR)
        flow->kind = GPUCODE_FLOW_RETURN;
}
