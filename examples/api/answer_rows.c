/* SPDX-License-Identifier: MIT */
/* The fields of an answer as a table, and what the table knows of its JSON. */
#include <gpucode/answer_rows.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS                                                                                                           \
    OBJECT(RING, NULL, PLAIN, "%s\n", "", "a ring buffer")                                                             \
    VALUE(ID, "id", COUNT, PLAIN, "ring %s", "", "its number")                                                         \
    MAYBE(IOVA, "iova", HEX, PLAIN, " at %s", "", "its address")                                                       \
    CLOSE(RING)

enum {
#define ROW GPUCODE_ANSWER_ID
    ROWS
#undef ROW
};
static const struct gpucode_answer_field fields[] = {
#define ROW GPUCODE_ANSWER_ROW
    ROWS
#undef ROW
};

static int print(struct gpucode_answer *answer, struct gpucode_answer_options options)
{
    char *text;
    size_t length;
    if (gpucode_answer_print(answer, &options, &text, &length) != GPUCODE_OK)
        return 1;
    fputs(text, stdout);
    free(text);
    gpucode_answer_free(answer);
    return 0;
}

int main(void)
{
    const struct gpucode_answer_table table = {"ring", "A ring.", fields, sizeof fields / sizeof *fields};
    struct gpucode_answer *answer = gpucode_answer_create(), *schema = gpucode_answer_create();
    gpucode_answer_begin(answer, &fields[RING]);
    gpucode_answer_number(answer, &fields[ID], 3);
    gpucode_answer_number(answer, &fields[IOVA], 0x1000);
    gpucode_answer_end(answer);
    gpucode_answer_schema(&table, schema);
    return print(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT}) ||
           print(schema, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON, .indent = true});
}
