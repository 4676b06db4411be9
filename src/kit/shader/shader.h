/* SPDX-License-Identifier: MIT */
/* What the program does with shaders of any set: their inputs, running them, and telling what they left. */
#ifndef KIT_SHADER_SHADER_H
#define KIT_SHADER_SHADER_H

#include "front/command.h"
#include "front/input.h"
#include "front/places.h"
#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/inputs.h"
#include "kit/fuzz_state.h"
#include "kit/kit.h"

#include <gpucode/a3xx.h>
#include <gpucode/answer.h>

#define SHADER_SETTINGS 6 /* of a machine, at most, the end included */
#define SHADER_SETTINGS_TEXT (SHADER_SETTINGS * SHADER_NUMBER)
struct shader_run;

#define SHADER_PICTURE_TARGETS 8
/* What a recording says of the picture that a shader draws: members of struct shader_grid. */
struct shader_picture {
    bool has_pair, has_place;
    uint32_t pair, place;
    unsigned targets; /* 0: it does not say where colours are */
    struct {
        bool half;
        uint32_t first;
    } color[SHADER_PICTURE_TARGETS];
    double left, top, across, down;
};

/* Rows of the answer: a map of lists of words; and for text a line. */
struct shader_buffer_rows {
    unsigned buffers, buffer, word, line;
};

/* What a set has of its own; a null function: nothing. All return exit codes. */
struct shader_set {
    const char *threads, *timing; /* policies */
    const char *as_policy;        /* what --local-size must agree with */
    bool wide;                    /* addresses have 64 bits */
    uint64_t texels;              /* of struct shader_inputs */
    /* Settings beside the number of threads, or in its place; SHADER_SETTINGS in all. `text` has room for numbers. */
    int (*settle)(struct session *session, const struct input *input, struct shader_group *group,
                  struct gpucode_setting *settings, char *text);
    /* The kit's member. */
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    /* What else than options and source says how large groups are. */
    void (*group)(const struct session *session, struct shader_group *group);
    void (*widen)(const struct shader_run *run, struct gpucode_setting *settings);
    int (*created)(struct shader_run *run, const struct gpucode_setting *settings);
    /* Ahead of what options give registers and memory. */
    int (*give)(struct session *session, const struct input *input, const struct shader_group *group,
                struct shader_inputs *inputs);
    int (*run)(struct shader_run *run, uint64_t limit); /* null: shader_run_machine() */
    /* Of pictures: the shader's usage; the policy by which threads meet that are on different paths; may one thread see
     * what others do, beside memory (null: no); struct shader_grid.instead. */
    enum gpucode_status (*usage)(const struct gpucode_image *image, struct gpucode_a3xx_usage *usage);
    const char *meeting;
    bool (*sees_others)(const struct gpucode_image *image);
    unsigned instead;
    /* Of session->recorded, into a picture of which nothing is known. */
    void (*recorded)(const struct session *session, struct shader_picture *picture);
    void (*note)(struct session *session, const struct input *input, const struct shader_inputs *inputs);
    /* Tells what buffers hold at the end. */
    void (*tell)(const struct shader_run *run, const struct gpucode_answer_field *fields,
                 struct shader_buffer_rows rows);
};

/* `gpucode run`. */
int shader_run(struct session *session, const struct input *input, const struct shader_set *set);
/* Runs the machine, which has its inputs, and tells about it. */
int shader_run_machine(struct shader_run *run, uint64_t limit);
/* `gpucode compare`. */
int shader_compare(struct session *session, const struct shader_set *set, const struct input *first,
                   const struct input *second);
/* The members `settings` and `give` of the kit; `inputs` may be used afterwards. */
int shader_settings_of(struct session *session, const struct input *input, const struct shader_set *set,
                       struct kit_settings *settings);
int shader_give_of(struct session *session, const struct input *input, struct gpucode_machine *machine,
                   const struct shader_set *set, struct shader_inputs *inputs);

/*
 * The work group that the options and the source ask for. *more gets the setting that makes as many threads, or the end
 * of settings; `text` keeps its text. Complains and returns an exit code.
 */
int shader_inputs_group(struct session *session, const struct shader_set *set, const struct gpucode_program *program,
                        struct shader_group *group, struct gpucode_setting more[2], char text[SHADER_NUMBER]);

/*
 * Gives the machine what the source declares and the options say; `inputs` may be used afterwards. Complains and
 * returns an exit code.
 */
int shader_inputs_give(struct session *session, const struct input *input, struct gpucode_machine *machine,
                       const struct shader_set *set, const struct shader_group *group, struct shader_inputs *inputs);

/* A note of the registers, consts and varyings that the text reads and nobody gave. */
void shader_note_missing(struct session *session, const struct input *input, const struct shader_inputs *inputs);

/* A register or const by its name; false: it is none. */
bool shader_find_place(const struct shader_inputs *inputs, const char *text, struct shader_place *place);
/* Gives a const its value and notes that it has one. */
void shader_give_const(struct shader_inputs *inputs, uint32_t number, uint32_t value);
/* The same of a full register, of one thread or of all. */
#define SHADER_ALL_THREADS UINT32_MAX
void shader_give_full(struct shader_inputs *inputs, unsigned thread, uint32_t number, uint32_t value);

/* --- image.c: `gpucode run --image WxH OUT.png SHADER`, a fragment shader over a grid of pixels ------------------- */

/* For the members of struct shader_set: the four threads of a quad, which are in no work group; */
void shader_picture_settle(const struct session *session, const struct shader_set *set, struct shader_group *group,
                           struct gpucode_setting *settings);
/* many quads at once where one cannot see what the others do; */
void shader_picture_widen(const struct shader_run *run, struct gpucode_setting *settings);
/* the picture, one quad of it, or the shader by itself. */
int shader_picture_run(struct shader_run *run, uint64_t limit);

/* Is a quad of a picture wanted (--image and --pixel)? */
bool shader_picture_is_quad(const struct session *session);
/* Gives the machine what --image has for the quad of --pixel, if one is wanted. Complains and returns an exit code. */
int shader_quad(struct session *session, const struct shader_set *set, const struct input *input,
                struct shader_inputs *inputs);
/* The debugger's thread is that of --pixel in its quad. */
int shader_picture_select(struct session *session, struct gpucode_debug *debug);

/* How texels and attributes lie in memory. */
enum shader_components { SHADER_UNORM, SHADER_SNORM, SHADER_UINT, SHADER_SINT, SHADER_FLOAT };
struct shader_texels {
    unsigned count, bits; /* of components: all have as many bits, 8, 16 or 32 */
    enum shader_components kind;
    bool srgb;         /* red, green and blue of SHADER_UNORM are not linear */
    unsigned place[4]; /* where in memory red, green, blue and alpha are */
};
/* By the names of a format and of an order, "FMT6_8_8_8_8_UNORM" and "WZYX". False: that format is not known here. */
bool shader_texels_find(const char *format, const char *swap, struct shader_texels *texels);
/* Red, green, blue and alpha of `bytes` as 32 bits each: floats, or integers of the integer kinds. */
void shader_texels_read(const struct shader_texels *texels, const unsigned char *bytes, uint32_t rgba[4]);

/* --- Fuzzing ------------------------------------------------------------------------------------------------------ */

/* What all shaders have in their struct fuzz_state_set. */
#define SHADER_FUZZ                                                                                                    \
    .kinds = {{.name = "full", .weight = 8, .space = GPUCODE_A3XX_FULL, .count = 240},                                 \
              {.name = "half", .weight = 4, .space = GPUCODE_A3XX_HALF, .count = 240, .mask = 0xffff},                 \
              {.name = "const", .weight = 8, .space = GPUCODE_A3XX_CONST, .count = 256},                               \
              {.name = "varying", .weight = 4, .space = GPUCODE_A3XX_VARYING, .count = GPUCODE_A3XX_VARYINGS}},        \
    .limit = OPTION_A3XX_LIMIT, .against = OPTION_A3XX_FUZZ_AGAINST, .forbids = OPTION_A3XX_FUZZ_ASSERT,               \
    .numbers = GPUCODE_NONE, .effects = GPUCODE_EVENT_MEM_WRITE, .is_effect = shader_is_effect, .memory = true,        \
    .floats = true, .own = true

/* What struct fuzz_state_set.give of a set of shaders does: registers, consts and varyings that are given stay. */
int shader_give_kept(struct state *state, const struct shader_set *set);

/* What is written to global memory is seen by others. */
bool shader_is_effect(const struct gpucode_event *event);

/*
 * What the source declares as outputs; without it registers that the text writes and does not read after that. `usage`
 * is null where it is not known. As the member `outputs` of struct fuzz_state_set.
 */
unsigned shader_outputs(const struct input *input, const struct gpucode_a3xx_usage *usage,
                        struct fuzz_state_output *list, unsigned room);

/* --- One run of a shader: what `gpucode run` watches, and what it prints at the end ------------------------------- */

struct shader_run {
    const struct shader_set *set;
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

/* --- The time line of --time-line and --perfetto ------------------------------------------------------------------ */

/* The text of the instruction that an INSN event is for; false: there is none. */
bool shader_insn_text(const struct shader_run *run, const struct gpucode_event *event, char text[GPUCODE_TEXT_MAX]);

/* Is every --dump a range of memory? Returns an exit code. */
int shader_check_dumps(struct shader_run *run);

/* Fields of launch requests that shaders of all sets have, and what a set adds. */

/* Functions may be null. */
struct shader_launch_set {
    const char *threads; /* the policy */
    bool wide;           /* of struct shader_inputs */
    uint64_t texels;
    /* After what all sets give: buffers that the source declares, groups. */
    enum gpucode_status (*give)(struct launch *launch);
    /* "K=FILE": a buffer, or one of constants. As struct launch_field.take. */
    enum gpucode_status (*fill)(struct launch *launch, bool constants, const char *text, const char **expected);
    bool (*read_groups)(const char *text, uint32_t groups[3]);
};

/* launch->state */
struct shader_launch {
    const struct shader_launch_set *set;
    struct shader_group group;
    struct shader_inputs inputs;
    struct shader_grid grid; /* width 0: no picture */
    bool has_pixel;
    unsigned x, y; /* of the pixel */
    uint32_t groups[3];
    uint64_t next; /* for the set: where its next buffer goes */
};

extern const struct launch_field shader_launch_fields[];
void shader_launch_begin(struct launch *launch, const struct shader_launch_set *set);
void shader_launch_settings(struct launch *launch, struct kit_settings *settings);
enum gpucode_status shader_launch_give(struct launch *launch);
enum gpucode_status shader_launch_finish(struct launch *launch, const char **field, const char **expected);

/* A set's struct kit_launch; `begins` calls shader_launch_begin(), `settles` shader_launch_settings(). */
#define SHADER_LAUNCH(begins, settles)                                                                                 \
    {                                                                                                                  \
        .fields = shader_launch_fields, .state_size = sizeof(struct shader_launch), .begin = begins,                   \
        .settings = settles, .give = shader_launch_give, .finish = shader_launch_finish                                \
    }

#endif
