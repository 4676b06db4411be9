/* SPDX-License-Identifier: MIT */
/* What a HWSQ script does, in order and with times: recorded once, shown as trace, time line, plot and difference. */
#ifndef KIT_HWSQ_ACTIONS_H
#define KIT_HWSQ_ACTIONS_H

#include <gpucode/hwsq.h>
#include <stdio.h>

struct session;
struct input;

enum action_kind { ACTION_WRITE, ACTION_FLAG, ACTION_EWAIT, ACTION_WAIT, ACTION_EXIT, ACTION_ILLEGAL };

struct action {
    enum action_kind kind;
    unsigned processor;
    uint32_t pc;
    uint64_t position; /* opcodes that all processors have run before it */
    uint64_t time;     /* PTIMER clocks, when it begins */
    uint64_t end;      /* when it has ended; UINT64_MAX: never */
    uint32_t number;   /* register address, flag, event, opcode */
    uint64_t value;    /* written value; flag: 0 unset, 2, 3; event: 0 or 1; wait: units */
    uint64_t old;
};

struct actions {
    struct action *items;
    size_t count, room;
    bool failed;                           /* out of memory */
    const struct gpucode_machine *machine; /* while it runs */
    uint64_t instructions;
    uint64_t wait_units;
    uint64_t paused_clocks, pause_begin; /* with FB_PAUSE set */
    bool paused;
    uint64_t waited_event_clocks;
    struct gpucode_stop stop;
    unsigned processors;
};

/* Runs the script until it stands still; `settings` ends with a null name. Returns an exit code of its own only. */
int actions_record(struct session *session, const struct input *input, const struct gpucode_setting *settings,
                   uint64_t limit, struct actions *actions);
void actions_free(struct actions *actions);

/* "wr32 1002d4 00000001", "set1 16", "ewait 0 1": the form of reference traces. Empty for waits. */
void action_plain(const struct action *action, char *text, size_t size);
/* The same with names: "PFB.RAMCHIP_CFG.PRECHARGE (1002d4) <= 00000001". */
void action_named(const struct input *input, const struct action *action, char *text, size_t size);
/* Is it one of those that reference traces show? */
static inline bool action_is_effect(const struct action *action)
{
    return action->kind <= ACTION_EWAIT;
}

#endif
