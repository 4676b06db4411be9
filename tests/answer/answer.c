/* SPDX-License-Identifier: MIT */
/* Making, reading and rendering answers. */
#include "group.h"

#include <gpucode/answer.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ANSWER_ROWS "house.def"
#include <gpucode/answer_rows.h>

static void make(struct gpucode_answer *answer)
{
    gpucode_answer_begin(answer, &fields[HOUSE]);
    gpucode_answer_text(answer, &fields[NAME], "of \"usher\"\033[2J\xc2\x9b\n");
    gpucode_answer_number(answer, &fields[ROOMS], 1);
    gpucode_answer_signed(answer, &fields[SINCE], -40);
    gpucode_answer_number(answer, &fields[AT], 255);
    gpucode_answer_number(answer, &fields[BASE], 0xabc);
    gpucode_answer_number(answer, &fields[PLAN], 0x1f);
    gpucode_answer_real(answer, &fields[HEAT], 0.5);
    gpucode_answer_flag(answer, &fields[EMPTY], true);
    gpucode_answer_nothing(answer, &fields[OWNER]);
    gpucode_answer_text(answer, &fields[NOTE], "a note");
    gpucode_answer_begin(answer, &fields[DOORS]);
    gpucode_answer_text(answer, &fields[DOOR], "north");
    gpucode_answer_text(answer, &fields[DOOR], "west");
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[PART]);
    gpucode_answer_flag(answer, &fields[CELLAR], false);
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[FLOORS]);
    for (unsigned i = 0; i < 2; i++) {
        gpucode_answer_begin(answer, &fields[FLOOR]);
        gpucode_answer_shown(answer, &fields[LEVEL], i, i ? NULL : "base");
        gpucode_answer_format(answer, &fields[USE], "<%u>", i);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_begin(answer, &fields[KEYS]);
    char name[] = "front";
    gpucode_answer_key(answer, name);
    gpucode_answer_number(answer, &fields[KEY], 2);
    memset(name, 'x', 5); /* copied */
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
}

static char *print(const struct gpucode_answer *answer, struct gpucode_answer_options options)
{
    char *text = NULL;
    size_t length;
    assert_int_equal(gpucode_answer_print(answer, &options, &text, &length), GPUCODE_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

static void expect(const struct gpucode_answer *answer, struct gpucode_answer_options options, const char *expected)
{
    char *text = print(answer, options);
    assert_string_equal(text, expected);
    free(text);
}

static const char as_text[] = "House of \"usher\"<1b>[2J<U+009B><0a>\n"
                              "  1 room, 100%\n"
                              "  since -40\n"
                              "  at 0xff\n"
                              "  base 0x00000abc\n"
                              "  plan 0000001f\n"
                              "  heat 0.5\n"
                              "  empty\n"
                              "  (a note)\n"
                              "  doors: north, west\n"
                              "  part\n"
                              "    cellar no\n"
                              "floors\n"
                              "  base <0>     |\n"
                              "     1 <1>     |\n";

static const char as_json[] =
    "{\"name\": \"of \\\"usher\\\"\\u001b[2J\\u009b\\n\", \"rooms\": 1, \"since\": -40, \"at_words\": 255, "
    "\"base\": \"0xabc\", \"plan\": \"0000001f\", \"heat\": 0.5, \"empty\": true, \"owner\": null, "
    "\"doors\": [\"north\", \"west\"], \"cellar\": false, "
    "\"floors\": [{\"level\": 0, \"use\": \"<0>\"}, {\"level\": 1, \"use\": \"<1>\"}], \"keys\": {\"front\": 2}}\n";

static void one_of_everything(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    make(answer);
    assert_int_equal(gpucode_answer_status(answer), GPUCODE_OK);
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT}, as_text);
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, as_json);
    char *text = print(answer, (struct gpucode_answer_options){.color = true});
    assert_non_null(strstr(text, "\033[1mHouse of "));
    assert_non_null(strstr(text, "heat \033[33m0.5\033[0m\n"));
    free(text);
    text = print(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_HTML, .title = "A & B"});
    assert_non_null(strstr(text, "<title>A &amp; B</title>"));
    assert_non_null(strstr(text, "<strong>House of &quot;usher&quot;&lt;1b&gt;[2J&lt;U+009B&gt;&lt;0a&gt;\n</strong>"));
    assert_non_null(strstr(text, "floors\n<table><tr><td>  base<td> <ins>&lt;0&gt;</ins>     |</tr>"));
    assert_non_null(strstr(text, "</pre></html>\n"));
    free(text);
    gpucode_answer_free(answer);
}

/* What stands in a heading or a paragraph is not taken for Markdown; the rest is code, whatever is in it. */
static void markdown(void)
{
    static const struct gpucode_answer_field rows[] = {
        {"said", "%s\n", "", "a paragraph", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_STRONG, false, false},
        {"title", "\n%s:\n", "", "a heading", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_HEADING, false, false},
        {"line", "%s\n", "", "code", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_LISTING, false, false},
        {"mark", "  %s", "", "strong in the middle of a line", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_STRONG, false,
         false},
    };
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_text(answer, &rows[0], "- in CP_NOP_, *here* <b>");
    gpucode_answer_text(answer, &rows[1], "#1 `A`");
    gpucode_answer_text(answer, &rows[2], "```\n# no heading\n\n\n|x|");
    gpucode_answer_text(answer, &rows[3], "=>");
    gpucode_answer_text(answer, &rows[2], " 1");
    gpucode_answer_text(answer, &rows[1], "end");
    gpucode_answer_text(answer, &rows[3], "not ended");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_MARKDOWN, .columns = 20, .color = true},
           "\\- in CP_NOP\\_, \\*here\\* \\<b\\>\n\n## \\#1 \\`A\\`:\n\n"
           "    ```\n    # no heading\n\n    |x|\n      => 1\n\n## end:\n\n      not ended\n");
    gpucode_answer_free(answer);
}

struct sink {
    char text[1 << 14];
    size_t length, most;
};

static bool take(void *user, const char *text, size_t length)
{
    struct sink *sink = user;
    if (sink->length + length > sink->most)
        return false;
    memcpy(sink->text + sink->length, text, length);
    sink->length += length;
    return true;
}

/* Text leaves out what is quiet, in a kept answer too; and text around it does not show for it. */
static void quiet(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_begin(answer, &fields[HOUSE]);
    gpucode_answer_quiet(answer);
    gpucode_answer_begin(answer, &fields[DOORS]);
    gpucode_answer_text(answer, &fields[DOOR], "north");
    gpucode_answer_end(answer);
    gpucode_answer_quiet(answer);
    gpucode_answer_number(answer, &fields[AT], 1);
    gpucode_answer_number(answer, &fields[BASE], 2);
    gpucode_answer_end(answer);
    expect(answer, (struct gpucode_answer_options){0}, "  base 0x00000002\n");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON},
           "{\"doors\": [\"north\"], \"at_words\": 1, \"base\": \"0x2\"}\n");
    gpucode_answer_free(answer);
}

/* What is rendered at once is what a tree renders to. */
static void streams(void)
{
    static const char *const expected[] = {as_text, as_json};
    for (unsigned form = GPUCODE_ANSWER_AS_TEXT; form <= GPUCODE_ANSWER_AS_JSON; form++) {
        struct sink sink = {.most = sizeof sink.text};
        struct gpucode_answer *answer = gpucode_answer_stream(&(struct gpucode_answer_options){form, take, &sink});
        make(answer);
        make(answer);
        assert_int_equal(gpucode_answer_finish(answer), GPUCODE_OK);
        assert_null(gpucode_answer_first(answer));
        gpucode_answer_free(answer);
        size_t length = strlen(expected[form]);
        assert_int_equal(sink.length, 2 * length);
        assert_memory_equal(sink.text, expected[form], length);
        assert_memory_equal(sink.text + length, expected[form], length);
    }
    struct sink small = {.most = 10};
    struct gpucode_answer *answer =
        gpucode_answer_stream(&(struct gpucode_answer_options){.write = take, .user = &small});
    make(answer);
    assert_int_equal(gpucode_answer_finish(answer), GPUCODE_ERROR_SPACE);
    gpucode_answer_free(answer);
    assert_null(gpucode_answer_stream(&(struct gpucode_answer_options){.columns = 80}));
}

/* With any options; columns are those of texts alone, and who makes an answer can ask which form it will have. */
static void streams_of_each_form(void)
{
    struct gpucode_answer *kept = gpucode_answer_create();
    make(kept);
    for (unsigned form = GPUCODE_ANSWER_AS_TEXT; form <= GPUCODE_ANSWER_AS_MARKDOWN; form++) {
        char *plain = print(kept, (struct gpucode_answer_options){.form = form, .title = "t"});
        for (unsigned way = 0; way < 4; way++) {
            static struct sink sink;
            sink = (struct sink){.most = sizeof sink.text};
            struct gpucode_answer_options options = {
                .form = form, .title = "t", .columns = way & 1 ? 24 : 0, .color = way & 2};
            char *text = print(kept, options);
            options.write = take;
            options.user = &sink;
            struct gpucode_answer *answer = gpucode_answer_stream(&options);
            for (unsigned other = GPUCODE_ANSWER_AS_TEXT; other <= GPUCODE_ANSWER_AS_MARKDOWN; other++)
                assert_int_equal(gpucode_answer_has(answer, other), other == form);
            make(answer);
            assert_int_equal(gpucode_answer_finish(answer), GPUCODE_OK);
            gpucode_answer_free(answer);
            assert_int_equal(sink.length, strlen(text));
            assert_memory_equal(sink.text, text, sink.length);
            assert_int_equal(strcmp(text, plain) == 0, way == 0 || form != GPUCODE_ANSWER_AS_TEXT);
            free(text);
        }
        free(plain);
    }
    assert_false(gpucode_answer_has(NULL, GPUCODE_ANSWER_AS_TEXT));
    gpucode_answer_free(kept);
}

/* Lines that are neither wrapped nor coloured are made another way: they are the same. */
/* What cannot be printed, within a line that goes out at once: what stands before and after it stays. */
static void odd_bytes_at_once(void)
{
    static const char *const texts[][2] = {{"plain", "plain"},
                                           {"a\033b", "a<1b>b"},
                                           {"\n", "<0a>"},
                                           {"\xe2\x82\xac\xff", "\xe2\x82\xac<ff>"},
                                           {"", ""},
                                           {" ", " "},
                                           {"~", "~"},
                                           {"\x7f", "<7f>"},
                                           {"a~\x7f", "a~<7f>"},
                                           {"\xc2\x80", "<U+0080>"},
                                           {"\xc2\xa0", "\xc2\xa0"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sink sink = {.most = sizeof sink.text};
        struct gpucode_answer *answer =
            gpucode_answer_stream(&(struct gpucode_answer_options){.write = take, .user = &sink});
        char expected[200];
        gpucode_answer_begin(answer, &fields[HOUSE]);
        gpucode_answer_text(answer, &fields[NAME], texts[i][0]);
        gpucode_answer_number(answer, &fields[ROOMS], 3);
        gpucode_answer_nothing(answer, &fields[OWNER]);
        gpucode_answer_text(answer, &fields[NOTE], texts[i][0]);
        gpucode_answer_begin(answer, &fields[DOORS]);
        gpucode_answer_text(answer, &fields[DOOR], "north");
        gpucode_answer_text(answer, &fields[DOOR], texts[i][0]);
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
        assert_int_equal(gpucode_answer_finish(answer), GPUCODE_OK);
        gpucode_answer_free(answer);
        const char *shown = texts[i][1];
        int length = snprintf(expected, sizeof expected, "House %s\n  3 rooms, 100%%\n  (%s)\n  doors: north, %s\n",
                              shown, shown, shown);
        assert_int_equal(sink.length, length);
        assert_memory_equal(sink.text, expected, sink.length);
    }
}

static void as_they_come(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    make(answer);
    assert_true(gpucode_answer_has(answer, GPUCODE_ANSWER_AS_TEXT) &&
                gpucode_answer_has(answer, GPUCODE_ANSWER_AS_JSON));
    char *wide = print(answer, (struct gpucode_answer_options){.columns = 100000});
    expect(answer, (struct gpucode_answer_options){.columns = 0}, wide);
    free(wide);
    gpucode_answer_free(answer);
}

static void reading(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    make(answer);
    const struct gpucode_answer_value *house = gpucode_answer_first(answer);
    assert_null(house->next);
    assert_int_equal(gpucode_answer_member(house, "at_words")->number, 255);
    assert_int_equal(gpucode_answer_member(house, "owner")->kind, GPUCODE_ANSWER_NOTHING);
    assert_int_equal(gpucode_answer_member(house, "since")->signed_number, -40);
    assert_false(gpucode_answer_member(house, "cellar")->flag); /* in a part that is for text alone */
    assert_null(gpucode_answer_member(house, "garden"));
    assert_null(gpucode_answer_member(NULL, "garden"));
    const struct gpucode_answer_value *floor = gpucode_answer_member(house, "floors")->first->next;
    assert_string_equal(gpucode_answer_member(floor, "use")->text, "<1>");
    assert_string_equal(gpucode_answer_member(house, "keys")->first->key, "front");
    gpucode_answer_free(answer);
}

/* Too deep, too many ends, no answer at all. */
static void misuse(void)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    for (unsigned i = 0; i < 32; i++)
        gpucode_answer_begin(answer, &fields[HOUSE]);
    assert_int_equal(gpucode_answer_status(answer), GPUCODE_OK);
    gpucode_answer_begin(answer, &fields[HOUSE]);
    assert_int_equal(gpucode_answer_status(answer), GPUCODE_ERROR_RANGE);
    for (unsigned i = 0; i < 20; i++)
        gpucode_answer_end(answer);
    gpucode_answer_fail(answer, GPUCODE_ERROR_INPUT); /* the first one counts */
    assert_int_equal(gpucode_answer_status(answer), GPUCODE_ERROR_RANGE);
    gpucode_answer_free(answer);
    make(NULL);
    gpucode_answer_fail(NULL, GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_answer_status(NULL), GPUCODE_ERROR_MEMORY);
    assert_int_equal(gpucode_answer_finish(NULL), GPUCODE_ERROR_MEMORY);
    gpucode_answer_free(NULL);
}

/* A long text goes on below where it began; a listing is never broken; escape sequences take no room. */
static void wrapping(void)
{
    static const struct gpucode_answer_field owner = {
        NULL, "  owner   %s\n", "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_NAME, false, false};
    static const struct gpucode_answer_field line = {NULL,  "%s\n", "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_LISTING,
                                                     false, false};
    static const struct gpucode_answer_field open = {NULL,  "%s", "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_LISTING,
                                                     false, false};
    static const struct gpucode_answer_field sentence = {
        NULL, "%s\n", "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_PLAIN, false, false};
    static const struct gpucode_answer_field lines = {
        NULL, ", four five\n%s\n", "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_PLAIN, false, false};
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_text(answer, &owner, "one two three four five");
    gpucode_answer_text(answer, &line, "\tone two three four five\nsix");
    gpucode_answer_text(answer, &sentence, "one two three four \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
    gpucode_answer_text(answer, &sentence, "12345678901234567890123456 7");
    /* the end of a listing's line is part of it; lines after that are not */
    gpucode_answer_text(answer, &open, "\tone two three");
    gpucode_answer_text(answer, &lines, "one two three four five");
    expect(answer, (struct gpucode_answer_options){.columns = 20},
           "  owner   one two\n          three four\n          five\n"
           "\tone two three four five\nsix\n"
           "one two three four\n\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n"
           "12345678901234567890123456\n7\n"
           "\tone two three, four five\none two three four\nfive\n");
    expect(answer, (struct gpucode_answer_options){.columns = 24, .color = true},
           "  owner   \033[36mone two three\n          four five\033[0m\n"
           "\tone two three four five\nsix\n"
           "one two three four \xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\n"
           "12345678901234567890123456\n7\n"
           "\tone two three, four five\none two three four five\n");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, ""); /* all for text alone */
    gpucode_answer_free(answer);
}

/* Words have 8 digits, or 16 where 32 bits are not enough; what stands right in its column counts characters. */
static void widths(void)
{
    static const struct {
        uint64_t number;
        const char *digits;
    } words[] = {
        {0xffffffff, "ffffffff"}, {UINT64_C(0x100000000), "0000000100000000"}, {UINT64_MAX, "ffffffffffffffff"}};
    static const char *const levels[][2] = {
        {"ab", "    ab"}, {"\xc3\xa9", "     \xc3\xa9"}, {"\xe2\x82\xac\xc3\xa9", "    \xe2\x82\xac\xc3\xa9"}};
    for (unsigned i = 0; i < 3; i++) {
        char expected[200];
        struct gpucode_answer *answer = gpucode_answer_create();
        gpucode_answer_begin(answer, &fields[HOUSE]);
        gpucode_answer_number(answer, &fields[PLAN], words[i].number);
        gpucode_answer_begin(answer, &fields[FLOORS]);
        gpucode_answer_begin(answer, &fields[FLOOR]);
        gpucode_answer_shown(answer, &fields[LEVEL], 0, levels[i][0]);
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
        snprintf(expected, sizeof expected, "  plan %s\nfloors\n%s\n", words[i].digits, levels[i][1]);
        expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT}, expected);
        snprintf(expected, sizeof expected, "{\"plan\": \"%s\", \"floors\": [{\"level\": 0}]}\n", words[i].digits);
        expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, expected);
        gpucode_answer_free(answer);
    }
}

/* An underscore between letters, digits and others of its kind is no mark of Markdown. */
static void underscores(void)
{
    static const struct text_case cases[] = {
        {"a_a", "a_a"},   {"z_z", "z_z"},     {"A_A", "A_A"},     {"Z_Z", "Z_Z"},
        {"0_0", "0_0"},   {"9_9", "9_9"},     {"a__a", "a__a"},   {"_a", "\\_a"},
        {"a_", "a\\_"},   {"a_ a", "a\\_ a"}, {"a _a", "a \\_a"}, {"/_0", "/\\_0"},
        {"0_:", "0\\_:"}, {"a_{", "a\\_{"},   {"a_@", "a\\_\\@"}, {"Z_[", "Z\\_\\["},
    };
    static const struct gpucode_answer_field row = {
        "said", "%s\n", "", "a paragraph", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_STRONG, false, false};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[40];
        struct gpucode_answer *answer = gpucode_answer_create();
        gpucode_answer_text(answer, &row, cases[i].text);
        snprintf(expected, sizeof expected, "%s\n", cases[i].expected);
        expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_MARKDOWN}, expected);
        gpucode_answer_free(answer);
    }
}

/* Bytes that are not UTF-8, and texts of all lengths with a character that is escaped at each place. */
static void json_texts(void)
{
    static const struct gpucode_answer_field item = {"k",   NULL, "", "", GPUCODE_ANSWER_TEXT, GPUCODE_ANSWER_PLAIN,
                                                     false, false};
    static const char *const marks[][2] = {
        {"\"", "\\\""}, {"\x7f", "\\u007f"}, {"\x1f", "\\u001f"}, {"~", "~"}, {" ", " "}};
    for (size_t mark = 0; mark < sizeof marks / sizeof *marks; mark++)
        for (size_t length = 0; length < 40; length++)
            for (size_t at = 0; at <= length; at++) {
                char text[48], expected[64];
                memset(text, 'a', sizeof text);
                if (at < length)
                    text[at] = *marks[mark][0];
                snprintf(expected, sizeof expected, "\"%.*s%s%.*s\"\n", (int)at, text,
                         at < length ? marks[mark][1] : "", at < length ? (int)(length - at - 1) : 0, text + at + 1);
                struct gpucode_answer *answer = gpucode_answer_create();
                gpucode_answer_bytes(answer, &item, text, length);
                expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, expected);
                gpucode_answer_free(answer);
            }
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_text(answer, &item, "\xff\xc3\xa9\xe2\x80\xae\xf3\xa0\x80\x81\xc0\x80");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON},
           "\"\xef\xbf\xbd\xc3\xa9\\u202e\\udb40\\udc01\xef\xbf\xbd\xef\xbf\xbd\"\n");
    gpucode_answer_free(answer);
    /* what grows to three times its size, wherever the room ends */
    for (size_t before = 0; before < 12; before++) {
        enum { MANY = 1500 };
        static char text[4 * MANY + 16], expected[12 * MANY + 16];
        memset(text, 'a', before);
        for (size_t i = 0; i < MANY; i++)
            memcpy(text + before + 4 * i, "\xf3\xa0\x80\x81", 4);
        size_t used = (size_t)sprintf(expected, "\"%.*s", (int)before, text);
        for (size_t i = 0; i < MANY; i++)
            used += (size_t)sprintf(expected + used, "\\udb40\\udc01");
        strcpy(expected + used, "\"\n");
        answer = gpucode_answer_create();
        gpucode_answer_bytes(answer, &item, text, before + 4 * MANY);
        expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON}, expected);
        gpucode_answer_free(answer);
    }
}

static void schema(void)
{
    const struct gpucode_answer_table table = {"house", "A house.", fields, sizeof fields / sizeof *fields};
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_schema(&table, answer);
    const struct gpucode_answer_value *root = gpucode_answer_first(answer);
    assert_string_equal(gpucode_answer_member(root, "type")->text, "object");
    const struct gpucode_answer_value *properties = gpucode_answer_member(root, "properties");
    assert_non_null(gpucode_answer_member(properties, "cellar"));
    assert_string_equal(gpucode_answer_member(gpucode_answer_member(properties, "base"), "type")->text, "string");
    assert_non_null(gpucode_answer_member(gpucode_answer_member(properties, "owner"), "anyOf"));
    const struct gpucode_answer_value *door =
        gpucode_answer_member(gpucode_answer_member(properties, "doors"), "items");
    assert_string_equal(gpucode_answer_member(door, "enum")->first->next->next->text, "west");
    static const char *const required[] = {"name", "rooms", "owner", "doors"};
    const struct gpucode_answer_value *name = gpucode_answer_member(root, "required")->first;
    for (size_t i = 0; i < sizeof required / sizeof *required; i++, name = name->next)
        assert_string_equal(name->text, required[i]);
    assert_null(name);
    gpucode_answer_free(answer);
}

/* Lists in a row are cells; of one without items an empty cell is left, and one alone takes the whole row. */
static void old_and_new_beside_each_other(void)
{
    static const struct gpucode_answer_field sides = {
        .kind = GPUCODE_ANSWER_LIST, .text = "%s", .style = GPUCODE_ANSWER_SIDES};
    static const struct gpucode_answer_field row = {.kind = GPUCODE_ANSWER_OBJECT, .text = "%s"};
    static const struct gpucode_answer_field cell[] = {{.key = "old", .kind = GPUCODE_ANSWER_LIST, .text = "%s"},
                                                       {.key = "new", .kind = GPUCODE_ANSWER_LIST, .text = "%s"}};
    static const struct gpucode_answer_field line = {.kind = GPUCODE_ANSWER_TEXT, .text = "%s\n"};
    static const char *const lines[][2] = {{"a", "b"}, {NULL, "c"}, {"d", NULL}};
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_begin(answer, &sides);
    for (unsigned i = 0; i < 3; i++) {
        gpucode_answer_begin(answer, &row);
        for (unsigned side = 0; side < 2; side++) {
            gpucode_answer_begin(answer, &cell[side]);
            gpucode_answer_text(answer, &line, lines[i][side]);
            gpucode_answer_end(answer);
        }
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT}, "a\nb\nc\nd\n");
    char *text = print(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_HTML});
    assert_non_null(strstr(text,
                           "<table class=sides><tr><td>a\n</td><td>b\n</td></tr>\n<tr><td></td><td>c\n</td></tr>\n"
                           "<tr><td>d\n</td><td></td></tr>\n</table>"));
    assert_null(strstr(text, "<h1>"));
    free(text);
    gpucode_answer_free(answer);
}

static const struct gpucode_answer_field plain = {.key = "plain", .kind = GPUCODE_ANSWER_TEXT, .text = "%s"};

/* Texts of any length are formatted, those around the room that there is at first too. */
static void formatted(void)
{
    for (int length = 250; length < 270; length++) {
        struct gpucode_answer *answer = gpucode_answer_create();
        gpucode_answer_format(answer, &plain, "%.*d;%s", length - 2, 7, "x");
        char *text = print(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT});
        assert_int_equal(strlen(text), length);
        for (int i = 0; i < length - 3; i++)
            assert_int_equal(text[i], '0');
        assert_string_equal(text + length - 3, "7;x");
        free(text);
        gpucode_answer_free(answer);
    }
}

/* Words for one and for others, where either may be missing, and more than one of them. */
static void ones_and_others(void)
{
    static const struct gpucode_answer_field counts[] = {
        {.key = "a", .kind = GPUCODE_ANSWER_COUNT, .text = "%s(%(only)) "},
        {.key = "b", .kind = GPUCODE_ANSWER_COUNT, .text = "%s(%(one|)) "},
        {.key = "c", .kind = GPUCODE_ANSWER_COUNT, .text = "%s(%(|more)) "},
        {.key = "d", .kind = GPUCODE_ANSWER_COUNT, .text = "%(a|the) %s %(mouse|mice)%%\n"}};
    static const char *const wanted[] = {"0() 0() 0(more) the 0 mice%\n", "1(only) 1(one) 1() a 1 mouse%\n",
                                         "2() 2() 2(more) the 2 mice%\n"};
    for (unsigned number = 0; number < 3; number++) {
        struct gpucode_answer *answer = gpucode_answer_create();
        for (unsigned i = 0; i < 4; i++)
            gpucode_answer_number(answer, &counts[i], number);
        expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_TEXT}, wanted[number]);
        gpucode_answer_free(answer);
    }
}

/* What is not ended by a newline is shown at the end, broken like all other text. */
static void without_end(void)
{
    static const struct gpucode_answer_field heading = {
        .kind = GPUCODE_ANSWER_TEXT, .text = "   %s", .style = GPUCODE_ANSWER_HEADING};
    struct gpucode_answer *answer = gpucode_answer_create();
    gpucode_answer_text(answer, &plain, "one two three four five");
    expect(answer, (struct gpucode_answer_options){.columns = 10}, "one two\nthree four\nfive");
    expect(answer, (struct gpucode_answer_options){.columns = 23}, "one two three four five");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_MARKDOWN},
           "    one two three four five\n");
    gpucode_answer_free(answer);
    answer = gpucode_answer_create();
    gpucode_answer_text(answer, &heading, "one two   ");
    expect(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_MARKDOWN}, "## one two\n");
    gpucode_answer_free(answer);
}

/* A page has each row once, and its number wherever it comes again, however many there are. */
static void folded(void)
{
    enum { ROWS = 3000 };
    static const struct gpucode_answer_field fold = {
        .kind = GPUCODE_ANSWER_OBJECT, .text = "%s", .style = GPUCODE_ANSWER_FOLD};
    static const struct gpucode_answer_field name = {.kind = GPUCODE_ANSWER_COUNT, .text = "part %s\n"};
    static const struct gpucode_answer_field table = {
        .kind = GPUCODE_ANSWER_LIST, .text = "%s", .style = GPUCODE_ANSWER_TABLE};
    static const struct gpucode_answer_field row = {.kind = GPUCODE_ANSWER_OBJECT, .text = "%s\n"};
    static const struct gpucode_answer_field value = {.kind = GPUCODE_ANSWER_COUNT, .text = "value %s"};
    struct gpucode_answer *answer = gpucode_answer_create();
    for (unsigned part = 0; part < 2; part++) {
        gpucode_answer_begin(answer, &fold);
        gpucode_answer_number(answer, &name, part);
        gpucode_answer_begin(answer, &table);
        for (unsigned i = 0; i < ROWS; i++) {
            gpucode_answer_begin(answer, &row);
            gpucode_answer_number(answer, &value, part ? ROWS - i : i);
            gpucode_answer_end(answer);
        }
        gpucode_answer_end(answer);
        gpucode_answer_end(answer);
    }
    char *text = print(answer, (struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_HTML}), *at = text;
    char wanted[64];
    for (unsigned i = 0; i < 2 * ROWS; i++) {
        unsigned second = 2 * ROWS - i;
        if (i <= ROWS) /* the second part begins with one that is new */
            snprintf(wanted, sizeof wanted, "<tr><td>value %u</tr>\n", i);
        else
            snprintf(wanted, sizeof wanted, "<tr>@%u</tr>\n", second);
        char *found = strstr(at, wanted);
        if (!found)
            fail_msg("%s is not there", wanted);
        at = found + strlen(wanted);
        if (i != ROWS - 1 && i != 2 * ROWS - 1)
            assert_int_equal(strncmp(at, "<tr>", 4), 0);
    }
    assert_null(strstr(at, "<tr>@"));
    assert_null(strstr(at, "<tr><td>"));
    assert_non_null(strstr(text, "<details id=d0><summary><a href=#d0>#</a> part 0"));
    assert_non_null(strstr(text, "<details id=d1><summary><a href=#d1>#</a> part 1"));
    free(text);
    gpucode_answer_free(answer);
}

TESTS(answer, one_of_everything, widths, underscores, markdown, old_and_new_beside_each_other, streams,
      streams_of_each_form, odd_bytes_at_once, quiet, as_they_come, reading, misuse, wrapping, formatted,
      ones_and_others, without_end, folded, json_texts, schema)
