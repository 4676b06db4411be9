/* SPDX-License-Identifier: MIT */
#include "kit/afuc/kit.h"

#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/replay.h"
#include "kit/afuc/fuzz.h"
#include "kit/launch.h"

/* --- Launch requests of editors for firmware ---------------------------------------------------------------------- */

#define CRASH_FOREIGN "firmware that takes packets"

static const struct launch_field fields[] = {
    {"crash", false, LAUNCH_INPUTS, CRASH_FOREIGN, "A crash dump of a GPU; the firmware begins in its state.",
     crash_launch},
    {"crash-ring", false, LAUNCH_INPUTS, CRASH_FOREIGN,
     "A crash dump of a GPU; the firmware begins after boot, at the oldest packet of the dump's ring.",
     crash_launch_ring},
    {0},
};

static const struct kit_launch afuc_launch = {.fields = fields};

/* --- the kit --- */

extern const struct kit kit_afuc;

static void firmware_listing(const struct session *session, struct gpucode_disasm_options *options)
{
    options->style = arguments_have(&session->arguments, OPTION_AFUC_REGISTER_NAMES);
}

extern const struct gpucode_answer_table firmware_info_answer_table, firmware_run_answer_table,
    firmware_trace_answer_table;
static const struct gpucode_answer_table *const answers[] = {&firmware_info_answer_table, &firmware_run_answer_table,
                                                             &firmware_trace_answer_table, NULL};

const struct kit kit_afuc = {
    .name = "afuc",
    .answers = answers,
    .complete = firmware_complete,
    .run = run_afuc,
    .coverage = cover_afuc,
    .info = firmware_info,
    .listing = firmware_listing,
    .compare_runs = replay_differences,
    .settings = firmware_settings,
    .give = firmware_give,
    .debugger = firmware_debugger,
    .fuzz = &afuc_fuzz,
    .words = &afuc_words,
    .links = afuc_links,
    .launch = &afuc_launch,
};
