/* SPDX-License-Identifier: MIT */
/* What a made-up processor did, as a trace that ui.perfetto.dev opens. */
#include <gpucode/time_line.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const char *const lanes[] = {"programs", "waits"};
    const struct gpucode_time_line_options options = {.form = GPUCODE_TIME_LINE_TRACE,
                                                      .title = "a processor",
                                                      .unit = "clocks",
                                                      .lanes = lanes,
                                                      .lane_count = 2,
                                                      .nanoseconds = 10};
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_time_line *line = gpucode_time_line_begin(answer, &options);
    gpucode_time_line_put(line, &(struct gpucode_time_line_event){.lane = "programs", .name = "boot", .end = 200});
    gpucode_time_line_put(
        line, &(struct gpucode_time_line_event){.lane = "waits", .name = "for memory", .start = 50, .end = 150});
    enum gpucode_status status = gpucode_time_line_end(line);
    char *text = NULL;
    size_t length = 0;
    if (status == GPUCODE_OK)
        status = gpucode_answer_print(answer, &(struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, &text,
                                      &length);
    printf("%s: %zu bytes\n%s", gpucode_status_text(status), length, text ? text : "");
    free(text);
    gpucode_answer_free(answer);
    return status != GPUCODE_OK;
}
