/* SPDX-License-Identifier: MIT */
#include "witness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static void contradict(struct witness *witness, const struct witness_place *place,
                                                             const char *format, ...)
{
    char text[GPUCODE_TEXT_MAX] = "", what[128];
    va_list args;
    if (witness->wrong[0])
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    gpucode_format(&place->insn, NULL, text, sizeof text, NULL);
    snprintf(witness->wrong, sizeof witness->wrong, "%s: %.60s (at 0x%llx): %s",
             gpucode_target_name(place->insn.target), text, (unsigned long long)place->pc, what);
}

static bool decode_at(const struct gpucode_machine *machine, unsigned processor, uint64_t pc, struct gpucode_insn *insn)
{
    const struct gpucode_image *image = gpucode_machine_image(machine);
    const struct gpucode_image_info *info = gpucode_image_info(image);
    const struct gpucode_section *section = &info->sections[gpucode_machine_section(machine, processor)];
    size_t size, unit = gpucode_target_unit_bytes(info->target);
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    size_t at = info->prefix + unit * (size_t)(section->start + pc);
    return pc < section->size && gpucode_decode(info->target, bytes + at, size - at, pc, insn) == GPUCODE_OK;
}

/* --- ways ------------------------------------------------------------------------------------------------------ */

static void allow(struct witness_place *place, uint64_t pc)
{
    place->next[place->next_count++] = pc;
}

/* What may follow where a flow takes effect; `behind` is the instruction after its slots. */
static void allow_flow(struct witness_place *place, const struct gpucode_flow *flow, uint64_t behind)
{
    place->certain = flow->kind == GPUCODE_FLOW_NEXT || flow->known;
    if (flow->known)
        allow(place, flow->target);
    if (flow->kind == GPUCODE_FLOW_NEXT || flow->conditional)
        allow(place, behind);
}

static void check_way(struct witness *witness, struct witness_place *place, uint64_t pc)
{
    bool good = !place->certain;
    for (unsigned i = 0; i < place->next_count; i++)
        good |= place->next[i] == pc;
    if (!good)
        contradict(witness, place, "control goes to 0x%llx", (unsigned long long)pc);
    if (place->next_count == 2) {
        witness->taken += pc == place->next[0];
        witness->not_taken += pc != place->next[0];
    }
}

static void expect_ways(struct witness *witness, struct witness_place *place)
{
    struct gpucode_flow flow;
    uint64_t behind = place->pc + place->insn.size / gpucode_target_unit_bytes(place->insn.target);
    gpucode_insn_flow(&place->insn, &flow);
    witness->flows[flow.kind]++;
    place->next_count = 0;
    if (place->slots && --place->slots == 0) {
        allow_flow(place, &place->pending, behind);
        if (flow.delay_slots) /* a branch in a slot, which counts where the first is not taken: see the machine's tests
                               */
            place->loose = 1u + flow.delay_slots;
    } else if (flow.delay_slots) {
        place->certain = true;
        allow(place, behind);
        place->pending = flow;
        place->slots = flow.delay_slots;
    } else {
        allow_flow(place, &flow, behind);
    }
    if (place->loose) {
        place->loose--;
        place->certain = false;
    }
}

/* --- effects --------------------------------------------------------------------------------------------------- */

/* What is certain in a record must have been seen when the next instruction begins. */
static void check_done(struct witness *witness, const struct witness_place *place)
{
    bool told = strcmp(gpucode_target_isa(place->insn.target), "afuc") == 0; /* writes of the same value, too */
    for (unsigned i = 0; i < place->effect_count && told; i++) {
        const struct gpucode_effect *e = &place->effects[i];
        bool general = e->space == GPUCODE_SPACE_GENERAL;
        if (e->maybe || !e->known || e->kind == GPUCODE_EFFECT_MEMORY || e->space >= GPUCODE_SPACE_COUNT)
            continue;
        if (general && e->use & GPUCODE_USE_READ && !(place->seen[i] & GPUCODE_USE_READ))
            contradict(witness, place, "$%02x was not used", e->number);
        if (e->kind == GPUCODE_EFFECT_REGISTER && e->use & GPUCODE_USE_WRITE && !(place->seen[i] & GPUCODE_USE_WRITE))
            contradict(witness, place, "register 0x%x of space %u was not written", e->number, e->space);
    }
}

static bool covers(const struct gpucode_effect *effect, unsigned space, uint64_t number)
{
    if (effect->kind == GPUCODE_EFFECT_MEMORY || effect->space != space)
        return false;
    return !effect->count || (number >= effect->number && number < (uint64_t)effect->number + effect->count);
}

static bool has_kind(const struct witness_place *place, enum gpucode_effect_kind kind, unsigned use)
{
    for (unsigned i = 0; i < place->effect_count; i++)
        if (place->effects[i].kind == kind && place->effects[i].use & use)
            return true;
    return false;
}

/* Positions of the packet queue, which move when words are taken from it or waitin settles it. */
static bool is_queue_position(struct gpucode_machine *machine, const struct witness_place *place, unsigned space,
                              uint32_t number)
{
    static const char *const names[] = {"@IB", "@SDS", "@RB_RPTR", "@DRAW_STATE", "CP_RB_RPTR"};
    struct gpucode_row row;
    char name[GPUCODE_NAME_MAX];
    gpucode_row(place->insn.target, place->insn.row, &row);
    if (!has_kind(place, GPUCODE_EFFECT_QUEUE, GPUCODE_USE_READ) && strcmp(row.mnemonic, "waitin") != 0)
        return false;
    if (!gpucode_machine_name(machine, space, number, name, sizeof name))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void check_register(struct witness *witness, struct gpucode_machine *machine, struct witness_place *place,
                           const struct gpucode_event *event, unsigned use)
{
    bool good = false;
    for (unsigned i = 0; i < place->effect_count; i++)
        if (place->effects[i].use & use && covers(&place->effects[i], event->space, event->address)) {
            good = true;
            place->seen[i] |= use;
        }
    *(use == GPUCODE_USE_WRITE ? &witness->writes : &witness->uses) += 1;
    if (!good && !place->acts && !is_queue_position(machine, place, event->space, (uint32_t)event->address))
        contradict(witness, place, "register 0x%llx of space %u is %s", (unsigned long long)event->address,
                   event->space, use == GPUCODE_USE_WRITE ? "written" : "read");
    place->acts |= event->space == GPUCODE_SPACE_CONTROL || event->space == GPUCODE_SPACE_GPU ||
                   event->space == GPUCODE_SPACE_PIPE;
}

static void check_memory(struct witness *witness, struct witness_place *place, unsigned use)
{
    bool queue = has_kind(place, GPUCODE_EFFECT_QUEUE, GPUCODE_USE_READ); /* it may lie in memory */
    if (!has_kind(place, GPUCODE_EFFECT_MEMORY, use) && !place->acts && !queue)
        contradict(witness, place, "memory is %s", use == GPUCODE_USE_WRITE ? "written" : "read");
}

static void begin_insn(struct witness *witness, struct gpucode_machine *machine, struct witness_place *place,
                       const struct gpucode_event *event)
{
    if (place->known && event->pc == place->pc)
        return; /* it goes on */
    if (place->known) {
        check_way(witness, place, event->pc);
        check_done(witness, place);
    }
    place->pc = event->pc;
    place->acts = false;
    place->known = decode_at(machine, event->processor, event->pc, &place->insn);
    memset(place->seen, 0, sizeof place->seen);
    if (!place->known) { /* a word that runs though it is not an instruction: nobody says what it does */
        place->slots = 0;
        return;
    }
    place->effect_count = gpucode_insn_effects(&place->insn, place->effects, GPUCODE_EFFECTS_MAX);
    expect_ways(witness, place);
}

void witness_event(struct witness *witness, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct witness_place *place = &witness->places[event->processor % WITNESS_PROCESSORS];
    if (event->kind == GPUCODE_EVENT_INSN)
        begin_insn(witness, machine, place, event);
    if (!place->known)
        return;
    switch (event->kind) {
    case GPUCODE_EVENT_WRITE:
        check_register(witness, machine, place, event, GPUCODE_USE_WRITE);
        break;
    case GPUCODE_EVENT_USE:
        if (event->address == 0) /* $00 holds nothing */
            break;
        /* fall through */
    case GPUCODE_EVENT_READ:
        check_register(witness, machine, place, event, GPUCODE_USE_READ);
        break;
    case GPUCODE_EVENT_CHANGE: /* of a slot's own registers ADDR and DATA count; the others are its state */
        if (event->space != GPUCODE_SPACE_GENERAL || event->address >= 3)
            check_register(witness, machine, place, event, GPUCODE_USE_WRITE);
        break;
    case GPUCODE_EVENT_MEM_WRITE:
    case GPUCODE_EVENT_MEM_READ:
        check_memory(witness, place, event->kind == GPUCODE_EVENT_MEM_WRITE ? GPUCODE_USE_WRITE : GPUCODE_USE_READ);
        break;
    default:
        break;
    }
}

bool witness_hook(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    witness_event(user, machine, event);
    return false;
}
