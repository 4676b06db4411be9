/* SPDX-License-Identifier: MIT */
/* What the caller saw running is code in the text, with all that it leads to; and where units are in the text. */
#include "assembling.h"

#include <stdlib.h>
#include <string.h>

static const char source[] = "[01730001]\n[01000000]\nmov $02, 0x7\njump $02\nnop\n[ffffffff]\n[fffffffe]\n"
                             "add $03, $03, 0x1\njump #end\nnop\n[fffffffd]\nadd $04, $04, 0x1\n[fffffffc]\n"
                             "end: waitin\nmov $01, $data\n";
enum { UNITS = 15, ISLAND = 7, SLOT = 9, STRAY = 11 };

struct opened {
    struct assembled made;
    struct gpucode_image *image;
};

static void open_island(struct opened *opened)
{
    assemble_text(&opened->made, source, NULL);
    assert_int_equal(opened->made.status, GPUCODE_OK);
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(opened->made.program),
                                        gpucode_program_size(opened->made.program), NULL, &opened->image),
                     GPUCODE_OK);
    assert_int_equal(gpucode_image_info(opened->image)->units, UNITS);
}

static void close_island(struct opened *opened)
{
    gpucode_image_free(opened->image);
    gpucode_program_free(opened->made.program);
}

/* The kind of each unit as a letter, and every place checked against the text. */
static void expect_kinds(const struct opened *opened, const uint8_t *executed, bool raw, const char *kinds)
{
    static const char letters[] = {'-', 'c', 'l', 'w', 'd'};
    struct gpucode_unit_place places[UNITS];
    memset(places, 0xff, sizeof places);
    const struct gpucode_disasm_options options = {.executed = executed, .places = places, .raw = raw};
    char *text, *again, found[UNITS + 1] = "";
    size_t length;
    assert_int_equal(gpucode_disassemble(opened->image, &options, &text, &length), GPUCODE_OK);
    for (unsigned i = 0; i < UNITS; i++) {
        assert_true(places[i].kind <= GPUCODE_UNIT_DATA);
        found[i] = letters[places[i].kind];
        assert_true(places[i].offset < length);
        const char *line = text + places[i].offset;
        assert_true(line == text || line[-1] == '\n');
        assert_int_equal(*line == '[', places[i].kind >= GPUCODE_UNIT_WORD);
        assert_true(i == 0 || places[i].offset > places[i - 1].offset);
    }
    assert_string_equal(found, kinds);
    /* whatever is called code, the bytes come back */
    struct assembled back;
    assemble_bytes(&back, text, length, NULL);
    assert_int_equal(back.status, GPUCODE_OK);
    assert_int_equal(gpucode_program_size(back.program), gpucode_program_size(opened->made.program));
    assert_memory_equal(gpucode_program_bytes(back.program), gpucode_program_bytes(opened->made.program),
                        gpucode_program_size(back.program));
    gpucode_program_free(back.program);
    /* asking for places changes nothing */
    const struct gpucode_disasm_options plain = {.executed = executed, .raw = raw};
    assert_int_equal(gpucode_disassemble(opened->image, &plain, &again, &length), GPUCODE_OK);
    assert_string_equal(text, again);
    free(text);
    free(again);
}

static void marks(void **state)
{
    (void)state;
    struct opened opened;
    uint8_t executed[UNITS] = {0};
    open_island(&opened);
    expect_kinds(&opened, NULL, false, "wccccwwdddwdwll");
    expect_kinds(&opened, executed, false, "wccccwwdddwdwll");
    executed[ISLAND] = 1; /* the jump and its slot follow from it */
    expect_kinds(&opened, executed, false, "wccccwwcccwdwcc");
    executed[ISLAND + 1] = executed[SLOT] = 1; /* and the path does not fall out of the slot */
    expect_kinds(&opened, executed, false, "wccccwwcccwdwcc");
    executed[STRAY] = 1;
    expect_kinds(&opened, executed, false, "wccccwwcccwcwcc");
    memset(executed, 1, sizeof executed); /* numbers that no row explains stay numbers */
    expect_kinds(&opened, executed, false, "wccccwwcccwcwcc");
    expect_kinds(&opened, NULL, true, "wllllwwlllwlwll");
    close_island(&opened);
}

/* The packet table is one line, which no unit of it has for its own. */
static void table(void **state)
{
    (void)state;
    static const char text[] = "[016ee001]\n[#jumptbl]\nCP_NOP: waitin\nmov $01, $data\njumptbl:\n.jumptbl\n";
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_unit_place places[4 + 128];
    const struct gpucode_disasm_options options = {.places = places};
    char *out;
    size_t length;
    assemble_text(&made, text, NULL);
    assert_int_equal(made.status, GPUCODE_OK);
    assert_int_equal(
        gpucode_image_open(gpucode_program_bytes(made.program), gpucode_program_size(made.program), NULL, &image),
        GPUCODE_OK);
    assert_int_equal(gpucode_image_info(image)->units, 4 + 128);
    assert_int_equal(gpucode_disassemble(image, &options, &out, &length), GPUCODE_OK);
    for (unsigned i = 0; i < 4 + 128; i++)
        assert_int_equal(places[i].kind, i < 2 ? GPUCODE_UNIT_WORD : i < 4 ? GPUCODE_UNIT_CODE : GPUCODE_UNIT_NONE);
    free(out);
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

TEST_GROUP(executed)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks), cmocka_unit_test(table)};
    return cmocka_run_group_tests_name("afuc executed", tests, NULL, NULL);
}
