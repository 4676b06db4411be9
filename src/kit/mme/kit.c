/* SPDX-License-Identifier: MIT */
#include "kit/mme/kit.h"
#include "cli_mme_messages.h"

#include "front/output.h"
#include "front/session.h"
#include "gpu/words.h"
#include "kit/fuzz_state.h"
#include "kit/kit.h"
#include <gpucode/asm.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Macros as C arrays, one for each section of a source, as envyas writes them for drivers ---------------------- */

/* Bytes after the last whole word stand as bytes: no compiler will make the macro of them, but `--hex` does. */
static void print_array(FILE *out, const char *name, const unsigned char *bytes, size_t size)
{
    fprintf(out, "uint32_t %s[] = {\n", *name ? name : "code");
    size_t i = 0;
    for (; i + 4 <= size; i += 4)
        fprintf(out, "\t0x%02x%02x%02x%02x,\n", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
    for (; i < size; i++)
        fprintf(out, "\t0x%02x,\n", bytes[i]);
    fputs("};\n", out);
}

static int macro_form(struct session *session, const struct gpucode_program *program, const char *form, char **text,
                      size_t *length)
{
    if (strcmp(form, "c") != 0)
        return EXIT_DONE;
    FILE *out = text_stream_open(text, length);
    if (!out)
        return out_of_memory(&session->diagnostics);
    struct gpucode_program_section section;
    const unsigned char *bytes = gpucode_program_bytes(program);
    for (unsigned i = 0; gpucode_program_section(program, i, &section); i++) {
        if (i)
            putc('\n', out);
        print_array(out, section.name, bytes + section.offset, section.size);
    }
    if (text_stream_close(out))
        return EXIT_DONE;
    free(*text);
    *text = NULL;
    return out_of_memory(&session->diagnostics);
}

/* --- Launch requests of editors for macros: parameters, and what the macro reads ---------------------------------- */

static enum gpucode_status take_parameters(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_parameters(launch->machine, NULL, text, expected);
}

static enum gpucode_status take_state(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_state(launch->machine, NULL, text, expected);
}

static enum gpucode_status take_scratch(struct launch *launch, const char *text, const char **expected)
{
    return macro_start_scratch(launch->machine, NULL, text, expected);
}

#define FOREIGN "an MME macro that it is for"

static const struct launch_field fields[] = {
    {"state", true, LAUNCH_INPUTS, FOREIGN, "Values of methods that an MME macro reads: `METHOD=VALUE`.", take_state},
    {"scratch", true, LAUNCH_INPUTS, FOREIGN, "Scratch registers that an MME macro reads: `N=VALUE`.", take_scratch},
    {"param", true, LAUNCH_INPUTS, FOREIGN, "Parameters of an MME macro, the first of which starts it: `3,5`.",
     take_parameters},
    {0}};

static const struct kit_launch macro_launch = {.fields = fields};

/* --- Of a source with several macros, the one that a command is about, or the next one ---------------------------- */

static int macro_choose(struct session *session, const char *file, struct gpucode_program *program)
{
    const char *wanted = session->arguments.value[OPTION_MME_SECTION];
    struct gpucode_program_section section;
    char list[256] = "sections:";
    size_t empty = strlen(list), used = empty;
    unsigned count = 0;
    for (; gpucode_program_section(program, count, &section); count++) {
        if (wanted && strcmp(section.name, wanted) == 0) {
            gpucode_program_keep(program, count);
            return EXIT_DONE;
        }
        if (*section.name && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s", section.name);
    }
    if (wanted)
        return complain(&session->diagnostics, CLI_MME_SECTION, file, used > empty ? list : NULL, wanted);
    if (session->takes_parts) {
        session->parts = count;
        gpucode_program_keep(program, session->part);
        return EXIT_DONE;
    }
    return count > 1 && command_has(session->command, OPTION_MME_SECTION)
               ? complain(&session->diagnostics, CLI_MME_SECTIONS, file, list)
               : EXIT_DONE;
}

/* --- Macros under fuzz: parameters, and what methods hold that they read ------------------------------------------ */

/* What they send, in its order. */
static bool is_effect(const struct gpucode_event *event)
{
    return event->space == GPUCODE_SPACE_GPU;
}

static const char *wrong_end(const struct gpucode_machine *machine)
{
    return macro_special(machine, "LEFT") ? "the macro has ended and parameters are left" : NULL;
}

static int give_macro(struct state *state)
{
    return macro_give(state->session, state->input, state->machine);
}

static const struct fuzz_state_set macro_set = {
    .give = give_macro,
    .kinds = {{.name = "method", .weight = 4, .space = GPUCODE_SPACE_GPU, .count = METHODS_END, .unit = 4}},
    .limit = OPTION_MME_LIMIT,
    .against = OPTION_MME_FUZZ_AGAINST,
    .forbids = OPTION_MME_FUZZ_ASSERT,
    .numbers = GPUCODE_SPACE_GPU,
    .effects = GPUCODE_EVENT_WRITE,
    .is_effect = is_effect,
    .feeds = "parameters",
    .fed = OPTION_MME_FUZZ_PARAMETERS,
    .wrong_end = wrong_end,
};

static int open_macro(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    return fuzz_state_open(session, input, &macro_set, subject);
}

static const struct kit_fuzz macro_fuzz = FUZZ_STATE(open_macro);

/* --- the debugger's words ----------------------------------------------------------------------------------------- */

static bool give_parameters(struct console *console, const struct console_arguments *arguments)
{
    return words_send(console, arguments->text);
}

static const struct console_command commands[] = {
    {"parameters", "par", give_parameters, false, "WORD,...", "Input",
     "Give the macro parameters, after those that it has; the first of all is in $r1."},
    {0},
};

static const struct kit_words macro_words = {.commands = commands};

/* --- the kit --- */

extern const struct kit kit_mme;

extern const struct gpucode_answer_table macro_run_answer_table;
static const struct gpucode_answer_table *const answers[] = {&macro_run_answer_table, NULL};

const struct kit kit_mme = {
    .name = "mme",
    .answers = answers,
    .run = macro_run,
    .choose = macro_choose,
    .form = macro_form,
    .give = macro_give,
    .fuzz = &macro_fuzz,
    .words = &macro_words,
    .launch = &macro_launch,
};
