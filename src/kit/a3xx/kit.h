/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_A3XX_KIT_H
#define KIT_A3XX_KIT_H

#include "front/command.h"
#include "front/input.h"
#include "front/places.h"
#include "kit/a3xx/shader/group.h"
#include "kit/kit.h"
#include <gpucode/a3xx.h>
#include <gpucode/answer.h>

int run_a3xx(struct session *session, const struct input *input);
int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);
unsigned shader_recognises(const struct file *file, const struct gpucode_target *target);
int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

/* The options that give an A3XX shader its inputs: --const, --in, --ij, --varying, --texture, --memory, --local-size,
 * --local-id. */

/* The members `settings` and `give` of the kit. */
int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* Of the machine that shader_give_machine() made: the thread of --pixel in its quad. */
int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug);
int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine);

/*
 * The work group that the options and the source ask for. *more gets the setting that makes as many threads, or the end
 * of settings; `threads` keeps its text. Complains and returns an exit code.
 */
int shader_inputs_group(struct session *session, const struct gpucode_program *program, struct shader_group *group,
                        struct gpucode_setting more[2], char threads[SHADER_NUMBER]);

/*
 * Gives the machine what the source declares and the options say; `inputs` may be used afterwards. Complains and
 * returns an exit code.
 */
int shader_inputs_give(struct session *session, const struct input *input, struct gpucode_machine *machine,
                       const struct shader_group *group, struct shader_inputs *inputs);

/* --- `gpucode run --image WxH OUT.png SHADER`: a fragment shader over a grid of pixels ---------------------------- */

/* Runs the machine, which has its inputs, and writes the picture. Returns an exit code. */
int shader_image(struct session *session, const struct input *input, struct shader_inputs *inputs, uint64_t limit);

/*
 * Gives the machine what --image has for the quad of --pixel; *thread is the pixel's own. Complains and returns an exit
 * code.
 */
int shader_quad(struct session *session, const struct input *input, struct shader_inputs *inputs, unsigned *thread);

/* --- One run of an A3XX shader: what `gpucode run` watches, and what it prints at the end ------------------------- */

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
