/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_HWSQ_KIT_H
#define KIT_HWSQ_KIT_H

#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/hwsq.h>
#include <gpucode/machine.h>

#include <stdio.h>

int run_hwsq(struct session *session, const struct input *input);
int script_diff(struct session *session, const struct input *first, const struct input *second);
unsigned script_recognises(const struct file *file, const struct gpucode_target *target);
/* kit.settings: entry points of the source, --entry, --oversize. */
int script_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* kit.give: what --reg and --memory say is there when the script starts. */
int script_give(struct session *session, const struct input *input, struct gpucode_machine *machine);
/* Opcodes that a script may run without --limit. */
uint64_t script_limit(const struct input *input);
int script_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

/* What a HWSQ script does, in order and with times: recorded once, shown as trace, time line, plot and difference. */

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
    bool paused; /* from it on FB_PAUSE is set */
};

struct actions {
    struct action *items;
    size_t count, room;
    bool failed;                           /* out of memory */
    const struct gpucode_machine *machine; /* while it runs */
    uint64_t instructions;
    uint64_t wait_units;
    uint64_t paused_clocks, pause_begin;   /* with FB_PAUSE set */
    bool has_pause, paused, paused_before; /* now; when the script started */
    uint64_t waited_event_clocks;
    struct gpucode_stop stop;
    unsigned processors;
};

/* Runs the script until it stands still; `settings` ends with a null name. Returns an exit code of its own only. */
int actions_record(struct session *session, const struct input *input, const struct gpucode_setting *settings,
                   uint64_t limit, struct actions *actions);
void actions_free(struct actions *actions);
/* Is FB_PAUSE set, where there is one? Flag 16 of other targets drives something that nobody knows. */
bool script_is_paused(const struct gpucode_machine *machine);

/* "wr32 1002d4 00000001", "set1 16", "ewait 0 1": the form of reference traces. Empty for waits. */
void action_plain(const struct action *action, char *text, size_t size);
/* The same with names: "PFB.RAMCHIP_CFG.PRECHARGE (1002d4) <= 00000001". */
void action_named(const struct input *input, const struct action *action, char *text, size_t size);
/* Is it one of those that reference traces show? */
static inline bool action_is_effect(const struct action *action)
{
    return action->kind <= ACTION_EWAIT;
}

/* --- How long a HWSQ script takes at most, whatever the phases of the heads' vertical blanks ---------------------- */

struct worst {
    bool known;             /* some vertical blank is described */
    bool exact;             /* no phases give more; else others than those tried might */
    uint64_t total, paused; /* clocks until the script stands still, and with FB_PAUSE set */
};

/* Runs the script with many phases in place of those in `settings`. Returns an exit code of its own only. */
int worst_find(struct session *session, const struct input *input, const struct gpucode_setting *settings,
               uint64_t limit, struct worst *worst);

/* An SVG picture of what a script does; *text is malloc'ed. False: out of memory. */
bool plot_actions(const struct input *input, const struct actions *actions, double clock_ns, char **text,
                  size_t *length);

#endif
