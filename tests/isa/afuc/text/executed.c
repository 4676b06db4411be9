/* SPDX-License-Identifier: MIT */
/* What the caller saw running is code in the text, with all that it leads to; and where units are in the text. */
#include "assembling.h"

#include <gpucode/outline.h>
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
    opened->image = image_made(&opened->made, NULL);
    assert_int_equal(gpucode_image_info(opened->image)->units, UNITS);
}

static void close_island(struct opened *opened)
{
    gpucode_image_free(opened->image);
    gpucode_program_free(opened->made.program);
}

/* What a unit is: code that paths lead to or not, a number without an instruction, a number with one. */
static char letter_of(const struct gpucode_unit *unit)
{
    if (unit->kind == GPUCODE_UNIT_CODE)
        return unit->reached ? 'c' : 'l';
    return unit->row == GPUCODE_ROW_NONE ? 'w' : 'd';
}

/* The kind of each unit as a letter, and every place checked against the text. */
static void expect_kinds(const struct opened *opened, const uint8_t *executed, bool raw, const char *kinds)
{
    const struct gpucode_disasm_options options = {.executed = executed, .static_only = true, .raw = raw};
    struct gpucode_outline *outline;
    char *again, found[UNITS + 1] = "";
    size_t length;
    uint32_t count;
    assert_int_equal(gpucode_outline_create(opened->image, &options, &outline), GPUCODE_OK);
    const char *text = gpucode_outline_text(outline, &length);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    unsigned prefix = raw; /* the zero word */
    assert_int_equal(count, UNITS + prefix);
    for (unsigned i = 0; i < UNITS; i++) {
        const struct gpucode_unit *unit = &units[i + prefix];
        found[i] = letter_of(unit);
        assert_int_equal(unit->unit, i);
        assert_true(unit->line < length);
        const char *line = text + unit->line;
        assert_true(line == text || line[-1] == '\n');
        assert_int_equal(*line == '[', unit->kind == GPUCODE_UNIT_DATA);
        assert_true(i == 0 || unit->line > unit[-1].line);
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
    assert_int_equal(gpucode_disassemble(opened->image, &options, &again, &length), GPUCODE_OK);
    assert_string_equal(text, again);
    free(again);
    gpucode_outline_free(outline);
}

static void marks(void)
{
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

/* The packet table is one line, that of its first entry. */
static void table(void)
{
    static const char text[] = "[016ee001]\n[#jumptbl]\nCP_NOP: waitin\nmov $01, $data\njumptbl:\n.jumptbl\n";
    struct assembled made;
    struct gpucode_image *image;
    struct gpucode_outline *outline;
    uint32_t count;
    assemble_text(&made, text, NULL);
    assert_int_equal(made.status, GPUCODE_OK);
    image = image_made(&made, NULL);
    assert_int_equal(gpucode_outline_create(image, NULL, &outline), GPUCODE_OK);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    assert_int_equal(count, 4 + 128);
    for (unsigned i = 0; i < 4 + 128; i++) {
        assert_int_equal(units[i].kind, i < 2 ? GPUCODE_UNIT_DATA : i < 4 ? GPUCODE_UNIT_CODE : GPUCODE_UNIT_TABLE);
        assert_int_equal(units[i].text.length != 0, i <= 4);
    }
    gpucode_outline_free(outline);
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

/* Nothing told: the image is run, and what stands after the computed jump is code. */
static void explored(void)
{
    struct opened opened;
    struct gpucode_outline *outline;
    uint32_t count;
    open_island(&opened);
    assert_int_equal(gpucode_outline_create(opened.image, NULL, &outline), GPUCODE_OK);
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    assert_int_equal(count, UNITS);
    assert_int_equal(units[ISLAND].kind, GPUCODE_UNIT_CODE);
    assert_int_equal(units[STRAY].kind, GPUCODE_UNIT_DATA);
    gpucode_outline_free(outline);
    close_island(&opened);
}

TESTS(executed, marks, table, explored)
