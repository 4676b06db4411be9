/* SPDX-License-Identifier: MIT */
/* Who reads and writes what with which constant: the rows' arithmetic on sets of values, through calls and joins. */
#include "analysed.h"

struct collected {
    char text[4096];
    unsigned space;
    size_t used;
};

static bool collect(void *user, const struct gpucode_reference *reference)
{
    struct collected *collected = user;
    if (reference->space != collected->space || reference->in_table)
        return true;
#define PUT(...)                                                                                                       \
    collected->used +=                                                                                                 \
        (size_t)snprintf(collected->text + collected->used, sizeof collected->text - collected->used, __VA_ARGS__)
    PUT("%s%u %c %x", collected->used ? ", " : "", reference->unit, gpucode_reference_kind_name(reference->kind)[0],
        reference->number);
    if (!reference->exact)
        PUT("?");
    if (reference->via)
        PUT(" %s", reference->via);
    if (reference->has_value)
        PUT("=%x", reference->value);
#undef PUT
    return true;
}

static void expect_analysed(struct analysed *analysed, unsigned space, const char *wanted)
{
    struct collected collected = {.space = space};
    assert_int_equal(gpucode_analysis_references(analysed->analysis, collect, &collected), GPUCODE_OK);
    assert_string_equal(collected.text, wanted);
    free_analysed(analysed);
}

static void expect_references(const char *body, unsigned space, const char *wanted)
{
    struct analysed analysed;
    analyse_source(&analysed, "afuc:a730", body);
    expect_analysed(&analysed, space, wanted);
}

/* Of shaders each register in a row, but for those that a mask leaves out. */
static void test_rows(void)
{
    static const char *const targets[] = {"ir3:a630", "a3xx"};
    static const char text[] = "(sy)sam (f32)(xz)r0.x, r1.x, s#0, t#0\n(rpt2)add.f r4.x, (r)r0.x, c0.x\nend\n";
    for (unsigned i = 0; i < 2; i++) {
        struct analysed analysed;
        analyse_text(&analysed, targets[i], text);
        expect_analysed(&analysed, GPUCODE_SPACE_GENERAL,
                        "0 w 0, 0 w 2, 0 r 4, 0 r 5, 1 w 10, 1 w 11, 1 w 12, 1 r 0, 1 r 1, 1 r 2");
    }
}

static void test_numbers(void)
{
    expect_references("mov $02, 2\nadd $02, $02, $02\ncwrite $02, [$02 + 0x100]\nmov $03, $data\ncread $04, [$03 + "
                      "0x200]\ncwrite $02, [$02 + 0x10]!\ncwrite $00, [$02 + 0]\n",
                      GPUCODE_SPACE_CONTROL, "4 w 104=4, 6 r 200?, 7 w 14=4, 8 w 14=0");
    /* paths join to a set; too many are unknown */
    expect_references("mov $03, $data\nmov $02, 1\nbrne $03, b0, #x\nnop\nmov $02, 5\nx:\ncwrite $02, [$02 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "7 w 101, 7 w 105");
    expect_references(
        "mov $02, 0\nx:\nadd $02, $02, 1\nmov $03, $data\nbrne $03, b0, #x\nnop\ncwrite $00, [$02 + 0x100]\n",
        GPUCODE_SPACE_CONTROL, "7 w 100?=0");
}

/* What stands in a delay slot does what it does, but it leads nowhere. */
static void test_slots(void)
{
    expect_references("jump #a\njump #b\na: brne $02, b0, #b\ncall #c\nnop\nb: nop\nc: nop\n", GPUCODE_SPACE_CODE,
                      "2 j 4, 4 j 7, 5 c 8");
    expect_references("mov $02, 2\njump #a\ncwrite $00, [$02 + 0x100]\na: brne $02, b0, #b\ncwrite $00, [$02 + 0x200]\n"
                      "b: nop\n",
                      GPUCODE_SPACE_CONTROL, "4 w 102=0, 6 w 202=0");
}

/* A jump by a register leads to each place that the register has there. */
static void test_register_jumps(void)
{
    expect_references("mov $03, #a\njumpd $03\nnop\na: mov $04, $data\nmov $05, #b\nbrne $04, b0, #on\nnop\n"
                      "mov $05, #c\non: jumpd $05\nnop\nb: nop\nc: nop\n",
                      GPUCODE_SPACE_CODE, "3 j 5, 7 j a, 10 j c, 10 j d");
}

/* Nobody knows what code outside of the image does with registers; in front of it they are known. */
static void test_outside(void)
{
    expect_references("mov $02, 0x2\ncwrite $00, [$02 + 0x100]\n[d4004000]\nnop\ncwrite $00, [$02 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "3 w 102=0, 6 w 100?=0");
}

/* The carry is a value like those of registers: of a sum, of a difference, of two paths; after (rep) nobody knows. */
static void test_carry(void)
{
    expect_references("not $02, 0x0\nadd $03, $02, 0x1\naddhi $04, $00, 0x20\ncwrite $00, [$04 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "5 w 121=0");
    expect_references("mov $02, 0x5\nadd $03, $02, 0x1\naddhi $04, $00, 0x20\ncwrite $00, [$04 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "5 w 120=0");
    expect_references("sub $03, $00, 0x1\nmov $02, 0x30\nsubhi $04, $02, 0x1\ncwrite $00, [$04 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "5 w 12e=0");
    expect_references("not $02, 0x0\nmov $05, $data\nmov $06, 0x0\nbrne $05, b0, #x\nnop\nmov $06, 0x1\nx:\n"
                      "add $03, $02, $06\naddhi $04, $00, 0x20\ncwrite $00, [$04 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "10 w 120=0, 10 w 121=0");
    expect_references("not $02, 0x0\nmov $rem, 0x2\n(rep)add $03, $02, 0x1\naddhi $04, $00, 0x20\n"
                      "cwrite $00, [$04 + 0x100]\n",
                      GPUCODE_SPACE_CONTROL, "6 w 100?=0");
}

/* A call of functions that call each other leaves what none of them writes, and nothing else. */
static void test_recursion(void)
{
    expect_references(
        "mov $05, 0x1\nmov $06, 0x2\nmov $07, 0x3\nmov $08, 0x4\ncall #a\nnop\ncwrite $05, [$00 + 0x100]\n"
        "cwrite $06, [$00 + 0x101]\ncwrite $07, [$00 + 0x102]\ncwrite $08, [$00 + 0x103]\njump #end\nnop\n"
        "a:\nmov $03, $data\nbrne $03, b0, #out\nnop\nmov $05, $data\ncall #b\nnop\nout:\nret\nnop\n"
        "b:\nmov $06, $data\ncall #c\nnop\ncall #a\nnop\nret\nnop\nc:\nret\nmov $07, $data\nend:\n",
        GPUCODE_SPACE_CONTROL, "8 w 100, 9 w 101, 10 w 102, 11 w 103=4");
}

/* The same of what selects registers: it is left alone by functions that call each other but do not touch it. */
static void test_recursion_selects(void)
{
    static const struct {
        const char *text, *written, *read;
    } cases[] = {
        {"add $06, $06, $07", "9 w 883 addr=0", "10 r 100 regdata"},
        {"and $06, $02, 0x7", "9 w 883 addr=0", "10 r 100 regdata"},
        {"mov $06, $data", "9 w 883 addr=0", "10 r 100 regdata"},
        {"cwrite $06, [$00 + 0x150]", "9 w 883 addr=0", "10 r 100 regdata"},
        {"mov $addr, $06", "", "10 r 100 regdata"},
        {"mov $usraddr, $06", "", "10 r 100 regdata"},
        {"mov $06, $regdata", "9 w 883 addr=0", ""},
        {"add $06, $07, $regdata", "9 w 883 addr=0", ""},
        {"cwrite $06, [$00 + @REG_READ_ADDR]", "9 w 883 addr=0", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600], wanted[100];
        snprintf(text, sizeof text,
                 "mov $addr, 0x883\nmov $02, 0x100\ncwrite $02, [$00 + @REG_READ_ADDR]\ncall #a\nnop\nnop\nnop\n"
                 "mov $data, $00\nmov $03, $regdata\njump #end\nnop\na:\nbrne $05, b0, #out\nnop\ncall #b\nnop\n"
                 "out:\nret\nnop\nb:\n%s\ncall #a\nnop\nret\nnop\nend:\n",
                 cases[i].text);
        snprintf(wanted, sizeof wanted, "%s%s%s", cases[i].written, *cases[i].written && *cases[i].read ? ", " : "",
                 cases[i].read);
        expect_references(text, GPUCODE_SPACE_GPU, wanted);
    }
}

static void test_selected(void)
{
    expect_references("mov $usraddr, 0x883\nmov $data, 7\n(xmov1)mov $data, $data\nmov $data, 8\n", GPUCODE_SPACE_GPU,
                      "3 w 883 usraddr=7, 4 w 884 usraddr");
    expect_references("mov $addr, 0x4 << 16\nor $addr, $00, 0x883\nmov $data, 7\n", GPUCODE_SPACE_GPU,
                      "4 w 883 addr=7");
    expect_references("mov $02, 0xa0 << 24\nmov $addr, $02\nmov $data, $00\nmov $data, $00\n", GPUCODE_SPACE_PIPE,
                      "4 w a0 addr=0, 5 w a1 addr=0");
    /* the highest number of a register, and one more */
    expect_references("mov $addr, 0xffff\nmov $data, 7\nmov $addr, 0x1 << 16\nmov $data, 8\n", GPUCODE_SPACE_GPU,
                      "3 w ffff addr=7");
    expect_references(
        "mov $02, 0x100\ncwrite $02, [$00 + @REG_READ_ADDR]\nmov $03, $regdata\n(peek)mov $03, $regdata\nmov "
        "$03, $regdata\n",
        GPUCODE_SPACE_GPU, "4 r 100 regdata, 5 r 101 regdata, 6 r 101 regdata");
    /* what is written beside it selects nothing, and what may be written to it nobody knows what */
    expect_references("mov $02, 0x100\nmov $03, 1\ncwrite $02, [$00 + @REG_READ_ADDR]\nmov $04, 0x200\n"
                      "cwrite $04, [$03 + @REG_READ_ADDR]\nmov $05, $regdata\nmov $03, $data\n"
                      "cwrite $04, [$03 + @REG_READ_ADDR]\nmov $05, $regdata\n",
                      GPUCODE_SPACE_GPU, "7 r 100 regdata");
}

/* A routine begins with what its calls bring; after a call stands what it wrote, and what it left alone. */
static void test_calls(void)
{
    expect_references(
        "mov $02, 1\nmov $03, 9\ncall #f\nmov $02, 2\ncwrite $04, [$03 + 0x100]\ncall #f\nmov $02, 4\njump "
        "#end\nnop\nf:\nadd $04, $02, 1\ncwrite $00, [$02 + 0x200]\nret\nnop\nend:\n",
        GPUCODE_SPACE_CONTROL, "6 w 109, 12 w 202=0, 12 w 204=0");
    expect_references("bl #f\nnop\njump #end\nnop\nf:\nsret\nnop\nend:\n", GPUCODE_SPACE_GENERAL,
                      "2 w 1b=4, 6 r 1b, 9 w 1, 9 r 1f");
}

static void test_memory(void)
{
    expect_references("mov $02, $memdata\nstore $02, [$02 + 4]\nload $03, [$02 + 8]\n", GPUCODE_SPACE_MEMORY,
                      "2 r 0, 3 w 0, 4 r 0");
}

static bool stop(void *user, const struct gpucode_reference *reference)
{
    (void)reference;
    ++*(unsigned *)user;
    return false;
}

static void test_enough(void)
{
    struct analysed analysed;
    unsigned calls = 0;
    analyse_source(&analysed, "afuc:a630", "nop\n");
    assert_int_equal(gpucode_analysis_references(analysed.analysis, stop, &calls), GPUCODE_OK);
    assert_int_equal(calls, 1);
    free_analysed(&analysed);
}

/* --- room for texts --------------------------------------------------------------------------------------------------
 */

struct asked {
    const struct analysed *analysed;
    const struct gpucode_outline *outline;
    struct gpucode_notes *notes;
    const struct gpucode_reference *reference;
    unsigned which;
    uint32_t number;
};

enum { OF_FUNCTION, OF_LISTED, OF_REGISTER, OF_REFERENCE, OF_NAME, OF_NOTE, OF_PACKETS, OF_PLACE, OF_ALL };

static size_t ask(const struct asked *asked, char *text, size_t size)
{
    const struct gpucode_analysis *analysis = asked->analysed->analysis;
    const struct gpucode_target *target = gpucode_image_info(asked->analysed->image)->target;
    const uint64_t packets[2] = {asked->number * UINT64_C(0x123456789), asked->number};
    switch (asked->which) {
    case OF_FUNCTION:
        return gpucode_analysis_name(analysis, 0, asked->number, text, size);
    case OF_LISTED:
        return gpucode_analysis_listed_name(analysis, asked->outline, 0, asked->number, text, size);
    case OF_REGISTER:
        return gpucode_analysis_register(target, asked->number, asked->number % 2, text, size);
    case OF_REFERENCE:
        return gpucode_analysis_reference_name(analysis, asked->reference, text, size);
    case OF_NAME:
        return gpucode_name_of(target, NULL, GPUCODE_SPACE_GPU, 0x800 + asked->number, text, size);
    case OF_NOTE:
        return gpucode_notes_text(asked->notes, 0, asked->number, text, size);
    case OF_PACKETS:
        return gpucode_analysis_packets(analysis, packets, 1 + asked->number % 5, text, size);
    default:
        return gpucode_outline_near(asked->outline, 0, asked->number, text, size);
    }
}

/* Nothing is written after the end of the room; a text is whole or missing, or cut where its description says so. */
static bool check_room(const struct asked *asked)
{
    static const size_t least[] = {[OF_FUNCTION] = GPUCODE_NAME_MAX,
                                   [OF_LISTED] = GPUCODE_NAME_MAX,
                                   [OF_REGISTER] = GPUCODE_NAME_MAX,
                                   [OF_NAME] = GPUCODE_NAME_MAX,
                                   [OF_REFERENCE] = GPUCODE_NAME_MAX + 1,
                                   [OF_NOTE] = GPUCODE_NOTE_MAX,
                                   [OF_ALL] = 0};
    char whole[2 * GPUCODE_NOTE_MAX], text[2 * GPUCODE_NOTE_MAX];
    size_t length = ask(asked, whole, sizeof whole), enough = least[asked->which];
    assert_true(!length || strlen(whole) == length);
    for (size_t size = 0; size < GPUCODE_NOTE_MAX + 2; size++) {
        memset(text, '!', sizeof text);
        size_t got = ask(asked, text, size);
        for (size_t i = size; i < size + 8; i++)
            assert_int_equal(text[i], '!');
        if (enough) {
            assert_int_equal(got, size < enough ? 0 : length);
            continue;
        }
        assert_int_equal(got, !size ? 0 : length < size ? length : size - 1);
        assert_true(!size || !length || (strlen(text) == got && memcmp(text, whole, got) == 0));
    }
    return length;
}

static bool check_reference(void *user, const struct gpucode_reference *reference)
{
    struct asked *asked = user;
    asked->reference = reference;
    asked->number += check_room(asked);
    return asked->number < 6;
}

static void test_room(void)
{
    struct analysed analysed;
    struct gpucode_outline *outline;
    struct asked asked = {&analysed, NULL, NULL, NULL, OF_REFERENCE, 0};
    analyse_source(&analysed, "afuc:a730",
                   "mov $02, 2\ncall #here\nnop\ncwrite $02, [$02 + 0x100]\ncread $04, [$02 + @IB1_BASE]\nmov $addr, "
                   "CP_SCRATCH[1].REG\nmov $data, $02\nhere: shl $02, $02, 0x10\nret\nnop\nthere: or $02, $02, 0x5\n");
    assert_int_equal(gpucode_outline_create(analysed.image, NULL, &outline), GPUCODE_OK);
    assert_int_equal(gpucode_notes_create(analysed.analysis, &asked.notes), GPUCODE_OK);
    asked.outline = outline;
    assert_int_equal(gpucode_analysis_references(analysed.analysis, check_reference, &asked), GPUCODE_OK);
    assert_true(asked.number);
    for (asked.which = 0; asked.which < OF_ALL; asked.which++) {
        unsigned found = 0;
        for (asked.number = 0; asked.number < 40 && asked.which != OF_REFERENCE; asked.number++)
            found += check_room(&asked);
        if (!found && asked.which != OF_REFERENCE)
            fail_msg("nothing of kind %u", asked.which);
    }
    gpucode_notes_free(asked.notes);
    gpucode_outline_free(outline);
    free_analysed(&analysed);
}

TESTS(references, test_rows, test_room, test_slots, test_register_jumps, test_numbers, test_outside, test_carry,
      test_recursion, test_recursion_selects, test_selected, test_calls, test_memory, test_enough)
