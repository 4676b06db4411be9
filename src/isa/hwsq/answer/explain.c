/* SPDX-License-Identifier: MIT */
/* What a script does, in sentences. It is run, and what it did is told. */
#include "base/arena.h"

#include <gpucode/hwsq.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "isa/hwsq/answer/explain.answer.def"
#include <gpucode/answer_rows.h>

#define SENTENCE_MAX 320
#define CLOCK_NS 32 /* of PTIMER */
enum { FB_PAUSED, HEAD0_VBLANK, HEAD0_HBLANK, HEAD1_VBLANK, HEAD1_HBLANK, FB_PAUSE = 16 };

enum action_kind { ACTION_WRITE, ACTION_FLAG, ACTION_EWAIT, ACTION_WAIT, ACTION_EXIT, ACTION_ILLEGAL };

struct action {
    enum action_kind kind;
    uint32_t number; /* register address, flag, event, opcode */
    uint64_t pc, time, value;
};

struct telling {
    struct gpucode_machine *machine;
    struct gpucode_answer *answer;
    struct list actions;
    struct gpucode_stop stop;
    size_t at;           /* action that is told */
    uint64_t paused_at;  /* clocks; UINT64_MAX: memory runs */
    unsigned generation; /* 0 nv17, 1 nv41, 2 nv50, 3 nv92 */
};

/* --- the run ------------------------------------------------------------------------------------------------------ */

static enum action_kind kind_of(const struct gpucode_event *event)
{
    return event->kind == GPUCODE_EVENT_WRITE          ? ACTION_WRITE
           : event->space == GPUCODE_SPACE_FLAG        ? ACTION_FLAG
           : event->space == GPUCODE_SPACE_EVENT       ? ACTION_EWAIT
           : event->address == GPUCODE_HWSQ_WAIT       ? ACTION_WAIT
           : event->address == GPUCODE_HWSQ_EXIT       ? ACTION_EXIT
                                                       : ACTION_ILLEGAL;
}

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct telling *telling = user;
    struct action *action = list_add(&telling->actions, sizeof *action);
    (void)machine;
    if (!action)
        return true;
    *action = (struct action){.kind = kind_of(event),
                              .number = (uint32_t)event->address,
                              .pc = event->pc,
                              .time = event->time,
                              .value = event->value};
    if (action->kind == ACTION_ILLEGAL)
        action->number = (uint32_t)event->value;
    return false;
}

static double us(uint64_t clocks)
{
    return (double)clocks * CLOCK_NS / 1000;
}

/* "12.29 us", "12288 us": four digits, or all in front of the point. */
static const char *put_us(uint64_t clocks, char text[32])
{
    snprintf(text, 32, us(clocks) < 9999.5 ? "%.4g us" : "%.0f us", us(clocks));
    return text;
}

static const struct action *action_after(const struct telling *telling, size_t count)
{
    const struct action *actions = telling->actions.items;
    size_t at = telling->at + count;
    return at < telling->actions.count ? &actions[at] : NULL;
}

static const char *name_of(const struct telling *telling, enum gpucode_space space, uint32_t number,
                           char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_machine_name(telling->machine, space, number, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, space == GPUCODE_SPACE_GPU ? "0x%06" PRIx32 : "%" PRIu32, number);
    return name;
}

static const struct gpucode_target *target_of(const struct telling *telling)
{
    return gpucode_image_info(gpucode_machine_image(telling->machine))->target;
}

/* --- waits and flags ---------------------------------------------------------------------------------------------- */

static bool is_event(const struct action *action, uint32_t event, uint64_t value)
{
    return action && action->kind == ACTION_EWAIT && action->number == event && action->value == value;
}

/* Returns how many actions the sentence is about. */
static size_t tell_event(struct telling *telling, const struct action *action, char *text)
{
    char name[GPUCODE_NAME_MAX];
    bool head = action->number >= HEAD0_VBLANK && action->number <= HEAD1_HBLANK;
    const char *blank = action->number == HEAD0_VBLANK || action->number == HEAD1_VBLANK ? "vertical" : "horizontal";
    unsigned of = action->number >= HEAD1_VBLANK;
    if (head && is_event(action_after(telling, 1), action->number, !action->value)) {
        snprintf(text, SENTENCE_MAX, "Waits for the %s %s blank of head %u.",
                 action->value ? "end of a" : "beginning of the next", blank, of);
        return 2;
    }
    if (head)
        snprintf(text, SENTENCE_MAX, "Waits until head %u is %s its %s blank.", of, action->value ? "in" : "outside of",
                 blank);
    else if (action->number == FB_PAUSED)
        snprintf(text, SENTENCE_MAX, "Waits until memory %s.", action->value ? "has stopped" : "runs again");
    else
        snprintf(text, SENTENCE_MAX, "Waits until event %s is %" PRIu64 ".",
                 name_of(telling, GPUCODE_SPACE_EVENT, action->number, name), action->value);
    return 1;
}

static size_t tell_pause(struct telling *telling, const struct action *action, char *text)
{
    char time[32];
    bool stops = action->value == 3;
    size_t count = is_event(action_after(telling, 1), FB_PAUSED, stops) ? 2 : 1;
    const char *waits = count == 2 ? stops ? ", and waits until it has stopped" : ", and waits until it runs" : "";
    if (stops) {
        snprintf(text, SENTENCE_MAX, "Stops memory access%s.", waits);
        if (telling->paused_at == UINT64_MAX)
            telling->paused_at = action->time;
    } else if (telling->paused_at != UINT64_MAX) {
        snprintf(text, SENTENCE_MAX, "Lets memory go on, which was stopped for %s%s.",
                 put_us(action->time - telling->paused_at, time), waits);
        telling->paused_at = UINT64_MAX;
    } else {
        snprintf(text, SENTENCE_MAX, "Lets memory run%s.", waits);
    }
    return count;
}

static size_t tell_flag(struct telling *telling, const struct action *action, char *text)
{
    char name[GPUCODE_NAME_MAX];
    if (action->number == FB_PAUSE && telling->generation)
        return tell_pause(telling, action, text);
    name_of(telling, GPUCODE_SPACE_FLAG, action->number, name);
    if (action->value < 2)
        snprintf(text, SENTENCE_MAX, "No longer overrides what flag %s drives.", name);
    else
        snprintf(text, SENTENCE_MAX, "Forces flag %s to %u.", name, (unsigned)action->value & 1);
    return 1;
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

/*
 * PLLs: a control register (bit 31 on, bits 18:16 the divider after it, bits 30 and 8 the second stage) with N and M in
 * its low half or in the register after it. Source: Linux, drivers/gpu/drm/nouveau/nvkm/subdev/clk/nv40.c and nv50.c.
 */
static const struct pll {
    uint8_t generations; /* a bit each */
    bool alone;          /* N and M are in the control register */
    uint16_t control;
    const char *what;
    double reference; /* MHz; 0: other registers choose it */
} plls[] = {
    {2, false, 0x4000, "core", 27},   {2, true, 0x4008, "shader", 27},  {2, false, 0x4020, "memory", 27},
    {12, false, 0x4008, "memory", 0}, {12, false, 0x4020, "shader", 0}, {12, false, 0x4028, "core", 0},
};

/* The last value that the script has written to a register up to now. */
static bool find_written(const struct telling *telling, uint32_t address, uint32_t *value)
{
    for (size_t i = telling->at + 1; i-- > 0;) {
        const struct action *action = &((const struct action *)telling->actions.items)[i];
        if (action->kind == ACTION_WRITE && action->number == address) {
            *value = (uint32_t)action->value;
            return true;
        }
    }
    return false;
}

/* Chipsets whose PLLs are others: MCP77, MCP79 and GT215 on. */
static bool has_known_plls(const struct telling *telling)
{
    struct gpucode_hwsq_facts facts;
    if (!gpucode_hwsq_facts(target_of(telling), &facts))
        return false;
    return facts.id != 0xaa && facts.id != 0xac && facts.id != 0xa3 && facts.id != 0xa5 && facts.id != 0xa8 &&
           facts.id != 0xaf;
}

static const struct pll *find_pll(const struct telling *telling, uint32_t address)
{
    for (size_t i = 0; i < sizeof plls / sizeof *plls; i++)
        if (plls[i].generations >> telling->generation & 1 &&
            (address == plls[i].control || (!plls[i].alone && address == plls[i].control + 4u)))
            return has_known_plls(telling) ? &plls[i] : NULL;
    return NULL;
}

/* What the PLL makes of its reference; false: not all of it is known. */
static bool find_factor(const struct pll *pll, uint32_t control, uint32_t coefficients, double *factor)
{
    unsigned n1 = coefficients >> 8 & 0xff, m1 = coefficients & 0xff, n2 = coefficients >> 24;
    unsigned m2 = coefficients >> 16 & 0xff;
    if (!m1)
        return false;
    *factor = (double)n1 / m1;
    if (!pll->alone && (control & 0x40000100) == 0x40000000) {
        if (!m2)
            return false;
        *factor *= (double)n2 / m2;
    }
    *factor /= 1u << (control >> 16 & 7);
    return true;
}

static void tell_pll(struct telling *telling, const struct action *action, const struct pll *pll, char *text)
{
    uint32_t control, coefficients = 0;
    bool has_control = find_written(telling, pll->control, &control);
    bool whole = has_control && (pll->alone || find_written(telling, pll->control + 4u, &coefficients));
    double factor;
    if (pll->alone)
        coefficients = (uint32_t)action->value;
    if (has_control && !(control >> 31))
        snprintf(text, SENTENCE_MAX, "Turns the %s PLL off (0x%x).", pll->what, (unsigned)action->value);
    else if (whole && find_factor(pll, control, coefficients, &factor) && pll->reference > 0)
        snprintf(text, SENTENCE_MAX, "Sets the %s PLL to %.4g MHz (a crystal of %g MHz times %.4g).", pll->what,
                 factor * pll->reference, pll->reference, factor);
    else if (whole && find_factor(pll, control, coefficients, &factor))
        snprintf(text, SENTENCE_MAX,
                 "Sets the %s PLL to %.4g times its reference: %.4g MHz where that is the 100 MHz of PCIe, %.4g MHz "
                 "where it is a crystal of 27 MHz.",
                 pll->what, factor, factor * 100, factor * 27);
    else if (action->number == pll->control)
        snprintf(text, SENTENCE_MAX, "Turns the %s PLL on, divided by %u after it (0x%x).", pll->what,
                 1u << (action->value >> 16 & 7), (unsigned)action->value);
    else
        snprintf(text, SENTENCE_MAX, "Sets the %s PLL's coefficients: N1 %u, M1 %u (0x%x).", pll->what,
                 (unsigned)action->value >> 8 & 0xff, (unsigned)action->value & 0xff, (unsigned)action->value);
}

/* --- writes ------------------------------------------------------------------------------------------------------- */

/* Writes with a known meaning. Source: Linux, drivers/gpu/drm/nouveau/nvkm/subdev/fb/ramnv50.c, clk/nv50.c. */
static const struct meaning {
    uint8_t generations;
    uint32_t address, mask, value;
    const char *text;
} meanings[] = {
    {15, 0x1002d4, 1, 1, "Precharges the banks of memory, which are idle then."},
    {15, 0x1002d0, 1, 1, "Refreshes memory once."},
    {15, 0x1002dc, 1, 1, "Puts memory into self refresh."},
    {15, 0x1002dc, 1, 0, "Takes memory out of self refresh."},
    {15, 0x100210, 0x80000000, 0, "Turns automatic refresh of memory off."},
    {15, 0x100210, 0x80000000, 0x80000000, "Turns automatic refresh of memory on."},
    {12, 0x2504, 1, 1, "Stops PFIFO: no more commands reach the engines."},
    {12, 0x2504, 1, 0, "Lets PFIFO go on."},
    {14, 0xc040, 0, 0, "Chooses the sources of clocks."},
    {15, 0x1002c0, 0, 0, "Sets the mode register of the memory chips of bank 0."},
    {15, 0x1002c8, 0, 0, "Sets the mode register of the memory chips of bank 1."},
};

/* Writes to registers of one group, one after another, are one sentence. */
static const struct {
    const char *prefix, *text;
} groups[] = {
    {"PFB.MEM_TIMINGS_", "Sets the timings of memory"},
    {"PFB.RAMCHIP_CFG.BANK", "Sets mode registers of the memory chips"},
    {"PNVIO.GPIO_", "Drives GPIO lines"},
};

static size_t count_group(const struct telling *telling, const char *prefix)
{
    char name[GPUCODE_NAME_MAX];
    size_t count = 0;
    const struct action *action;
    while ((action = action_after(telling, count)) && action->kind == ACTION_WRITE &&
           strncmp(name_of(telling, GPUCODE_SPACE_GPU, action->number, name), prefix, strlen(prefix)) == 0)
        count++;
    return count;
}

static size_t tell_write(struct telling *telling, const struct action *action, char *text)
{
    char name[GPUCODE_NAME_MAX];
    const struct pll *pll = find_pll(telling, action->number);
    name_of(telling, GPUCODE_SPACE_GPU, action->number, name);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t count = count_group(telling, groups[i].prefix);
        if (count > 1) {
            snprintf(text, SENTENCE_MAX, "%s: %zu writes from %s on.", groups[i].text, count, name);
            return count;
        }
    }
    if (pll) {
        tell_pll(telling, action, pll, text);
        return 1;
    }
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].generations >> telling->generation & 1 && meanings[i].address == action->number &&
            (action->value & meanings[i].mask) == meanings[i].value) {
            size_t length = strlen(meanings[i].text) - 1;
            snprintf(text, SENTENCE_MAX, "%.*s (%s = 0x%" PRIx64 ").", (int)length, meanings[i].text, name,
                     action->value);
            return 1;
        }
    snprintf(text, SENTENCE_MAX, "Writes 0x%" PRIx64 " to %s.", action->value, name);
    return 1;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static size_t make_sentence(struct telling *telling, const struct action *action, char *text)
{
    char time[32];
    switch (action->kind) {
    case ACTION_WRITE:
        return tell_write(telling, action, text);
    case ACTION_FLAG:
        return tell_flag(telling, action, text);
    case ACTION_EWAIT:
        return tell_event(telling, action, text);
    case ACTION_WAIT:
        snprintf(text, SENTENCE_MAX, "Waits %" PRIu64 " us.", action->value);
        return 1;
    case ACTION_EXIT:
        snprintf(text, SENTENCE_MAX, "Ends after %s%s.", put_us(action->time, time),
                 telling->paused_at == UINT64_MAX ? "" : ", and memory is still stopped");
        return 1;
    default:
        snprintf(text, SENTENCE_MAX, "Meets 0x%02x, which is not an opcode.", (unsigned)action->number);
        return 1;
    }
}

static void tell_sentence(struct telling *telling, const struct action *action, const char *text)
{
    struct gpucode_answer *answer = telling->answer;
    gpucode_answer_begin(answer, &fields[SENTENCE]);
    gpucode_answer_number(answer, &fields[AT], action->pc);
    gpucode_answer_number(answer, &fields[CLOCKS], action->time);
    gpucode_answer_text(answer, &fields[TEXT_], text);
    gpucode_answer_end(answer);
}

static void tell_script(struct telling *telling, const char *file)
{
    struct gpucode_answer *answer = telling->answer;
    char text[SENTENCE_MAX];
    size_t size;
    gpucode_image_bytes(gpucode_machine_image(telling->machine), &size);
    gpucode_answer_begin(answer, &fields[SCRIPT]);
    gpucode_answer_text(answer, &fields[FILE_NAME], file ? file : "");
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(target_of(telling)));
    gpucode_answer_number(answer, &fields[SIZE], size);
    gpucode_answer_begin(answer, &fields[SENTENCES]);
    for (const struct action *action; (action = action_after(telling, 0));) {
        size_t count = make_sentence(telling, action, text);
        tell_sentence(telling, action, text);
        telling->at += count;
    }
    if (telling->stop.reason != GPUCODE_STOP_END) {
        const struct action last = {.pc = telling->stop.pc, .time = telling->stop.time};
        snprintf(text, sizeof text, "Does not come to an end: %.200s.",
                 telling->stop.text[0] ? telling->stop.text : "the limit of opcodes is reached");
        tell_sentence(telling, &last, text);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

const struct gpucode_answer_table *gpucode_hwsq_explain_table(void)
{
    static const struct gpucode_answer_table table = {"explain", "What a script does.", fields,
                                                      sizeof fields / sizeof *fields};
    return &table;
}

enum gpucode_status gpucode_hwsq_explain(struct gpucode_machine *machine, const char *file, uint64_t limit,
                                         struct gpucode_answer *answer)
{
    struct telling telling = {.machine = machine, .answer = answer, .paused_at = UINT64_MAX};
    struct gpucode_hwsq_facts facts;
    static const char *const generations[] = {"nv17", "nv41", "nv50", "nv92"};
    if (!machine)
        return GPUCODE_ERROR_ARGUMENT;
    const struct gpucode_target *target = target_of(&telling);
    if (!gpucode_hwsq_facts(target, &facts))
        return GPUCODE_ERROR_UNSUPPORTED;
    while (telling.generation < 3 &&
           strcmp(gpucode_target_generation(target), generations[telling.generation]) != 0)
        telling.generation++;
    gpucode_machine_hook(machine, GPUCODE_EVENT_ACTION | GPUCODE_EVENT_WRITE, see, &telling);
    gpucode_machine_run(machine, limit, &telling.stop);
    gpucode_machine_hook(machine, 0, NULL, NULL);
    bool failed = telling.actions.failed || (telling.stop.code && strcmp(telling.stop.code, "machine-memory") == 0);
    if (!failed)
        tell_script(&telling, file);
    free(telling.actions.items);
    return failed ? GPUCODE_ERROR_MEMORY : gpucode_answer_status(answer);
}
