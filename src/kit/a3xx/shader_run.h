/* SPDX-License-Identifier: MIT */
/* One run of an A3XX shader: what `gpucode run` watches, and what it prints at the end. */
#ifndef KIT_A3XX_SHADER_RUN_H
#define KIT_A3XX_SHADER_RUN_H

#include "front/input.h"
#include "front/values.h"
#include "kit/a3xx/input_options.h"
#include <gpucode/a3xx.h>
#include <gpucode/answer.h>

struct shader_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_answer *answer; /* while it runs */
    struct shader_inputs inputs;
    struct gpucode_stop stop;
    uint64_t instructions;
    unsigned width; /* threads */
    bool shows_insns, shows_writes;
    struct gpucode_a3xx_cycles *cycles; /* --cycles, or null */
    struct places_walk walk;
    bool written[2][SHADER_REGISTERS]; /* full and half */
    struct {
        unsigned space;
        uint32_t number;
    } wanted[2 * SHADER_REGISTERS]; /* --print, in its order */
    unsigned wanted_count;
};

/* "  NAME" when a symbol file names the register, else ""; returns `text`. */
#define SHADER_NAME_MAX (GPUCODE_NAME_MAX + 2)
const char *shader_user_name(const struct shader_run *run, unsigned space, uint32_t number, char text[SHADER_NAME_MAX]);

/* "[3] " where there are more threads than one, else "". */
const char *shader_thread(const struct shader_run *run, unsigned thread, char text[SHADER_NUMBER]);
/* Takes --print apart. Returns an exit code. */
int shader_read_wanted(struct shader_run *run);
/* Tells the registers wanted, or all written, memory of --dump, how the run ended, and what instructions cost. */
void shader_tell(struct shader_run *run);

/* shader_missing.c: a note of the registers, consts and varyings that the text reads and nobody gave. */
void shader_note_missing(struct session *session, const struct input *input, const struct shader_inputs *inputs);

/* Is every --dump a range of memory? Returns an exit code. */
int shader_check_dumps(struct session *session);

#endif
