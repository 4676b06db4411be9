/* SPDX-License-Identifier: MIT */
/* Two programs that can be analysed, compared function by function. */
#include "cli/differences.h"

#include "cli/blocks.h"
#include "front/code.h"
#include "front/session.h"

static bool any_difference(const struct differences *differences)
{
    const struct gpucode_compared_section *section;
    for (unsigned s = 0; (section = gpucode_comparison_section(differences->comparison, s)); s++)
        for (uint32_t i = 0; i < section->function_count; i++)
            if (section->functions[i].change != GPUCODE_CHANGE_SAME &&
                section->functions[i].change != GPUCODE_CHANGE_MOVED)
                return true;
    return false;
}

static int compare_understood(struct session *session, const struct understood *before, const struct understood *after)
{
    struct gpucode_comparison *comparison;
    enum gpucode_status status = gpucode_compare(before->analysis, after->analysis, &comparison);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_DIFF_SETS, after->input->file.name, NULL,
                        gpucode_target_isa(before->input->target), gpucode_target_isa(after->input->target));
    if (status != GPUCODE_OK)
        return code_status(session, after->input->file.name, status);
    const struct differences differences = {{before, after}, comparison};
    const char *page = session->arguments.value[OPTION_HTML];
    int code = EXIT_DONE;
    if (page)
        code = differences_html(session, &differences, page);
    else if (session->json)
        differences_json(&differences);
    else
        differences_text(&differences);
    if (!code)
        code = any_difference(&differences) ? EXIT_FINDINGS : EXIT_DONE;
    gpucode_comparison_free(comparison);
    return code;
}

int differences_report(struct session *session, const struct input *before, const struct input *after)
{
    struct understood understood[2];
    if (!gpucode_can_analyse(before->target))
        return blocks_report(session, before, after);
    int code = understood_open(session, before, &understood[GPUCODE_OLD]);
    if (code)
        return code;
    code = understood_open(session, after, &understood[GPUCODE_NEW]);
    if (!code) {
        code = compare_understood(session, &understood[GPUCODE_OLD], &understood[GPUCODE_NEW]);
        understood_close(&understood[GPUCODE_NEW]);
    }
    understood_close(&understood[GPUCODE_OLD]);
    return code;
}
