/* SPDX-License-Identifier: MIT */
/* gpucode info: how a file is divided, and how we know. */
#include "front/answer.h"
#include "front/code.h"
#include "front/fleet.h"
#include "front/names.h"
#include "front/session.h"
#include "front/understood.h"
#include "kit/kit.h"

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_INFO
#include <gpucode/answer_rows.h>
ANSWER_TABLE(info, "What a file is, and how we know.");

/* What the set has to tell at one of the places for it. Returns an exit code. */
static int tell_of_set(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                       enum info_part part)
{
    const struct kit *kit = kit_of(view->info->target);
    return kit && kit->info ? kit->info(session, view, answer, part) : EXIT_DONE;
}

static int tell_of_file(struct session *session, const struct info_view *view, struct gpucode_answer *answer)
{
    const struct gpucode_image_info *info = view->info;
    gpucode_answer_text(answer, &fields[FILE_NAME], view->file);
    gpucode_answer_text(answer, &fields[FORMAT], info->format);
    gpucode_answer_text(answer, &fields[LAYOUT], info->layout);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(info->target));
    gpucode_answer_text(answer, &fields[TARGET_DESCRIPTION], gpucode_target_description(info->target));
    gpucode_answer_text(answer, &fields[TARGET_SOURCE], info->target_given ? "given" : "found");
    gpucode_answer_text(answer, &fields[TARGET_GIVEN], info->target_given ? ", given" : "");
    gpucode_answer_number(answer, &fields[SIZE], view->size);
    int code = tell_of_set(session, view, answer, INFO_SIZE);
    gpucode_answer_number(answer, &fields[TAIL], info->tail);
    if (info->tail)
        gpucode_answer_number(answer, &fields[TAIL_SHOWN], info->tail);
    gpucode_answer_flag(answer, &fields[SIZE_END], true);
    return code ? code : tell_of_set(session, view, answer, INFO_HEAD);
}

static void tell_facts(const struct info_view *view, struct gpucode_answer *answer)
{
    const struct gpucode_image_info *info = view->info;
    gpucode_answer_begin(answer, &fields[FACTS]);
    for (unsigned i = 0; i < info->fact_count; i++) {
        gpucode_answer_begin(answer, &fields[FACT]);
        gpucode_answer_text(answer, &fields[FACT_NAME], info->facts[i].name);
        gpucode_answer_text(answer, &fields[FACT_VALUE], info->facts[i].value);
        gpucode_answer_text(answer, &fields[FACT_SOURCE], info->facts[i].source);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
}

static int tell_all(struct session *session, const struct info_view *view)
{
    struct gpucode_answer *answer = answer_begin(session);
    gpucode_answer_begin(answer, &fields[INFO]);
    int code = tell_of_file(session, view, answer);
    tell_facts(view, answer);
    if (!code)
        code = tell_of_set(session, view, answer, INFO_BODY);
    gpucode_answer_end(answer);
    int told = answer_end(session, answer);
    return code ? code : told;
}

/* --privileges and --calls. */
static int tell_of_analysis(struct session *session, const struct understood *understood)
{
    struct gpucode_answer *answer = answer_begin(session);
    bool privileges = arguments_have(&session->arguments, OPTION_PRIVILEGES);
    const struct gpucode_subject subject = privileges ? understood->subject : understood_listed(understood);
    enum gpucode_status status = (privileges ? gpucode_report_privileges : gpucode_report_calls)(&subject, answer);
    int code = answer_end(session, answer);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_NO_LEVELS, understood->input->file.name, NULL,
                        gpucode_target_name(understood->input->target));
    return code || status == GPUCODE_OK ? code : code_status(session, understood->input->file.name, status);
}

static int tell_file(struct session *session)
{
    if (arguments_have(&session->arguments, OPTION_PRIVILEGES) || arguments_have(&session->arguments, OPTION_CALLS))
        return understood_first(session, tell_of_analysis);
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct code opened;
    int code = code_open(session, session->arguments.operands[0], &opened);
    if (code)
        return code;
    struct info_view view = {
        .image = opened.image,
        .info = gpucode_image_info(opened.image),
        .file = opened.file.name,
        .size = opened.file.size,
    };
    code = registers_load(session, view.info->target, &registers);
    if (!code)
        code = symbols_load(session, view.info->target, registers_names(registers), &symbols);
    if (!code)
        code = symbols_bind(session, symbols, NULL, opened.image, view.file);
    view.names = symbols_names(symbols, registers_names(registers));
    view.symbols = symbols;
    if (!code)
        code = tell_all(session, &view);
    gpucode_symbols_free(symbols);
    registers_free(registers);
    code_close(&opened);
    return code;
}

int command_info(struct session *session)
{
    return fleet_command(session, tell_file, false);
}
