/* SPDX-License-Identifier: MIT */
/* Shaders of a4xx and later: what `info` says of them, and the list of what the kit has. */
#include "kit/ir3/kit.h"
#include "front/session.h"

#include <gpucode/ir3.h>

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
    SHADER_FUZZ,  .settings = ir3_settings, .give = ir3_give, .outputs = list_outputs, .places = list_places,
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
    return shader_picture_is_quad(session) ? shader_picture_select(session, debug) : EXIT_DONE;
}

/* --- the kit ------------------------------------------------------------------------------------------------------ */

const struct kit kit_ir3 = {
    .name = "ir3",
    .answers = answers,
    .run = ir3_run,
    .compare = ir3_compare,
    .info = shader_info,
    .settings = ir3_settings,
    .give = ir3_give,
    .debugger = select_fiber,
    .fuzz = &shader_fuzz,
};
