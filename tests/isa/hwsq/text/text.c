/* SPDX-License-Identifier: MIT */
/* The text of HWSQ, both ways: forms, names, numbers, directives, errors, and that every input comes back. */
#include "support.h"

#include <stdio.h>

static const char *const variants[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};

#define BYTES(target, text, ...)                                                                                       \
    do {                                                                                                               \
        static const unsigned char expected_[] = {__VA_ARGS__};                                                        \
        assert_bytes(target, text, expected_, sizeof expected_);                                                       \
    } while (0)

static void assert_text(const char *target, const char *expected, const void *bytes, size_t size)
{
    char *text = listing(target, bytes, size, false);
    assert_string_equal(text, expected);
    free(text);
}

static void one_of_each(void)
{
    static const unsigned char code[] = {0x00, 0x0e, 0x3f, 0xe2, 0x78, 0x56, 0x34, 0x12, 0xe0, 0xd4, 0x02,
                                         0x10, 0x00, 0x42, 0xcd, 0xab, 0x40, 0xd0, 0x02, 0x5f, 0x00, 0x01,
                                         0x5f, 0x04, 0x00, 0x5f, 0x1f, 0x01, 0x90, 0xb0, 0xd0, 0xbf, 0x7f};
    static const char expected[] = "nop\n"
                                   "wait 0x2 shl 0x6\n"
                                   "wait 0x3 shl 0x1e\n"
                                   "data 0x12345678\n"
                                   "addr 0x1002d4\t// PFB.RAMCHIP_CFG.PRECHARGE\n"
                                   "datalo 0xabcd\n"
                                   "addrlo 0x2d0\t// PFB.RAMCHIP_CFG.REFRESH\n"
                                   "ewait #FB_PAUSED 0x1\n"
                                   "ewait #HEAD1_HBLANK 0x0\n"
                                   "ewait 0x1f 0x1\n"
                                   "unset #FB_PAUSE\n"
                                   "set1 #FB_PAUSE\n"
                                   "set0 #FB_PAUSE\n"
                                   "set1 #PBUS_DEBUG_1_UNK27\n"
                                   "exit\n";
    assert_text("hwsq:nv41", expected, code, sizeof code);
    assert_bytes("hwsq:nv41", expected, code, sizeof code);
    assert_round_trip("hwsq:nv41", code, sizeof code);
}

static void columns(void)
{
    static const unsigned char code[] = {0xe2, 1, 2, 3, 4, 0xb0, 0x41};
    char *text = listing("hwsq:nv50", code, sizeof code, true);
    assert_string_equal(text, "00000000: e2 01 02 03 04     data 0x4030201\n"
                              "00000005: b0                 set1 #FB_PAUSE\n"
                              "00000006: 41                 .b8 0x41\t// unknown\n");
    free(text);
}

/* The mark in the first line names the target, and says when the code is larger than its RAM. */
static void mark(void)
{
    unsigned char code[300];
    memset(code, 0x7f, sizeof code);
    char *text = raw_listing("hwsq:g84", code, 300);
    assert_int_equal(strncmp(text, "//! target hwsq:g84 oversize\n", 29), 0);
    free(text);
    text = raw_listing("hwsq:g94", code, 300);
    assert_int_equal(strncmp(text, "//! target hwsq:g94\nexit\n", 25), 0);
    free(text);
    text = raw_listing("hwsq:nv17", code, 0);
    assert_string_equal(text, "//! target hwsq:nv17\n");
    free(text);
    assert_round_trip("hwsq:g84", code, 300);
    assert_round_trip("hwsq:nv17", code, 0);
    assert_round_trip("hwsq:nv17", code, 65);
}

static void lossy_bytes(void)
{
    static const unsigned char code[] = {0x5f, 0x21, 0x00, 0x5f, 0x01, 0x02, 0x43, 0xe0, 0x11};
    assert_text("hwsq:nv50",
                ".b8 0x5f\t// nearly ewait #HEAD0_VBLANK 0x0, with reserved bits\n.b8 0x21\t// operand\n"
                ".b8 0x00\t// operand\n.b8 0x5f\t// nearly ewait #HEAD0_VBLANK 0x0, with reserved bits\n"
                ".b8 0x01\t// operand\n.b8 0x02\t// operand\n.b8 0x43\t// unknown\n"
                ".b8 0xe0\t// cut off: addr\n.b8 0x11\t// cut off\n",
                code, sizeof code);
    assert_round_trip("hwsq:nv50", code, sizeof code);
    /* on nv17 the operands are instructions */
    static const unsigned char poke[] = {0xe0, 0x01, 0x7f, 0x80, 0x02};
    assert_text("hwsq:nv17", ".b8 0xe0\t// unknown\nwait 0x1 shl 0x0\nexit\nunset #GPIO_2_OUT\nwait 0x2 shl 0x0\n",
                poke, 5);
}

/* All first bytes on all variants, with random operands and every cut of them. */
static void every_first_byte(void)
{
    uint64_t seed = 1;
    for (unsigned v = 0; v < 4; v++)
        for (unsigned byte = 0; byte < 256; byte++)
            for (unsigned round = 0; round < 12; round++) {
                unsigned char code[12];
                code[0] = (unsigned char)byte;
                for (unsigned i = 1; i < sizeof code; i++)
                    code[i] = (unsigned char)random_next(&seed);
                if (byte == 0x5f && round & 1) {
                    code[1] &= 31;
                    code[2] &= 1;
                }
                assert_round_trip(variants[v], code, 1 + round % sizeof code);
                assert_round_trip(variants[v], code, sizeof code);
            }
}

static void random_code(void)
{
    uint64_t seed = 2;
    static unsigned char code[4096];
    for (unsigned round = 0; round < 40; round++) {
        size_t size = random_next(&seed) % sizeof code;
        for (size_t i = 0; i < size; i++)
            code[i] = (unsigned char)random_next(&seed);
        assert_round_trip(variants[round % 4], code, size);
    }
}

static void numbers(void)
{
    BYTES("hwsq:nv50", "data 16; data 0x10; data 020; data (1<<31)|3; data 3*5-1;", 0xe2, 16, 0, 0, 0, 0xe2, 16, 0, 0,
          0, 0xe2, 16, 0, 0, 0, 0xe2, 3, 0, 0, 0x80, 0xe2, 14, 0, 0, 0);
    BYTES("hwsq:nv50", "wait 2 shl 4\nwait 0 shl 0\nwait 0 shl 2\nset1 16; ewait 3 1", 0x0a, 0x00, 0x04, 0xb0, 0x5f, 3,
          1);
    assert_refused("hwsq:nv50", "data -1", "out-of-range");
    assert_refused("hwsq:nv50", "data ~0", "out-of-range");
    assert_refused("hwsq:nv50", "datalo 0x10000", "out-of-range");
    assert_refused("hwsq:nv50", "set1 32", "out-of-range");
    assert_refused("hwsq:nv50", "ewait 1 2", "out-of-range");
    assert_refused("hwsq:nv50", "wait 4 shl 0", "out-of-range");
    assert_refused("hwsq:nv50", "wait 1 shl 3", "hwsq-shift");
    assert_refused("hwsq:nv50", "wait 1 shl 32", "hwsq-shift");
    assert_refused("hwsq:nv50", "data 09", "bad-number");
}

static void times(void)
{
    BYTES("hwsq:nv17", "wait 1us; wait 2us; wait 12us; wait 0us; wait 768us; wait 3221225472us", 1, 2, 7, 0, 0x13,
          0x3f);
    assert_refused("hwsq:nv17", "wait 24us", "hwsq-wait-inexact");
    BYTES("hwsq:nv17", "wait 000000000001us", 1); /* as many digits as are read */
    assert_refused("hwsq:nv17", "wait 100000000000us", "hwsq-wait-long");
    assert_refused("hwsq:nv17", "wait 1000000000000us", "bad-number");
    assert_refused("hwsq:nv17", "wait 3221225473us", "hwsq-wait-long");
    assert_refused("hwsq:nv17", "wait ~3221225473us", "hwsq-wait-long");
    struct told told;
    struct gpucode_program *program = assemble("hwsq:nv17", "exit\nwait ~24us\nwait ~16us", &told, false);
    assert_non_null(program);
    assert_memory_equal(gpucode_program_bytes(program), "\x7f\x0a\x09", 3);
    gpucode_program_free(program);
    /* one note, at its place, with what became of it; the exact one says nothing */
    assert_string_equal(told.codes, "hwsq-wait-rounded ");
    assert_string_equal(told.messages, "~24us became 32us (wait 0x2 shl 0x4)\n");
    assert_int_equal(told.line, 2);
    assert_int_equal(told.column, 6);
}

/* Every time from 0 to 5000: exact where it is one, else the nearest longer. */
static void every_time(void)
{
    for (unsigned us = 0; us <= 5000; us++) {
        unsigned best = 0;
        uint64_t best_units = UINT64_MAX;
        for (unsigned opcode = 0; opcode < 64; opcode++) {
            uint64_t units = gpucode_hwsq_wait_units(opcode);
            if (units >= us && units < best_units) {
                best = opcode;
                best_units = units;
            }
        }
        char text[40];
        snprintf(text, sizeof text, "wait ~%uus", us);
        unsigned char code = (unsigned char)best;
        struct told told;
        struct gpucode_program *program = assemble("hwsq:nv41", text, &told, false);
        assert_non_null(program);
        assert_memory_equal(gpucode_program_bytes(program), &code, 1);
        assert_int_equal(told.codes[0] == 0, best_units == us);
        gpucode_program_free(program);
        snprintf(text, sizeof text, "wait %uus", us);
        program = assemble("hwsq:nv41", text, &told, false);
        assert_int_equal(program != NULL, best_units == us);
        gpucode_program_free(program);
    }
}

static void names(void)
{
    BYTES("hwsq:nv50", "ewait #HEAD0_VBLANK 1; ewait #CRTC0_VBLANK 1; ewait #crtc1_hblank 0", 0x5f, 1, 1, 0x5f, 1, 1,
          0x5f, 4, 0);
    BYTES("hwsq:nv50", "ewait #FB_PAUSED 1; ewait #HEAD0_HBLANK 1; ewait #HEAD1_VBLANK 1; ewait #HEAD1_HBLANK 1", 0x5f,
          0, 1, 0x5f, 2, 1, 0x5f, 3, 1, 0x5f, 4, 1);
    BYTES("hwsq:nv50", "ewait #CRTC0_HBLANK 1; ewait #CRTC1_VBLANK 1; ewait #CRTC1_HBLANK 1", 0x5f, 2, 1, 0x5f, 3, 1,
          0x5f, 4, 1);
    BYTES("hwsq:nv17", "UNSET #GPIO_2_OUT; Set1 #gpio_9_oe; SET0 #PWM_0_ENABLE", 0x80, 0xaf, 0xdb);
    BYTES("hwsq:nv50", "addr PBUS.DEBUG_6; addr pbus.hwsq.code[0x2]; addr PBUS.DEBUG_6+4; addrlo PFB.REFCTRL", 0xe0,
          0x98, 0x10, 0, 0, 0xe0, 0x08, 0x14, 0, 0, 0xe0, 0x9c, 0x10, 0, 0, 0x40, 0x10, 0x02);
    BYTES("hwsq:nv50", ".equ #WHERE 0x1000\n.equ MY_FLAG, 16\naddr WHERE+0x98; addr #WHERE; set1 #MY_FLAG", 0xe0, 0x98,
          0x10, 0, 0, 0xe0, 0, 0x10, 0, 0, 0xb0);
    /* names belong to their variants */
    assert_refused("hwsq:g80", "unset #GPIO_2_OUT", "hwsq-unknown-flag");
    assert_refused("hwsq:nv17", "set1 #FB_PAUSE", "hwsq-unknown-flag");
    assert_refused("hwsq:nv50", "ewait #VBLANK 1", "hwsq-unknown-event");
    assert_refused("hwsq:nv50", "addr PFB.NOTHING", "unknown-register");
    assert_refused("hwsq:nv50", "addr PBUS.HWSQ.CODE[0", "expected");
    assert_refused("hwsq:nv50", "addr PFB.", "expected");
    assert_refused("hwsq:nv17", "data 1", "other-generation");
    struct told told;
    assert_null(assemble("hwsq:nv17", "set1 #GPIO_2_OUZ", &told, false));
}

static void separators_and_comments(void)
{
    BYTES("hwsq:nv50", "exit;exit // one ; two\n  exit /* three\n lines */; exit; /+ a /+ b +/ c +/ exit", 0x7f, 0x7f,
          0x7f, 0x7f, 0x7f);
    BYTES("hwsq:nv50", "# a comment\nexit # another\n#comment too\n\texit #FB_PAUSE\nset1 #FB_PAUSE # after", 0x7f,
          0x7f, 0xb0);
    BYTES("hwsq:nv50", "exit", 0x7f);
    BYTES("hwsq:nv50", "exit\r\nexit\r\n// end", 0x7f, 0x7f);
    BYTES("hwsq:nv50", "loop: exit\nexit; other: nop", 0x7f, 0x7f, 0x00);
    assert_refused("hwsq:nv50", "exit\n/* no end", "comment-end");
    assert_refused("hwsq:nv50", "exit\n/+ no /+ end +/", "comment-end");
    assert_refused("hwsq:nv50", "exit exit", "expected");
}

static void directives(void)
{
    BYTES("hwsq:nv50",
          ".b8 1, 2 3; .b16 0x1234; .b32 5; .b64 0x123456789abcdef; .s8 -1; .u8 255; .s16 -2; .b8 -1; .s64 -1", 1, 2, 3,
          0x34, 0x12, 5, 0, 0, 0, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff,
          0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
    BYTES("hwsq:nv50", "exit; .align 4; .size 6; .skip 2; .fill 10", 0x7f, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x7f);
    BYTES("hwsq:nv50", ".section #code 0x40\nhere: exit\n.b8 #here", 0x7f, 0x40);
    BYTES("hwsq:nv50", "a: nop; b: nop; .b8 #b, #end, #b-#a\nend: exit", 0, 0, 1, 5, 1, 0x7f);
    BYTES("hwsq:nv50", ".macro twice what\n \\what\n \\what\n.endm\ntwice set1 16", 0xb0, 0xb0);
    struct gpucode_program *program = assemble("hwsq:nv17", "exit; .fill", NULL, false);
    assert_int_equal(gpucode_program_size(program), 64);
    gpucode_program_free(program);
    assert_refused("hwsq:nv50", ".u8 256", "hwsq-number-width");
    assert_refused("hwsq:nv50", ".u8 -1", "hwsq-number-width");
    assert_refused("hwsq:nv50", ".s8 128", "hwsq-number-width");
    assert_refused("hwsq:nv50", ".b16 0x10000", "hwsq-number-width");
    assert_refused("hwsq:nv50", ".b8 1,", "expected");
    assert_refused("hwsq:nv50", "nop; nop; .size 1", "hwsq-padding");
    assert_refused("hwsq:nv50", "nop; .fill 0", "hwsq-padding");
    /* the shortest label at the end of the text, which begins no comment */
    program = assemble("hwsq:nv17", "n: .fill #n", NULL, false);
    assert_int_equal(gpucode_program_size(program), 0);
    gpucode_program_free(program);
}

/* What makes the reference assembler crash or never return. */
static void crashes_of_the_reference(void)
{
    static const char *const bare[] = {".align", ".size", ".skip", ".section", ".align;",
                                       ".entry", ".b8",   ".equ",  ".macro"};
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
        assert_refused("hwsq:nv50", bare[i], "");
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        struct told told;
        assert_null(assemble("hwsq:nv50", bare[i], &told, false));
    }
    assert_refused("hwsq:nv50", ".align 0", "alignment");
    assert_refused("hwsq:nv50", ".align -4", "alignment");
    assert_refused("hwsq:nv50", ".skip 0x7fffffff", "hwsq-padding");
    assert_refused("hwsq:nv50", ".skip -1", "hwsq-padding");
    assert_refused("hwsq:nv50", ".size 0x7fffffffffffffff", "hwsq-padding");
}

static void entries(void)
{
    struct gpucode_program *program = assemble("hwsq:g94", "exit; .entry 1\nnop; exit\n.entry 3; exit", NULL, false);
    struct gpucode_symbol symbol;
    assert_true(gpucode_program_symbol(program, 0, &symbol));
    assert_string_equal(symbol.name, "entry1");
    assert_int_equal(symbol.unit, 1);
    assert_true(gpucode_program_symbol(program, 1, &symbol));
    assert_string_equal(symbol.name, "entry3");
    assert_int_equal(symbol.unit, 3);
    gpucode_program_free(program);
    assert_refused("hwsq:g94", ".entry 4", "hwsq-entry");
    assert_refused("hwsq:g94", ".entry 1; .entry 1", "duplicate");
    assert_refused("hwsq:nv17", ".skip 64; .entry 1", "hwsq-entry-range");
}

static void size_check(void)
{
    static const struct {
        const char *target;
        unsigned bytes;
    } sizes[] = {{"hwsq:nv17", 0x40}, {"hwsq:nv41", 0x80}, {"hwsq:nv50", 0x100}, {"hwsq:nv92", 0x200},
                 {"hwsq:0x45", 0x40}, {"hwsq:c51", 0x80},  {"hwsq:g86", 0x100},  {"hwsq:gt218", 0x200}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[40];
        snprintf(text, sizeof text, ".skip %u", sizes[i].bytes);
        struct gpucode_program *program = assemble(sizes[i].target, text, NULL, false);
        assert_int_equal(gpucode_program_size(program), sizes[i].bytes);
        gpucode_program_free(program);
        snprintf(text, sizeof text, ".skip %u", sizes[i].bytes + 1);
        assert_refused(sizes[i].target, text, "hwsq-too-large");
        program = assemble(sizes[i].target, text, NULL, true);
        assert_int_equal(gpucode_program_size(program), sizes[i].bytes + 1);
        gpucode_program_free(program);
    }
}

static void targets(void)
{
    static const struct {
        const char *name, *same, *generation;
    } names[] = {
        {"hwsq:g94", "hwsq:g94", "nv92"},     {"hwsq:G94", "hwsq:g94", "nv92"},   {"hwsq:0x94", "hwsq:g94", "nv92"},
        {"hwsq:0x45", "hwsq:nv45", "nv17"},   {"hwsq:0x17", "hwsq:nv17", "nv17"}, {"hwsq:0x41", "hwsq:nv41", "nv41"},
        {"hwsq:g80", "hwsq:g80", "nv50"},     {"hwsq:0x50", "hwsq:g80", "nv50"},  {"hwsq:g92", "hwsq:g92", "nv92"},
        {"hwsq:NV44A", "hwsq:nv44a", "nv41"}, {"hwsq:rsx", "hwsq:rsx", "nv41"},   {"hwsq:0xA0", "hwsq:g200", "nv92"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct gpucode_target *target = gpucode_target_find(names[i].name);
        if (!target)
            fail_msg("%s", names[i].name);
        assert_string_equal(gpucode_target_name(target), names[i].same);
        assert_string_equal(gpucode_target_generation(target), names[i].generation);
        assert_int_equal(gpucode_target_unit_bytes(target), 1);
    }
    static const char *const none[] = {"hwsq:nv2a", "hwsq:0x2a", "hwsq:nv20", "hwsq:gf100", "hwsq:0xc0",  "hwsq:nv11",
                                       "hwsq:0x",   "hwsq:",     "hwsq",      "hwsq:0x145", "hwsq:0x45 ", "hwsq:94"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(gpucode_target_find(none[i]));
    assert_null(gpucode_hwsq_target(0x2a));
    struct gpucode_hwsq_facts facts;
    assert_true(gpucode_hwsq_facts(gpucode_target_find("hwsq:g98"), &facts));
    assert_string_equal(facts.chipset, "G98");
    assert_int_equal(facts.id, 0x98);
    assert_int_equal(facts.window, 0x80000);
    assert_int_equal(facts.slots, 1);
    assert_false(gpucode_hwsq_facts(gpucode_target_find("afuc:a630"), &facts));
}

/* Without a target nothing is guessed, and the error lists targets. */
static void no_target(void)
{
    static const unsigned char code[] = {0xb0, 0x7f};
    struct told told;
    struct gpucode_image_options options = {.on_diagnostic = told_handler(&told)};
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(code, sizeof code, &options, &image), GPUCODE_ERROR_INPUT);
    assert_string_equal(told.codes, "image-unknown ");
    assert_null(assemble(NULL, "exit", &told, false));
    assert_string_equal(told.codes, "no-target ");
    BYTES(NULL, ".target hwsq:g94\nexit", 0x7f);
}

TESTS(text, one_of_each, columns, mark, lossy_bytes, every_first_byte, random_code, numbers, times, every_time, names,
      separators_and_comments, directives, crashes_of_the_reference, entries, size_check, targets, no_target)
