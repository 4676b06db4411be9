/* SPDX-License-Identifier: MIT */
/* gpucode decode: the packets of a recorded stream, with names and meanings. */
#include "front/code.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/output.h"
#include "front/session.h"
#include "front/values.h"
#include "gpu/page.h"
#include "gpu/view.h"

#include <inttypes.h>
#include <stdlib.h>

/* A recording with the names for it. */
struct decoded {
    struct recording recording;
    struct registers *registers;
    struct gpucode_symbols *symbols;
    struct view view;
};

static int open_recording(struct session *session, const char *path, struct decoded *decoded)
{
    struct recording *recording = &decoded->recording;
    int code = recording_open(session, path, recording);
    if (code)
        return code;
    code = recording_family(session, recording);
    if (!code)
        code = recording->target ? registers_load(session, recording->target, &decoded->registers)
                                 : registers_load_family(session, recording->family, &decoded->registers);
    const struct gpucode_names *names = registers_names(decoded->registers);
    if (!code)
        code = symbols_load(session, recording->target, names, &decoded->symbols);
    decoded->view.names = symbols_names(decoded->symbols, names);
    decoded->view.meanings = registers_meanings(decoded->registers);
    return code;
}

static void close_recording(struct decoded *decoded)
{
    state_free(&decoded->view.state);
    draw_list_free(decoded->view.list);
    query_free(decoded->view.query);
    gpucode_symbols_free(decoded->symbols);
    registers_free(decoded->registers);
    recording_close(&decoded->recording);
}

/* Which streams and draws are shown. */
static int set_range(struct session *session, struct view *view)
{
    const struct arguments *arguments = &session->arguments;
    view->last_stream = UINT64_MAX;
    int code = value_number(session, OPTION_GPU_FROM, "the number of a stream", &view->first_stream);
    if (!code)
        code = value_number(session, OPTION_GPU_TO, "the number of a stream", &view->last_stream);
    if (!code && arguments_have(arguments, OPTION_GPU_FRAME)) {
        code = value_number(session, OPTION_GPU_FRAME, "the number of a stream", &view->first_stream);
        view->last_stream = view->first_stream;
    }
    if (!code && view->last_stream < view->first_stream)
        code = value_refuse(session, OPTION_GPU_TO, arguments->value[OPTION_GPU_TO], "no less than --from");
    view->one_draw = arguments_have(arguments, OPTION_GPU_DRAW);
    if (!code)
        code = value_number(session, OPTION_GPU_DRAW, "the number of a draw", &view->only_draw);
    return code;
}

static int set_view(struct session *session, struct decoded *decoded)
{
    const struct arguments *arguments = &session->arguments;
    struct view *view = &decoded->view;
    bool page = arguments_have(arguments, OPTION_GPU_HTML), query = arguments_have(arguments, OPTION_GPU_QUERY);
    bool summary = arguments_have(arguments, OPTION_GPU_SUMMARY), draws = arguments_have(arguments, OPTION_GPU_DRAWS);
    view->session = session;
    view->recording = &decoded->recording;
    view->out = stdout;
    view->json.out = session->json && !page ? stdout : NULL;
    view->form = page ? &view_html : session->json ? &view_json : &view_text;
    view->draws = draws || summary || page;
    view->packets = page || (!draws && !query);
    view->writes = !summary && !page;
    view->all = arguments_have(arguments, OPTION_GPU_ALL);
    view->once = arguments_have(arguments, OPTION_GPU_ONCE);
    view->loads = (arguments_have(arguments, OPTION_GPU_TEXTURES) ? LOAD_TEXTURES : 0) |
                  (arguments_have(arguments, OPTION_GPU_CONSTANTS) ? LOAD_CONSTANTS : 0) |
                  (arguments_have(arguments, OPTION_GPU_SHADERS) ? LOAD_SHADERS : 0) |
                  (arguments_have(arguments, OPTION_GPU_BINDLESS) ? LOAD_BINDLESS | LOAD_TEXTURES : 0) |
                  (arguments_have(arguments, OPTION_GPU_VERTICES) ? LOAD_VERTICES : 0);
    view->extract = arguments->value[OPTION_GPU_EXTRACT_SHADERS];
    int code = set_range(session, view);
    if (!code && query)
        code = query_create(session, view, &view->query);
    return code;
}

/* The page goes to a file, which stands only when it is whole. */
static int write_page(struct session *session, struct view *view)
{
    char *text = NULL;
    size_t length;
    if (!(view->out = text_stream_open(&text, &length)))
        return out_of_memory(&session->diagnostics);
    fputs(page_head, view->out);
    int code = view_run(view);
    fputs(page_tail, view->out);
    bool whole = text_stream_close(view->out);
    view->out = stdout;
    if (!code && !whole)
        code = out_of_memory(&session->diagnostics);
    if (!code)
        code = outputs_write(&session->diagnostics, session->arguments.value[OPTION_GPU_HTML], text, length);
    free(text);
    return code;
}

/* Are the draw and the streams there that were asked for? Nothing at all would look like a recording without any. */
static int check_range(struct session *session, const struct view *view)
{
    char number[24];
    if (view->one_draw && view->only_draw >= view->state.draws)
        snprintf(number, sizeof number, "%" PRIu64, view->only_draw);
    else if (view->first_stream && view->first_stream >= view->stream)
        snprintf(number, sizeof number, "%" PRIu64, view->first_stream);
    else
        return EXIT_DONE;
    bool draw = view->one_draw && view->only_draw >= view->state.draws;
    return complain(&session->diagnostics, CLI_GPU_NO_PART, view->recording->file.name, NULL,
                    draw ? "draw" : "command stream", number, draw ? (size_t)view->state.draws : view->stream,
                    draw ? "draws" : "command streams");
}

static int compare(struct session *session, struct decoded *first)
{
    struct decoded second = {0};
    int code = open_recording(session, session->arguments.operands[1], &second);
    if (!code)
        code = set_view(session, &second);
    first->view.list = draw_list_create();
    second.view.list = draw_list_create();
    if (!code && (!first->view.list || !second.view.list))
        code = out_of_memory(&session->diagnostics);
    first->view.packets = second.view.packets = false;
    if (!code)
        code = view_run(&first->view);
    if (!code)
        code = view_run(&second.view);
    if (!code)
        code = draw_list_compare(&first->view, &second.view);
    close_recording(&second);
    return code;
}

static int decode_file(struct session *session)
{
    struct decoded decoded = {0};
    const struct arguments *arguments = &session->arguments;
    int code = open_recording(session, arguments->operands[0], &decoded);
    if (!code)
        code = set_view(session, &decoded);
    if (!code && arguments_have(arguments, OPTION_GPU_DIFF))
        code = compare(session, &decoded);
    else if (!code)
        code =
            arguments_have(arguments, OPTION_GPU_HTML) ? write_page(session, &decoded.view) : view_run(&decoded.view);
    if (!code && !arguments_have(arguments, OPTION_GPU_DIFF))
        code = check_range(session, &decoded.view);
    code = view_commit(&decoded.view, code);
    if (!code && decoded.view.trouble)
        code = EXIT_FINDINGS;
    close_recording(&decoded);
    return code;
}

int command_decode(struct session *session)
{
    const struct arguments *arguments = &session->arguments;
    bool writes = arguments_have(arguments, OPTION_GPU_HTML) || arguments_have(arguments, OPTION_GPU_EXTRACT_SHADERS);
    if (arguments_have(arguments, OPTION_GPU_DIFF))
        return decode_file(session);
    if (writes && arguments->operand_count > 1) /* each would write over what the one before has written */
        return complain(&session->diagnostics, CLI_MANY, NULL, NULL, arguments->operands[1]);
    if (writes)
        return decode_file(session);
    return fleet_command(session, decode_file, true);
}
