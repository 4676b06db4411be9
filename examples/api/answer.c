/* SPDX-License-Identifier: MIT */
/* An answer of one's own: put in once, printed in two forms, and read. */
#include <gpucode/answer.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLOCKS, DOMAIN, MHZ };

static const struct gpucode_answer_field fields[] = {
    [CLOCKS] = {.text = "%s", .unit = "", .kind = GPUCODE_ANSWER_OBJECT},
    [DOMAIN] = {"domain", "the %s clock runs at ", "", "which clock", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_NAME, false,
                false},
    [MHZ] = {"mhz", "%s MHz\n", "MHz", "how fast it runs", GPUCODE_ANSWER_COUNT, GPUCODE_ANSWER_PLAIN, false, false},
};

int main(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_begin(answer, &fields[CLOCKS]);
    gpucode_answer_text(answer, &fields[DOMAIN], "memory");
    gpucode_answer_number(answer, &fields[MHZ], 792);
    gpucode_answer_end(answer);
    for (int form = GPUCODE_ANSWER_AS_TEXT; form <= GPUCODE_ANSWER_AS_JSON; form++) {
        struct gpucode_answer_options options = {.form = (enum gpucode_answer_form)form};
        char *text;
        size_t length;
        if (gpucode_answer_print(answer, &options, &text, &length) != GPUCODE_OK)
            return 1;
        fputs(text, stdout);
        free(text);
    }
    printf("%u\n", (unsigned)gpucode_answer_member(gpucode_answer_first(answer), "mhz")->number);
    gpucode_answer_free(answer);
    return 0;
}
