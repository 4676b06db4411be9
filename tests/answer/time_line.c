/* SPDX-License-Identifier: MIT */
/* The three forms of a time line. */
#include "group.h"

#include <gpucode/time_line.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const lanes[] = {"outer", "inner"};

static char *print(struct gpucode_time_line_options options, enum gpucode_answer_form form,
                   const struct gpucode_time_line_event *events, size_t count)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_time_line *line = gpucode_time_line_begin(answer, &options);
    char *text = NULL;
    size_t length;
    assert_non_null(line);
    for (size_t i = 0; i < count; i++)
        gpucode_time_line_put(line, &events[i]);
    assert_int_equal(gpucode_time_line_end(line), GPUCODE_OK);
    const struct gpucode_answer_options how = {.form = form};
    assert_int_equal(gpucode_answer_print(answer, &how, &text, &length), GPUCODE_OK);
    gpucode_answer_free(answer);
    return text;
}

static const struct gpucode_time_line_event two[] = {
    {.lane = "outer", .name = "all <of> \"it\"", .start = 0, .end = 10, .has = GPUCODE_TIME_LINE_HAS_LINE, .line = 7},
    {.lane = "inner", .name = "a moment", .number = 3, .start = 4, .end = 4, .mark = GPUCODE_TIME_LINE_FAULT}};

/* Column where a line's last word stands. */
static size_t indent_of(const char *text, const char *word)
{
    char line[8];
    snprintf(line, sizeof line, " %s\n", word);
    const char *at = strstr(text, line), *start = at;
    assert_non_null(at);
    while (start > text && start[-1] != '\n')
        start--;
    return (size_t)(at - start);
}

static void records(void)
{
    const struct gpucode_time_line_options options = {
        .unit = "clocks", .nanoseconds = 32, .lanes = lanes, .lane_count = 2};
    char *text = print(options, GPUCODE_ANSWER_AS_JSON, two, 2);
    assert_string_equal(text, "{\"unit\": \"clocks\", \"unit_nanoseconds\": 32, \"lanes\": [\"outer\", \"inner\"]}\n"
                              "{\"start\": 0, \"end\": 10, \"lane\": \"outer\", \"number\": 0, \"level\": 0, "
                              "\"name\": \"all <of> \\\"it\\\"\", \"line\": 7}\n"
                              "{\"start\": 4, \"end\": 4, \"lane\": \"inner\", \"number\": 3, \"level\": 0, "
                              "\"name\": \"a moment\", \"mark\": \"fault\"}\n");
    free(text);
    const struct gpucode_time_line_event deep[] = {{.lane = "outer", .name = "a"},
                                                   {.lane = "outer", .name = "b", .level = 1},
                                                   {.lane = "outer", .name = "c", .level = 3},
                                                   {.lane = "outer", .name = "d", .level = 40}};
    text = print(options, GPUCODE_ANSWER_AS_TEXT, deep, 4);
    assert_non_null(strstr(text, " a\n"));
    size_t top = indent_of(text, "a");
    assert_int_equal(indent_of(text, "b"), top + 2);
    assert_int_equal(indent_of(text, "c"), top + 6);
    assert_int_equal(indent_of(text, "d"), top + 32); /* the limit */
    free(text);
}

/* Microseconds where the unit has a length, else one for each unit, and the trace says so. */
static void traces(void)
{
    struct gpucode_time_line_options options = {
        .form = GPUCODE_TIME_LINE_TRACE, .title = "x.rd", .unit = "clocks", .nanoseconds = 500};
    char *text = print(options, GPUCODE_ANSWER_AS_JSON, two, 2);
    assert_non_null(strstr(text, "\"name\": \"x.rd: clocks of 500 ns\"}"));
    assert_non_null(strstr(text, "\"cat\": \"outer\", \"ph\": \"X\", \"ts\": 0, \"dur\": 5, \"pid\": 1, \"tid\": 1, "
                                 "\"args\": {\"id\": \"outer:0\", \"line\": 7}}"));
    assert_non_null(strstr(text, "\"cat\": \"inner\", \"ph\": \"i\", \"s\": \"t\", \"ts\": 2, \"pid\": 1, \"tid\": 2, "
                                 "\"args\": {\"id\": \"inner:3\", \"mark\": \"fault\"}}"));
    free(text);
    options.nanoseconds = 0;
    text = print(options, GPUCODE_ANSWER_AS_JSON, two, 2);
    assert_non_null(strstr(text, "clocks in their order, not time; a microsecond is one of them"));
    assert_non_null(strstr(text, "\"ts\": 0, \"dur\": 10,"));
    free(text);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* HTML alone has it; names are escaped; however many events there are, it has as many bars as can be told apart. */
static void pictures(void)
{
    enum { MANY = 100000 };
    const struct gpucode_time_line_options options = {.form = GPUCODE_TIME_LINE_PICTURE, .unit = "words"};
    char *text = print(options, GPUCODE_ANSWER_AS_TEXT, two, 2);
    assert_string_equal(text, "");
    free(text);
    text = print(options, GPUCODE_ANSWER_AS_HTML, two, 2);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "<title>all &#60;of&#62; &#34;it&#34;: 0 to 10</title>"));
    assert_null(strstr(text, "<of>"));
    assert_non_null(strstr(text, "10 words in their order, not time"));
    assert_int_equal(count_of(text, "<rect"), 2);
    free(text);
    /* eight levels have a row each, which begins its lane with the first; what is deeper has none */
    struct gpucode_time_line_event deep[10];
    for (unsigned i = 0; i < 10; i++)
        deep[i] = (struct gpucode_time_line_event){.lane = "outer", .name = "e", .level = i, .start = i, .end = 20};
    text = print(options, GPUCODE_ANSWER_AS_HTML, deep, 10);
    assert_int_equal(count_of(text, "<rect"), 8);
    assert_int_equal(count_of(text, ">outer</text>"), 1);
    assert_non_null(strstr(text, "<title>e: 7 to 20</title>"));
    assert_null(strstr(text, "<title>e: 8 to 20</title>"));
    char *whole = print(options, GPUCODE_ANSWER_AS_HTML, deep, 8);
    assert_string_equal(text, whole);
    free(whole);
    free(text);
    struct gpucode_time_line_event *events = calloc(MANY, sizeof *events);
    assert_non_null(events);
    for (size_t i = 0; i < MANY; i++) /* the last ones first */
        events[i] = (struct gpucode_time_line_event){
            .lane = "packets", .name = "NOP", .number = MANY - 1 - i, .start = MANY - 1 - i, .end = MANY - i};
    text = print(options, GPUCODE_ANSWER_AS_HTML, events, MANY);
    size_t bars = count_of(text, "<rect");
    assert_in_range(bars, 600, 1001);
    free(text);
    free(events);
}

static void misuse(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    assert_null(gpucode_time_line_begin(answer, NULL));
    assert_null(gpucode_time_line_begin(answer, &(struct gpucode_time_line_options){0}));
    gpucode_time_line_put(NULL, two);
    assert_int_equal(gpucode_time_line_end(NULL), GPUCODE_ERROR_MEMORY);
    assert_null(gpucode_answer_first(answer));
    gpucode_answer_free(answer);
}

TESTS(time_line, records, traces, pictures, misuse)
