/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/kit.h"

#include "front/session.h"
#include "kit/shader/shader.h"

#include <gpucode/a3xx.h>
#include <inttypes.h>
#include <string.h>

/* gpucode run for A3XX shaders: what instructions cost, beside what all shaders have. */

static const struct shader_set a3xx_set;

/* Pixels have no number in a work group; they run in quads. */
static int settle_quad(struct session *session, const struct input *input, struct shader_group *group,
                       struct gpucode_setting *settings, char *text)
{
    (void)input;
    (void)text;
    shader_picture_settle(session, &a3xx_set, group, settings);
    return EXIT_DONE;
}

static int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings);

/* With --cycles the count of what instructions cost. */
static int open_cycles(struct shader_run *run, const struct gpucode_setting *settings)
{
    if (arguments_have(&run->session->arguments, OPTION_A3XX_CYCLES) &&
        gpucode_a3xx_cycles_open(run->input->image, settings, &run->cycles) != GPUCODE_OK)
        return out_of_memory(&run->session->diagnostics); /* the machine has looked at the settings */
    return EXIT_DONE;
}

static const struct shader_set a3xx_set = {
    .settings = shader_settings,
    .threads = "a3xx-threads",
    .timing = "a3xx-timing",
    .as_policy = "as many threads as --policy a3xx-threads says",
    .settle = settle_quad,
    .widen = shader_picture_widen,
    .created = open_cycles,
    .run = shader_picture_run,
    .usage = gpucode_a3xx_usage,
    .meeting = "a3xx-reconvergence",
    .note = shader_note_missing,
};

static int run_a3xx(struct session *session, const struct input *input)
{
    return shader_run(session, input, &a3xx_set);
}

static int compare_a3xx(struct session *session, const struct input *first, const struct input *second)
{
    return shader_compare(session, &a3xx_set, first, second);
}

/* The members `settings` and `give` of the kit. */
static int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    return shader_settings_of(session, input, &a3xx_set, settings);
}

static int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct shader_inputs inputs;
    int code = shader_give_of(session, input, machine, &a3xx_set, &inputs);
    return code ? code : shader_quad(session, &a3xx_set, input, &inputs);
}

/* Of the machine that shader_give_machine() made: the thread of --pixel in its quad. */
static int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    (void)input;
    return shader_picture_select(session, debug);
}

/* --- Shaders under fuzz: registers, consts, memory and what textures answer --------------------------------------- */

static unsigned list_outputs(const struct input *input, struct fuzz_state_output *list, unsigned room)
{
    struct gpucode_a3xx_usage usage;
    bool known = gpucode_a3xx_usage(input->image, &usage) == GPUCODE_OK;
    return shader_outputs(input, known ? &usage : NULL, list, room);
}

static int give_kept(struct state *state)
{
    return shader_give_kept(state, &a3xx_set);
}

static const struct fuzz_state_set shader_set = {
    SHADER_FUZZ, .settings = shader_settings, .give = give_kept, .outputs = list_outputs, .textures = true,
};

static int open_shader(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    return fuzz_state_open(session, input, &shader_set, subject);
}

static const struct kit_fuzz shader_fuzz = FUZZ_STATE(open_shader);

/* --- Declarations of a shader's source, `@in(r0.x) position` and its like, written again -------------------------- */

/* "r1.y" */
static void write_register(FILE *out, const struct gpucode_declaration *declaration, uint32_t number)
{
    fprintf(out, "%s%c%" PRIu32 ".%c", declaration->half ? "h" : "", declaration->file, number / 4, "xyzw"[number % 4]);
}

static void write_place(FILE *out, const struct gpucode_declaration *declaration)
{
    fputc('(', out);
    write_register(out, declaration, declaration->first);
    if (declaration->count != 4) {
        fputc('-', out);
        write_register(out, declaration, declaration->first + declaration->count - 1);
    }
    fputc(')', out);
}

/* A declaration as sources have it: they are not code, and would be lost in the text of the binary. */
static void write_declaration(FILE *out, const struct gpucode_declaration *declaration)
{
    bool place_last = strcmp(declaration->kind, "buf") == 0 && declaration->value_count;
    fprintf(out, "@%s", declaration->kind);
    if (declaration->file && !place_last)
        write_place(out, declaration);
    else if (strcmp(declaration->kind, "sampler") == 0)
        fprintf(out, "(%" PRIu32 ")", declaration->first);
    for (unsigned i = 0; i < declaration->value_count; i++)
        fprintf(out, declaration->file == 'c' && !place_last ? "%s0x%" PRIx32 : "%s%" PRIu32, i ? ", " : " ",
                declaration->value[i]);
    if (declaration->file && place_last) {
        fputc(' ', out);
        write_place(out, declaration);
    }
    if (declaration->name)
        fprintf(out, " %s", declaration->name);
    fputc('\n', out);
}

static void shader_declare(FILE *out, const struct gpucode_program *program)
{
    struct gpucode_declaration declaration;
    for (unsigned i = 0; gpucode_program_declaration(program, i, &declaration); i++)
        write_declaration(out, &declaration);
}

/* --- the kit --- */

extern const struct kit kit_a3xx;

static void begin_launch(struct launch *launch)
{
    static const struct shader_launch_set set = {.threads = "a3xx-threads"};
    shader_launch_begin(launch, &set);
}

static const struct kit_launch a3xx_launch = SHADER_LAUNCH(begin_launch, shader_launch_settings);

static void shader_listing(const struct session *session, struct gpucode_disasm_options *options)
{
    const char *syntax = session->arguments.value[OPTION_A3XX_SYNTAX];
    options->expand = arguments_have(&session->arguments, OPTION_A3XX_EXPAND);
    options->cycles = arguments_have(&session->arguments, OPTION_A3XX_CYCLES);
    options->style = syntax && strcmp(syntax, "mesa") == 0;
}

extern const struct gpucode_answer_table shader_image_answer_table, shader_info_answer_table, shader_run_answer_table,
    shader_trace_answer_table;
/* Here, as builds without zlib have no file that fills it. */
#define ANSWER_ROWS "kit/a3xx/answer.def"
#define ANSWER_PART_EXTRACT
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table extract_table = {"extract", "A shader of a stream.", fields,
                                                          sizeof fields / sizeof *fields};
static const struct gpucode_answer_table *const answers[] = {
    &extract_table,           &shader_image_answer_table, &shader_info_answer_table,
    &shader_run_answer_table, &shader_trace_answer_table, NULL};

const struct kit kit_a3xx = {
    .name = "a3xx",
    .answers = answers,
    .run = run_a3xx,
    .compare = compare_a3xx,
    .recognises = shader_recognises,
    .extract = shader_extract,
    .info = shader_info,
    .listing = shader_listing,
    .declare = shader_declare,
    .settings = shader_settings,
    .give = shader_give_machine,
    .debugger = shader_select_thread,
    .fuzz = &shader_fuzz,
    .launch = &a3xx_launch,
};
