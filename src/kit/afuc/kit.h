/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_AFUC_KIT_H
#define KIT_AFUC_KIT_H

#include "console/words.h"
#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <stdbool.h>
#include <stdint.h>

int run_afuc(struct session *session, const struct input *input);
int cover_afuc(struct session *session, const struct input *input);
/* struct kit.complete: --me (prepare.c). */
int firmware_complete(struct session *session, struct file *file);
/* Complains when --me is given and the image is not that of two firmwares. Returns an exit code. */
int firmware_check_me(struct session *session, const struct input *input);
extern const struct kit_link afuc_links[];

/* --- What firmware finds before it starts: registers, memory, packets, a recorded stream -------------------------- */

/* Heeds --reg and --memory. Complains and returns an exit code. */
int firmware_prepare(struct session *session, struct gpucode_machine *machine, unsigned processor);

/*
 * What --section says to the policy afuc-processor; null: nothing, as it is not given or the firmware has that section
 * alone. Complains of a section that there is not, and returns an exit code.
 */
int firmware_section(struct session *session, const struct input *input, const char **section);
/* The processor that --section names, or the first. */
unsigned firmware_processor(const struct session *session, const struct gpucode_machine *machine);

/* kit.settings and kit.give: --section; and, for a machine that has not booted, --stream too. */
int firmware_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int firmware_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

/* kit.debugger: packets, and what files of them say beside (words.c). */
int firmware_debugger(struct session *session, const struct input *input, struct gpucode_debug *debug);

/* The independent second opinion on an AFUC image: its boot code run, and the packet tables that it loads compared. */

struct boot {
    const char *result; /* "agrees", "differs", "stopped"; null: the image has no boot code that loads a table */
    char detail[400];
    uint64_t instructions;
};

/* --- The debugger's words for AFUC: `packet`, `catch packet`, `catch protected`, `info packets`, `info queues` ---- */

extern const struct kit_words afuc_words;

#endif
