/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a crash dump that is explained: as text, with all that is known, as data and as Markdown, each of its
 * sections, and the same bytes as lines of a kernel's log. What is rendered goes nowhere.
 */
#include "check.h"
#include <gpucode/crash.h>

static bool drop(void *user, const char *text, size_t length)
{
    size_t *count = user;
    *count += length + (text == NULL);
    return true;
}

/* What is explained: one section, or null for all. */
struct given {
    const struct gpucode_crash *crash; /* or null: a log */
    const char *section, *text;
    size_t length;
};

static void explain(const struct given *given, bool verbose, enum gpucode_answer_form form)
{
    size_t count = 0;
    const struct gpucode_answer_options options = {
        .form = form, .write = drop, .user = &count, .columns = 80, .color = verbose};
    const struct gpucode_crash_explain_options how = {.verbose = verbose};
    struct gpucode_answer *answer = gpucode_answer_stream(&options);
    enum gpucode_status status = given->section
                                     ? gpucode_crash_explain_section(given->crash, given->section, &how, answer)
                                 : given->crash ? gpucode_crash_explain(given->crash, &how, answer)
                                                : gpucode_crash_explain_log(given->text, given->length, &how, answer);
    /* of a section there may be nothing but its name, which is not told again */
    check(status == GPUCODE_OK && gpucode_answer_finish(answer) == GPUCODE_OK && (given->section || count > 0));
    gpucode_answer_free(answer);
}

static void explain_all(const struct given *given)
{
    explain(given, false, GPUCODE_ANSWER_AS_TEXT);
    explain(given, true, GPUCODE_ANSWER_AS_TEXT);
    explain(given, true, GPUCODE_ANSWER_AS_JSON);
    explain(given, true, GPUCODE_ANSWER_AS_MARKDOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_crash_section section;
    struct gpucode_crash_options options = {.limit = 1 << 22};
    struct gpucode_crash *crash;
    if (gpucode_crash_log_recognise((const char *)bytes, size))
        explain_all(&(struct given){.text = (const char *)bytes, .length = size});
    if (gpucode_crash_open(bytes, size, &options, &crash) != GPUCODE_OK)
        return 0;
    explain_all(&(struct given){.crash = crash});
    for (size_t i = 0; i < 16 && gpucode_crash_section(crash, i, &section); i++)
        explain(&(struct given){.crash = crash, .section = section.name}, false, GPUCODE_ANSWER_AS_TEXT);
    gpucode_crash_free(crash);
    return 0;
}
