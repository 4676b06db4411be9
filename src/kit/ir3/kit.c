/* SPDX-License-Identifier: MIT */
/* Shaders of a4xx and later: what `info` says of them, and the list of what the kit has. */
#include "kit/ir3/kit.h"
#include "front/session.h"
#include "kit/shader/shader.h"

#include <gpucode/ir3.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

extern const struct kit kit_ir3;

#define ANSWER_ROWS "kit/ir3/info.answer.def"
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table info_table = {"info", "What a shader is and uses.", fields,
                                                       sizeof fields / sizeof *fields};
extern const struct gpucode_answer_table shader_image_answer_table, shader_run_answer_table, shader_trace_answer_table;
static const struct gpucode_answer_table *const answers[] = {
    &info_table, &shader_image_answer_table, &shader_run_answer_table, &shader_trace_answer_table, NULL};

static int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                       enum info_part part)
{
    (void)session;
    if (part == INFO_BODY)
        gpucode_ir3_usage_tell(view->image, answer);
    return EXIT_DONE;
}

/* --- fuzzing ------------------------------------------------------------------------------------------------------ */

static unsigned list_outputs(const struct input *input, struct fuzz_state_output *list, unsigned room)
{
    struct gpucode_ir3_usage usage;
    bool known = gpucode_ir3_usage(input->image, &usage) == GPUCODE_OK;
    return shader_outputs(input, known ? &usage.shader : NULL, list, room);
}

/* Where buffers begin, which the machine was given. */
static unsigned list_places(const struct gpucode_machine *machine, uint32_t *list, unsigned room)
{
    unsigned count = 0;
    for (unsigned space = GPUCODE_IR3_BUFFER; space <= GPUCODE_IR3_UBO; space++)
        for (uint32_t slot = 0; slot < (space == GPUCODE_IR3_UBO ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS); slot++) {
            uint64_t address = ir3_buffer_address(machine, space, slot);
            if (address && count < room)
                list[count++] = (uint32_t)(address / 4);
        }
    return count;
}

static const struct fuzz_state_set shader_set = {
    SHADER_FUZZ,  .settings = ir3_settings, .give = ir3_give_kept, .outputs = list_outputs, .places = list_places,
    .wide = true,
};

static int open_shader(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    return fuzz_state_open(session, input, &shader_set, subject);
}

static const struct kit_fuzz shader_fuzz = FUZZ_STATE(open_shader);

static int select_fiber(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    (void)input;
    return shader_picture_is_quad(session) || ir3_recorded_is_pixel(session) ? shader_picture_select(session, debug)
                                                                             : EXIT_DONE;
}

/* --- launch requests of editors ----------------------------------------------------------------------------------- */

static enum gpucode_status give_declared(struct launch *launch)
{
    struct shader_launch *shader = launch->state;
    struct ir3_buffers buffers = IR3_BUFFERS(&shader->inputs);
    const char *wrong = NULL;
    if (!ir3_buffers_declared(&buffers, launch->program, &wrong))
        return wrong ? GPUCODE_ERROR_RANGE : GPUCODE_ERROR_MEMORY;
    shader->next = buffers.next;
    ir3_groups_give(&shader->inputs, shader->groups, &shader->group.work_group, &shader->group.work_groups);
    return GPUCODE_OK;
}

static enum gpucode_status fill_slot(struct launch *launch, bool constants, const char *text, const char **expected)
{
    struct shader_launch *shader = launch->state;
    struct ir3_buffers buffers = {&shader->inputs, shader->next};
    char *bytes = NULL;
    size_t size = 0;
    uint32_t slot;
    const char *name = ir3_buffer_slot(text, constants ? GPUCODE_IR3_UBOS : GPUCODE_IR3_BUFFERS, &slot);
    *expected = constants ? IR3_UBO_EXPECTED : IR3_BUFFER_EXPECTED;
    if (!name)
        return GPUCODE_ERROR_ARGUMENT;
    if (!launch->read(launch->user, name, &bytes, &size))
        return GPUCODE_ERROR_INPUT;
    bool good = ir3_buffer_fill(&buffers, constants ? GPUCODE_IR3_UBO : GPUCODE_IR3_BUFFER, slot, bytes, size);
    shader->next = buffers.next;
    free(bytes);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

static void begin_launch(struct launch *launch)
{
    static const struct shader_launch_set set = {.threads = "ir3-fibers",
                                                 .wide = true,
                                                 .texels = GPUCODE_IR3_TEXELS(0),
                                                 .give = give_declared,
                                                 .fill = fill_slot,
                                                 .read_groups = ir3_groups_read};
    shader_launch_begin(launch, &set);
}

/* And how much memory of their own groups and fibers have. */
static void settle_launch(struct launch *launch, struct kit_settings *settings)
{
    static const struct {
        const char *kind, *policy;
    } sizes[] = {{"localmem", "ir3-local-size"}, {"pvtmem", "ir3-private-size"}};
    shader_launch_settings(launch, settings);
    unsigned count = settings->list[0].name ? 1 : 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t size = ir3_declared_size(launch->program, sizes[i].kind);
        char *text = settings->text + (i + 1) * SHADER_NUMBER;
        if (size == UINT64_MAX)
            continue;
        snprintf(text, SHADER_NUMBER, "%" PRIu64, size);
        settings->list[count++] = (struct gpucode_setting){sizes[i].policy, text};
    }
}

static const struct kit_launch ir3_launch = SHADER_LAUNCH(begin_launch, settle_launch);

/* --- the kit ------------------------------------------------------------------------------------------------------ */

const struct kit kit_ir3 = {
    .name = "ir3",
    .answers = answers,
    .run = ir3_run,
    .compare = ir3_compare,
    .declare = ir3_declare,
    .info = shader_info,
    .settings = ir3_settings,
    .give = ir3_give,
    .debugger = select_fiber,
    .fuzz = &shader_fuzz,
    .launch = &ir3_launch,
};
