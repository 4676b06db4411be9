/* SPDX-License-Identifier: MIT */
/* Every example of the AFUC manual, with the outcome that the manual states. */
#include "program.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void alu_forms(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "mov $03, 0x7\n"
                "add $02, $03, 0x1234\n" /* src2 is an immediate */
                "add $04, $02, $03\n"    /* src2 is a register */
                "not $05, $03\n"
                "not $06, 0x1234\n"
                "mov $07, 0x1234 << 2\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$02"), 0x123b);
    assert_int_equal(rig_get(&rig, "$04"), 0x1242);
    assert_int_equal(rig_get(&rig, "$05"), 0xfffffff8);
    assert_int_equal(rig_get(&rig, "$06"), 0xffffedcb);
    assert_int_equal(rig_get(&rig, "$07"), 0x48d0);
    rig_free(&rig);
}

/* What each computes, of two registers and with an immediate; `carry`: 1 after a sum that carries, 2 after a borrow. */
static void alu_values(void)
{
    enum { A5 = 1, A6 = 2, A7 = 4, G8 = 8, ALL = 15 };
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    static const struct {
        const char *name;
        unsigned generations, carry;
        uint32_t a, b, result;
    } cases[] = {
        {"add", ALL, 0, 0x12345678, 0x1234, 0x123468ac},
        {"add", ALL, 1, 0xffffffff, 0x2, 0x1},
        {"addhi", ALL, 0, 0x12340000, 0x21, 0x12340021},
        {"addhi", ALL, 1, 0x12340000, 0x21, 0x12340022},
        {"sub", ALL, 0, 0x12345678, 0x5679, 0x1233ffff},
        {"subhi", ALL, 0, 0x12340000, 0x1, 0x1233ffff},
        {"subhi", ALL, 2, 0x12340000, 0x1, 0x1233fffe},
        {"and", ALL, 0, 0x12345678, 0xff0f, 0x5608},
        {"or", ALL, 0, 0x12345678, 0xff0f, 0x1234ff7f},
        {"xor", ALL, 0, 0x12345678, 0xff0f, 0x1234a977},
        {"shl", ALL, 0, 0x12345678, 5, 0x468acf00},
        {"ushr", ALL, 0, 0x92345678, 4, 0x09234567},
        {"ishr", ALL, 0, 0x92345678, 4, 0xf9234567},
        {"ishr", ALL, 0, 0x72345678, 4, 0x07234567},
        {"rot", ALL, 0, 0x12345678, 8, 0x34567812},
        {"mul8", A5 | A6 | A7, 0, 0x12345678, 0x1203, 0x168},
        {"mul16", G8, 0, 0x12340102, 0x203, 0x20706},
        {"min", ALL, 0, 0x92345678, 0x1234, 0x1234},
        {"min", ALL, 0, 0x12, 0x1234, 0x12},
        {"max", ALL, 0, 0x92345678, 0x1234, 0x92345678},
        {"max", ALL, 0, 0x12, 0x1234, 0x1234},
        {"cmp", ALL, 0, 0x92345678, 0x1234, 0},
        {"cmp", ALL, 0, 0x1234, 0x1234, 0x2b},
        {"cmp", ALL, 0, 0x12, 0x1234, 0x1e},
        {"not", ALL, 0, 0, 0xff0f, 0xffff00f0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned g = 0; g < 4; g++) {
            if (!(cases[i].generations >> g & 1))
                continue;
            bool one = strcmp(cases[i].name, "not") == 0; /* one source */
            struct rig rig;
            char text[400];
            const char *before = cases[i].carry == 1   ? "add $0c, $0a, $0a" /* carries */
                                 : cases[i].carry == 2 ? "sub $0c, $00, 0x1" /* borrows */
                                                       : "add $0c, $00, $00";
            snprintf(text, sizeof text,
                     "mov $02, 0x%x << 16\nor $02, $02, 0x%x\nmov $03, 0x%x\nmov $0a, 0xffff << 16\n"
                     "%s\n%s $05, %s$03\n%s\n%s $06, %s0x%x\n",
                     cases[i].a >> 16, cases[i].a & 0xffff, cases[i].b, before, cases[i].name, one ? "" : "$02, ",
                     before, cases[i].name, one ? "" : "$02, ", cases[i].b);
            program_run(&rig, heads[g], text, NULL, 0);
            if (rig_get(&rig, "$05") != cases[i].result || rig_get(&rig, "$06") != cases[i].result)
                fail_msg("%s, case %u, generation %u: 0x%x of registers and 0x%x, not 0x%x", cases[i].name, i, g,
                         rig_get(&rig, "$05"), rig_get(&rig, "$06"), cases[i].result);
            rig_free(&rig);
        }
}

/* Pairs compute with 64 bits: 0x1ffffffff + 0x200000001 and back. */
static void alu_pairs(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++) {
        struct rig rig;
        program_run(&rig, heads[g],
                    "not $02, 0x0\nmov $03, 0x1\nmov $04, 0x1\nmov $05, 0x2\n"
                    "add $06, $02, $04\naddhi $07, $03, $05\nsub $08, $06, $04\nsubhi $09, $07, $05\n"
                    "add $0a, $02, 0x1\naddhi $0b, $03, 0x2\nsub $0c, $0a, 0x1\nsubhi $0d, $0b, 0x2\n",
                    NULL, 0);
        static const uint32_t values[] = {0, 4, UINT32_MAX, 1, 0, 4, UINT32_MAX, 1};
        for (unsigned i = 0; i < 8; i++) {
            uint32_t value;
            gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GENERAL, 6 + i, &value);
            assert_int_equal(value, values[i]);
        }
        rig_free(&rig);
    }
}

static void zero_register(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "mov $00, 0x7\nmov $02, $00\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$00"), 0);
    assert_int_equal(rig_get(&rig, "$02"), 0);
    assert_int_equal(rig_get(&rig, "$03"), 0);
    rig_free(&rig);
}

/* What a processor has of its own: registers. Nothing of it is memory; that is the GPU's, and the same for all of them.
 */
static void registers_alone(void)
{
    static const char *const kinds[] = {"general", "control", "SQE", "pipe", "GPU", "packet table"};
    struct rig rig;
    struct gpucode_space_info info;
    unsigned found = 0;
    uint32_t own = 0;
    program_run(&rig, A6XX, "mov $02, 0x10 << 16\nmov $03, 0x7\nstore $03, [$02 + 0x4]\n", NULL, 0);
    for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++) {
        if (!gpucode_machine_space(rig.machine, space, &info))
            continue;
        bool known = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            known |= strcmp(info.name, kinds[i]) == 0;
        if (!known)
            fail_msg("'%s' is no kind of register", info.name);
        found++;
        own += info.shared ? 0 : info.count;
    }
    assert_true(found >= 4 && own < 0x10000);
    unsigned char word[4];
    assert_int_equal(gpucode_machine_load(rig.machine, 0x100004, word, 4), GPUCODE_OK); /* the GPU's memory */
    assert_int_equal(word[0], 7);
    rig_free(&rig);
}

static void cmp_values(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "mov $02, 0x5\ncmp $03, $02, 0x4\ncmp $04, $02, 0x5\ncmp $05, $02, 0x6\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$03"), 0x00);
    assert_int_equal(rig_get(&rig, "$04"), 0x2b);
    assert_int_equal(rig_get(&rig, "$05"), 0x1e);
    rig_free(&rig);
}

/* `breq $04, b1` after cmp branches on less or equal; b2 says less, b0 equal, and brne the opposite of each. */
static void cmp_and_branch(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++)
        for (uint32_t value = 4; value <= 6; value++) {
            struct rig rig;
            char text[400];
            snprintf(text, sizeof text,
                     "mov $02, 0x%x\nmov $03, 0x5\ncmp $04, $02, $03\nbreq $04, b1, #a\nnop\nor $05, $05, 0x1\n"
                     "a: breq $04, b2, #b\nnop\nor $05, $05, 0x2\nb: breq $04, b0, #c\nnop\nor $05, $05, 0x4\n"
                     "c: brne $04, b1, #d\nnop\nor $05, $05, 0x8\nd: brne $04, b2, #e\nnop\nor $05, $05, 0x10\n"
                     "e: brne $04, b0, #f\nnop\nor $05, $05, 0x20\nf:\n",
                     value);
            program_run(&rig, heads[g], text, NULL, 0);
            assert_int_equal(rig_get(&rig, "$05"),
                             (value <= 5 ? 8 : 1) | (value < 5 ? 0x10 : 2) | (value == 5 ? 0x20 : 4));
            rig_free(&rig);
        }
}

/* Branches on a bit and on a value. */
static void branch_forms(void)
{
    for (uint32_t value = 0; value < 16; value++) {
        struct rig rig;
        char text[400];
        snprintf(text, sizeof text,
                 "mov $02, 0x%x\n"
                 "breq $02, b3, #a\nnop\nor $05, $05, 0x1\na: breq $02, 0x3, #b\nnop\nor $05, $05, 0x2\n"
                 "b: brne $02, b3, #c\nnop\nor $05, $05, 0x4\nc: brne $02, 0x3, #d\nnop\nor $05, $05, 0x8\nd:\n",
                 value);
        program_run(&rig, A6XX, text, NULL, 0);
        uint32_t expected = (value & 8 ? 0 : 1) | (value == 3 ? 0 : 2) | (value & 8 ? 4 : 0) | (value == 3 ? 8 : 0);
        assert_int_equal(rig_get(&rig, "$05"), expected);
        rig_free(&rig);
    }
}

/* What stands after a branch runs, whether it is taken or not, and after a jump, which always is; backwards, too. */
static void branch_slots(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++)
        for (uint32_t value = 2; value < 4; value++) {
            struct rig rig;
            char text[500];
            snprintf(text, sizeof text,
                     "mov $02, 0x%x\n"
                     "breq $02, 0x3, #a\nor $06, $06, 0x1\nor $05, $05, 0x1\na: brne $02, 0x3, #b\nor $06, $06, 0x2\n"
                     "or $05, $05, 0x2\nb: breq $02, b0, #c\nor $06, $06, 0x4\nor $05, $05, 0x4\n"
                     "c: brne $02, b0, #d\nor $06, $06, 0x8\nor $05, $05, 0x8\n"
                     "d: jump #f\nor $06, $06, 0x10\ne: jump #g\nor $06, $06, 0x20\nor $05, $05, 0x10\n"
                     "f: jump #e\nor $06, $06, 0x40\nor $05, $05, 0x20\ng:\n",
                     value);
            program_run(&rig, heads[g], text, NULL, 0);
            assert_int_equal(rig_get(&rig, "$06"), 0x7f);
            assert_int_equal(rig_get(&rig, "$05"), value == 3 ? 0xa : 0x5);
            rig_free(&rig);
        }
    /* a jump is a branch on a bit of $00, which is 0 */
    struct gpucode_insn jump, branch;
    const struct gpucode_target *target = gpucode_target_find("afuc:a6xx");
    assert_int_equal(gpucode_parse(target, "jump #l5", 8, NULL, &jump), GPUCODE_OK);
    assert_int_equal(gpucode_parse(target, "brne $00, b0, #l5", 17, NULL, &branch), GPUCODE_OK);
    assert_int_equal(jump.bits, branch.bits);
}

static void dense_switch(void)
{
    for (uint32_t value = 1; value <= 4; value++) {
        struct rig rig;
        char text[400];
        snprintf(text, sizeof text,
                 "mov $02, 0x%x\n"
                 "breq $02, 0x1, #foo\nbreq $02, 0x2, #bar\nbreq $02, 0x3, #baz\nnop\njump #default\nnop\n"
                 "foo: jump #end\nmov $05, 0x11\nbar: jump #end\nmov $05, 0x22\nbaz: jump #end\nmov $05, 0x33\n"
                 "default: mov $05, 0x44\nend:\n",
                 value);
        program_run(&rig, A6XX, text, NULL, 0);
        assert_int_equal(rig_get(&rig, "$05"), 0x11 * value);
        rig_free(&rig);
    }
}

static void double_jump(void)
{
    for (uint32_t value = 1; value <= 2; value++) {
        struct rig rig;
        char text[300];
        snprintf(text, sizeof text,
                 "mov $02, 0x%x\nbreq $02, 0x1, #foo\nbrne $02, 0x1, #bar\nnop\nmov $05, 0x99\n"
                 "foo: jump #end\nmov $05, 0x1\nbar: mov $05, 0x2\nend:\n",
                 value);
        program_run(&rig, A6XX, text, NULL, 0);
        assert_int_equal(rig_get(&rig, "$05"), value);
        rig_free(&rig);
    }
}

static void call_and_return(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "call #f\nmov $02, 0x1\njump #end\nmov $05, 0x5\n"
                "f: call #g\nmov $03, 0x2\nret\nmov $06, 0x6\ng: ret\nmov $04, 0x3\nend:\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$02"), 1);
    assert_int_equal(rig_get(&rig, "$03"), 2);
    assert_int_equal(rig_get(&rig, "$04"), 3);
    assert_int_equal(rig_get(&rig, "$05"), 5);
    assert_int_equal(rig_get(&rig, "$06"), 6);
    assert_int_equal(rig_get(&rig, "%SP"), 0);
    assert_int_equal(rig_get(&rig, "%STACK0"), 4); /* where the first call returned to */
    rig_free(&rig);
    /* nothing else goes to that stack: bl leaves its return address in a register */
    program_run(&rig, A7XX, "bl #f\nmov $02, 0x1\njump #end\nnop\nf: sret\nmov $03, 0x2\nend:\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$02"), 1);
    assert_int_equal(rig_get(&rig, "$03"), 2);
    assert_int_equal(rig_get(&rig, "%SP"), 0);
    assert_int_equal(rig_get(&rig, "%STACK0"), 0);
    rig_free(&rig);
}

/* sread and swrite reach the entries of the stack of calls: a changed entry changes where a return goes. */
static void stack_registers(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "call #f\nmov $02, 0x1\njump #end\nmov $05, 0x5\nother: jump #end\nmov $06, 0x6\n"
                "f: sread $03, [$00 + %SP]\nsread $04, [$00 + %STACK0]\nmov $07, #other\n"
                "swrite $07, [$00 + %STACK0]\nret\nmov $08, 0x8\nend:\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$03"), 1);
    assert_int_equal(rig_get(&rig, "$04"), 4);
    assert_int_equal(rig_get(&rig, "$05"), 0);
    assert_int_equal(rig_get(&rig, "$06"), 6);
    assert_int_equal(rig_get(&rig, "$08"), 8);
    assert_int_equal(rig_get(&rig, "%SP"), 0);
    assert_int_equal(rig_get(&rig, "%STACK0"), 6);
    rig_free(&rig);
}

static void nop_payload(void)
{
    static const struct {
        const char *head, *words;
    } cases[] = {{A5XX, "[00abcdef]\n[00000000]\n[00000005]\n"}, /* zeros above the 24 bits */
                 {A6XX, "[01abcdef]\n[00000005]\n"},             /* 01 */
                 {A7XX, "[01abcdef]\n[01000000]\n"},
                 {GEN8, "[01abcdef]\n[01000000]\n"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        char text[100];
        snprintf(text, sizeof text, "%smov $02, 0x1\n", cases[i].words);
        program_run(&rig, cases[i].head, text, NULL, 0);
        assert_int_equal(rig_get(&rig, "$02"), 1);
        rig_free(&rig);
    }
    /* where a word of zeros is a fault, as the manual has it from a6xx on, it is none on a5xx */
    static const struct gpucode_setting fault[] = {{"afuc-zero", "fault"}, {NULL, NULL}};
    for (unsigned i = 0; i < 3; i++) {
        struct rig rig;
        program_make(&rig, cases[i].head, "[00000000]\nmov $02, 0x1\n", NULL, 0, fault);
        assert_int_equal(rig_run(&rig, 1000), i ? GPUCODE_STOP_UNKNOWN : GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, "$02"), !i);
        rig_free(&rig);
    }
}

/* The manual's sequence for CP_INDIRECT_BUFFER, here for both levels on a6xx. */
static void indirect_buffer_registers(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "mov $02, $data\nmov $03, $data\nmov $04, $data\nmov $12, 0x1\n"
                "and $05, $12, 0x3\nshl $05, $05, 0x2\n"
                "cwrite $02, [$05 + @IB1_BASE]\ncwrite $03, [$05 + @IB1_BASE+0x1]\ncwrite $04, [$05 + @IB1_DWORDS]\n",
                WORDS(0x1000, 0x2, 0x30));
    assert_int_equal(rig_get(&rig, "@IB2_BASE"), 0x1000);
    assert_int_equal(rig_get(&rig, "@IB2_BASE+0x1"), 2);
    assert_int_equal(rig_get(&rig, "@IB2_DWORDS"), 0x30);
    rig_free(&rig);
}

/* cread and cwrite: the base and the offset are added, ! keeps the sum in the base, $00 is no base at all; the next
 * instruction sees what was written. */
static void control_registers(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++) {
        struct rig rig;
        program_run(&rig, heads[g],
                    "mov $02, 0x100\nmov $03, 0x77\nmov $04, 0x88\n"
                    "cwrite $03, [$02 + 0x021]\ncread $05, [$00 + 0x121]\n" /* the base stays */
                    "cwrite $04, [$02 + 0x022]!\ncread $06, [$02 + 0x000]\n"
                    "cread $07, [$00 + 0x121]\n",
                    NULL, 0);
        assert_int_equal(rig_get(&rig, "$05"), 0x77);
        assert_int_equal(rig_get(&rig, "$06"), 0x88);
        assert_int_equal(rig_get(&rig, "$07"), 0x77);
        assert_int_equal(rig_get(&rig, "$02"), 0x122);
        assert_int_equal(rig_get(&rig, "$00"), 0);
        rig_free(&rig);
        program_run(&rig, heads[g],
                    "mov $02, 0x100\nmov $03, 0x77\ncwrite $03, [$00 + 0x123]\n"
                    "cread $04, [$02 + 0x023]!\ncread $05, [$02 + 0x000]!\ncwrite $03, [$02 + 0x002]!\n",
                    NULL, 0);
        assert_int_equal(rig_get(&rig, "$04"), 0x77);
        assert_int_equal(rig_get(&rig, "$05"), 0x77);
        assert_int_equal(rig_get(&rig, "$02"), 0x125);
        rig_free(&rig);
    }
}

/* Writes through $addr and $data step the register, bit 18 holds it. */
static void write_registers(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "mov $03, 0x33\nmov $04, 0x44\n"
                "mov $addr, 0x885\nmov $data, $03\nmov $data, $04\n"
                "mov $02, 0x4 << 16\nor $addr, $02, 0x900\nmov $data, $03\nmov $data, $04\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "CP_SCRATCH[2].REG"), 0x33);
    assert_int_equal(rig_get(&rig, "CP_SCRATCH[3].REG"), 0x44);
    assert_int_equal(rig_get(&rig, "0x900"), 0x44);
    assert_int_equal(rig_get(&rig, "0x901"), 0);
    assert_int_equal(rig_get(&rig, "$addr"), 0x40900);
    rig_free(&rig);
}

/* a5xx: the same register reads what it wrote, and $17 chooses the bank. */
static void a5xx_registers(void)
{
    struct rig rig;
    program_run(&rig, A5XX,
                "mov $03, 0x33\nmov $04, 0x44\nmov $addr, 0xb7a\nmov $data, $03\nmov $data, $04\n"
                "mov $addr, 0xb7a\nmov $05, $regdata\nmov $06, $regdata\n"
                "mov $17, 0x800\nor $addr, $17, 0xe100\nmov $data, $03\nmov $addr, 0xe100\nmov $data, $04\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$05"), 0x33);
    assert_int_equal(rig_get(&rig, "$06"), 0x44);
    assert_int_equal(rig_get(&rig, "0xe900"), 0x33);
    assert_int_equal(rig_get(&rig, "0xe100"), 0x44);
    rig_free(&rig);
    /* from a6xx on $regdata reads what was asked for, not what $addr selects */
    program_run(&rig, A6XX,
                "mov $03, 0x33\nmov $04, 0x44\nmov $addr, 0x900\nmov $data, $03\nmov $data, $04\n"
                "mov $02, 0x901\ncwrite $02, [$00 + @REG_READ_ADDR]\nmov $addr, 0x900\nmov $05, $regdata\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$05"), 0x44);
    rig_free(&rig);
}

/* PFP of a5xx: registers through control registers, with the flags of old texts. */
static void a5xx_direct_write(void)
{
    struct rig rig;
    program_run(&rig, A5XX,
                "mov $0c, 0xb7f\nmov $02, 0x789a\n"
                "cwrite $0c, [$00 + @REG_WRITE_ADDR], 0x8\ncwrite $02, [$00 + @REG_WRITE], 0x8\n"
                "cwrite $0c, [$00 + @REG_WRITE], 0x8\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "CP_SCRATCH[7].REG"), 0x789a);
    uint32_t number;
    unsigned space;
    assert_true(gpucode_machine_find(rig.machine, "CP_SCRATCH[7].REG", &space, &number));
    assert_int_equal(rig_get(&rig, "@REG_WRITE_ADDR"), number + 2);
    rig_free(&rig);
}

/* a5xx: memory through CP_ME_NRT registers, both ways. */
static void a5xx_memory(void)
{
    struct rig rig;
    program_run(&rig, A5XX,
                "mov $02, 0x20 << 16\nmov $03, 0x0\nmov $04, 0x44\nmov $05, 0x55\n"
                "mov $addr, 0x80d\nmov $data, $02\nmov $data, $03\n"
                "mov $addr, 0x810\nmov $data, $04\nmov $data, $05\n"
                "mov $addr, 0x80d\nmov $data, $02\nmov $data, $03\n"
                "mov $06, $memdata\nmov $07, $memdata\n",
                NULL, 0);
    assert_int_equal(rig_peek(&rig, 0x200000), 0x44);
    assert_int_equal(rig_peek(&rig, 0x200004), 0x55);
    assert_int_equal(rig_get(&rig, "$06"), 0x44);
    assert_int_equal(rig_get(&rig, "$07"), 0x55);
    rig_free(&rig);
}

/* Clears control scratch: the first write goes to 0x100, because the step comes before. */
static void rep_clears_scratch(void)
{
    struct rig rig;
    program_make(&rig, A6XX, "mov $rem, 0x80\nmov $03, 0xff\n(rep)cwrite $00, [$03 + 0x001]!\n", NULL, 0, NULL);
    for (unsigned i = 0xff; i <= 0x180; i++)
        gpucode_machine_write(rig.machine, 0, GPUCODE_SPACE_CONTROL, i, 7);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    for (unsigned i = 0xff; i <= 0x180; i++) {
        uint32_t value;
        assert_int_equal(gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_CONTROL, i, &value), GPUCODE_OK);
        assert_int_equal(value, i == 0xff || i == 0x180 ? 7 : 0);
    }
    assert_int_equal(rig_get(&rig, "$rem"), 0);
    assert_int_equal(rig_get(&rig, "$03"), 0x17f);
    rig_free(&rig);
}

/* (rep): $rem times, which counts down to 0, with computing instructions and with control registers; not once when it
 * is 0; with a read of the packet, that counts instead, to its end. */
static void rep_counts(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++) {
        struct rig rig;
        program_run(&rig, heads[g],
                    "(rep)mov $02, $data\nmov $03, $rem\nmov $rem, 0x3\n(rep)add $04, $04, 0x2\nmov $05, $rem\n"
                    "mov $06, 0x100\nmov $07, 0x9\nmov $rem, 0x2\n(rep)cwrite $07, [$06 + 0x1]!\n"
                    "mov $08, 0x100\nmov $rem, 0x2\n(rep)cread $09, [$08 + 0x1]!\n"
                    "mov $rem, 0x0\n(rep)add $0a, $0a, 0x1\nmov $rem, 0x1\n(rep)add $0b, $0b, 0x1\n",
                    WORDS(5, 6, 7));
        assert_int_equal(rig_get(&rig, "$02"), 7);
        assert_int_equal(rig_get(&rig, "$03"), 0);
        assert_int_equal(rig_get(&rig, "$04"), 6);
        assert_int_equal(rig_get(&rig, "$05"), 0);
        assert_int_equal(rig_get(&rig, "$06"), 0x102);
        assert_int_equal(rig_get(&rig, "@0x101"), 9);
        assert_int_equal(rig_get(&rig, "@0x102"), 9);
        assert_int_equal(rig_get(&rig, "$08"), 0x102);
        assert_int_equal(rig_get(&rig, "$09"), 9);
        assert_int_equal(rig_get(&rig, "$0a"), 0);
        assert_int_equal(rig_get(&rig, "$0b"), 1);
        rig_free(&rig);
    }
}

static bool sees_write(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    (void)event;
    ++*(unsigned *)user;
    return false;
}

/* Repetitions among general registers are the same whether somebody watches them, and so each is told, or not. */
static void rep_in_registers(void)
{
    static const struct {
        const char *text, *reg;
        uint32_t value;
        unsigned writes;
    } cases[] = {
        {"(rep)add $05, $05, 0x3", "$05", 3 * 40000, 80001},
        {"(rep)add $05, $06, $rem", "$05", 1, 80001},                /* the last one's */
        {"(rep)add $05, $06, 0x7", "$05", 7, 80001},                 /* the same each time */
        {"(rep)addhi $05, $05, $05", "$05", 0, 80001},               /* with the carry that is there */
        {"(rep)xor $05, $05, 0x1", "$05", 0, 80001},                 /* an even number */
        {"(rep)add $00, $05, 0x1", "$05", 0, 40001},                 /* nowhere */
        {"(rep)sub $rem, $05, 0x1\nmov $05, $rem", "$05", 0, 40002}, /* the count wins */
    };
    for (unsigned i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        char text[100];
        unsigned seen = 0;
        snprintf(text, sizeof text, "mov $rem, 0x9c40\n%s\n", cases[i / 2].text);
        program_make(&rig, A6XX, text, NULL, 0, NULL);
        if (i % 2)
            gpucode_machine_hook(rig.machine, GPUCODE_EVENT_WRITE, sees_write, &seen);
        assert_int_equal(rig_run(&rig, 1000000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_get(&rig, cases[i / 2].reg), cases[i / 2].value);
        assert_int_equal(rig_get(&rig, "$rem"), 0);
        assert_int_equal(seen, i % 2 ? cases[i / 2].writes : 0); /* the count's too, and what writes it before */
        rig_free(&rig);
    }
}

/* (xmovN) takes min(N, words left) extra words. */
static void xmov_counts(void)
{
    static const uint32_t payload[] = {0x11, 0x22, 0x33, 0x44, 0x55};
    for (unsigned n = 1; n <= 3; n++) {
        for (unsigned words = 1; words <= 5; words++) {
            struct rig rig;
            char text[200];
            /* the main move has taken one word; what is left over is dropped */
            snprintf(text, sizeof text,
                     "mov $addr, 0x900\n(xmov%u)mov $data, $data\nmov $05, $rem\n(rep)mov $00, $data\nmov $06, 0x66\n",
                     n);
            program_run(&rig, A6XX, text, payload, words);
            assert_int_equal(rig_get(&rig, "$06"), 0x66); /* it does not wait for more than there is */
            unsigned moves = n < words - 1 ? n : words - 1;
            assert_int_equal(rig_get(&rig, "$05"), words - 1 - moves);
            for (unsigned i = 0; i < 5; i++) {
                uint32_t value;
                gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GPU, 0x900 + i, &value);
                assert_int_equal(value, i <= moves ? payload[i] : 0);
            }
            rig_free(&rig);
        }
    }
}

/* Extra moves are dropped when the destination is an ordinary register. */
static void xmov_discards(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "mov $addr, 0x900\n(xmov3)mov $02, $data\n", WORDS(1, 2, 3, 4));
    assert_int_equal(rig_get(&rig, "$02"), 1);
    assert_int_equal(rig_get(&rig, "0x900"), 0);
    assert_int_equal(rig_get(&rig, "$rem"), 0);
    rig_free(&rig);
}

/* $rem as destination: the extra words are counted before it is written, and under (rep) the write is lost. */
static void rem_written(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "(xmov1)mov $rem, $data\nmov $05, $rem\n", WORDS(0x12)); /* no second word: none wanted */
    assert_int_equal(rig_get(&rig, "$05"), 0x12);
    rig_free(&rig);
    program_run(&rig, A6XX, "(xmov1)mov $rem, $data\nmov $05, $rem\nmov $06, $data\n", WORDS(5, 0x77, 0x88));
    assert_int_equal(rig_get(&rig, "$05"), 4);
    assert_int_equal(rig_get(&rig, "$06"), 0x88);
    rig_free(&rig);
    program_run(&rig, A6XX, "(xmov2)mov $rem, $03\nmov $05, $rem\nmov $rem, 0x2\n(rep)mov $00, $data\n", WORDS(1, 2));
    assert_int_equal(rig_get(&rig, "$05"), 0);
    rig_free(&rig);
    program_run(&rig, A6XX, "(rep)mov $rem, $data\nmov $05, $rem\n", WORDS(9, 9, 9));
    assert_int_equal(rig_get(&rig, "$05"), 0);
    rig_free(&rig);
    program_run(&rig, A6XX, "(rep)cread $rem, [$00 + 0x301]\nmov $rem, 0x2\n(rep)mov $00, $data\n", WORDS(1, 2));
    rig_free(&rig);
}

/* A write to IB_LEVEL between the words of one instruction: the queue it goes on with is empty. */
static void queue_moved_away(void)
{
    struct rig rig;
    program_stops(&rig, A6XX, "(sds1)cwrite $data, [$00 + @IB_LEVEL]\n", WORDS(1, 2), GPUCODE_STOP_FAULT,
                  "afuc-queue-dry");
    rig_free(&rig);
}

/* CP_CONTEXT_REG_BUNCH in one instruction, with one to four pairs. */
static void register_bunch(void)
{
    static const uint32_t payload[] = {0x900, 0x11, 0x910, 0x22, 0x920, 0x33, 0x930, 0x44};
    for (unsigned pairs = 1; pairs <= 4; pairs++) {
        struct rig rig;
        program_run(&rig, A6XX, "(rep)(xmov3)mov $usraddr, $data\n", payload, 2 * pairs);
        for (unsigned i = 0; i < 4; i++) {
            uint32_t value;
            gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GPU, 0x900 + 0x10 * i, &value);
            assert_int_equal(value, i < pairs ? payload[2 * i + 1] : 0);
        }
        rig_free(&rig);
    }
}

/* (xmov1) without (rep): two words to two registers. */
static void xmov_two_words(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "mov $addr, 0x900\n(xmov1)mov $data, $data\n", WORDS(5, 6));
    assert_int_equal(rig_get(&rig, "0x900"), 5);
    assert_int_equal(rig_get(&rig, "0x901"), 6);
    rig_free(&rig);
}

/* CP_SET_DRAW_STATE in one instruction: two groups of three words. */
static void set_draw_state(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "(rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\n"
                "cread $02, [$00 + @DRAW_STATE_ACTIVE_BITMASK]\n"
                "mov $03, 0x1\ncwrite $03, [$00 + @DRAW_STATE_SEL]\n"
                "cread $04, [$00 + @DRAW_STATE_HDR]\ncread $05, [$00 + @DRAW_STATE_BASE]\n"
                "cread $06, [$00 + @DRAW_STATE_BASE+0x1]\n",
                WORDS(0x00700002, 0x00200000, 0, 0x01700003, 0x00201000, 0x5));
    assert_int_equal(rig_get(&rig, "$02"), 3);
    assert_int_equal(rig_get(&rig, "$04"), 0x70003);
    assert_int_equal(rig_get(&rig, "$05"), 0x201000);
    assert_int_equal(rig_get(&rig, "$06"), 5);
    assert_int_equal(rig_get(&rig, "$rem"), 0);
    rig_free(&rig);
}

/* SDS_BASE and SDS_DWORDS are kept for each group: selecting another one shows that one's, and coming back the first's.
 */
static void set_draw_state_queue(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "mov $02, 0x1\nmov $03, 0x111\nmov $04, 0x222\nmov $05, 0x33\nmov $06, 0x444\n"
                "cwrite $02, [$00 + @DRAW_STATE_SEL]\n"
                "cwrite $03, [$00 + @SDS_BASE]\ncwrite $04, [$00 + @SDS_BASE+0x1]\ncwrite $05, [$00 + @SDS_DWORDS]\n"
                "mov $02, 0x2\ncwrite $02, [$00 + @DRAW_STATE_SEL]\n"
                "cread $07, [$00 + @SDS_BASE]\ncread $08, [$00 + @SDS_BASE+0x1]\ncread $09, [$00 + @SDS_DWORDS]\n"
                "cwrite $06, [$00 + @SDS_BASE]\n"
                "mov $02, 0x1\ncwrite $02, [$00 + @DRAW_STATE_SEL]\n"
                "cread $0a, [$00 + @SDS_BASE]\ncread $0b, [$00 + @SDS_BASE+0x1]\ncread $0c, [$00 + @SDS_DWORDS]\n"
                "mov $02, 0x2\ncwrite $02, [$00 + @DRAW_STATE_SEL]\ncread $0d, [$00 + @SDS_BASE]\n",
                NULL, 0);
    static const uint32_t values[] = {0, 0, 0, 0x111, 0x222, 0x33, 0x444};
    for (unsigned i = 0; i < 7; i++) {
        uint32_t value;
        gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GENERAL, 7 + i, &value);
        assert_int_equal(value, values[i]);
    }
    rig_free(&rig);
}

/* With other control registers (sdsN) reads the source N more times and drops it. */
static void sds_elsewhere(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "(sds2)cwrite $data, [$00 + 0x150]\nmov $02, $data\n", WORDS(1, 2, 3, 4));
    assert_int_equal(rig_get(&rig, "@0x150"), 1);
    assert_int_equal(rig_get(&rig, "$02"), 4);
    rig_free(&rig);
}

/* (peek) returns the word and leaves it. */
static void peek(void)
{
    struct rig rig;
    program_run(&rig, A7XX, "(peek)mov $02, $data\nmov $03, $rem\nmov $04, $data\nmov $05, $rem\n", WORDS(0x77));
    assert_int_equal(rig_get(&rig, "$02"), 0x77);
    assert_int_equal(rig_get(&rig, "$03"), 1);
    assert_int_equal(rig_get(&rig, "$04"), 0x77);
    assert_int_equal(rig_get(&rig, "$05"), 0);
    rig_free(&rig);
}

/* The same of $memdata and $regdata: the word stays, and with it the address and what is left of the request. */
static void peek_queues(void)
{
    struct rig rig;
    program_make(&rig, A7XX,
                 "mov $02, 0x30 << 16\nmov $03, 0x2\ncwrite $02, [$00 + @MEM_READ_ADDR]\n"
                 "cwrite $03, [$00 + @MEM_READ_DWORDS]\n(peek)mov $04, $memdata\n"
                 "cread $05, [$00 + @MEM_READ_ADDR]\ncread $06, [$00 + @MEM_READ_DWORDS]\n"
                 "mov $07, $memdata\nmov $08, $memdata\n"
                 "mov $02, 0x900\ncwrite $02, [$00 + @REG_READ_ADDR]\ncwrite $03, [$00 + @REG_READ_DWORDS]\n"
                 "(peek)mov $09, $regdata\nmov $0a, $regdata\nmov $0b, $regdata\n",
                 NULL, 0, NULL);
    rig_poke(&rig, 0x300000, 0xaa);
    rig_poke(&rig, 0x300004, 0xbb);
    rig_set(&rig, "0x900", 3);
    rig_set(&rig, "0x901", 4);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    static const uint32_t values[] = {0xaa, 0x300000, 2, 0xaa, 0xbb, 3, 3, 4};
    for (unsigned i = 0; i < 8; i++) {
        uint32_t value;
        gpucode_machine_read(rig.machine, 0, GPUCODE_SPACE_GENERAL, 4 + i, &value);
        assert_int_equal(value, values[i]);
    }
    assert_int_equal(rig_get(&rig, "@MEM_READ_DWORDS"), 0);
    assert_int_equal(rig_get(&rig, "@REG_READ_DWORDS"), 0);
    rig_free(&rig);
}

/* The two low bits of the address are no part of it: each of them holds it where it is. */
static void held_address(void)
{
    for (unsigned flag = 0; flag < 4; flag++) {
        struct rig rig;
        char text[200];
        snprintf(text, sizeof text,
                 "mov $addr, |NRT_ADDR << 24\nmov $02, 0x20 << 16\nor $data, $02, 0x%x\nmov $data, 0x1\n"
                 "mov $addr, 0xa204 << 16\nmov $data, 0x11\nmov $data, 0x22\n",
                 flag);
        program_run(&rig, A6XX, text, NULL, 0);
        assert_int_equal(rig_peek(&rig, 0x100200000), flag ? 0x22 : 0x11);
        assert_int_equal(rig_peek(&rig, 0x100200004), flag ? 0 : 0x22);
        assert_int_equal(rig_get(&rig, "|NRT_ADDR"), flag ? 0x200000 | flag : 0x200008);
        assert_int_equal(rig_get(&rig, "|NRT_ADDR+0x1"), 1);
        rig_free(&rig);
    }
}

/* The manual's CP_MEM_WRITE. */
static void memory_write(void)
{
    static const uint32_t payload[] = {0x200003, 0x1, 0x11, 0x22, 0x33};
    for (unsigned words = 3; words <= 5; words++) {
        struct rig rig;
        program_run(&rig, A6XX,
                    "mov $addr, 0x00a0 << 24\nor $02, $data, 0x0003\nxor $data, $02, 0x0003\nmov $data, $data\n"
                    "mov $addr, 0xa204 << 16\n(rep)(xmov1)mov $data, $data\n",
                    payload, words);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(rig_peek(&rig, 0x100200000 + 4 * i), i < words - 2 ? payload[2 + i] : 0);
        rig_free(&rig);
    }
}

/* load and store: base and offset are added, ! keeps the sum, and a control register has the upper half. */
static void memory_accesses(void)
{
    static const char *const heads[] = {A5XX, A6XX, A7XX, GEN8};
    for (unsigned g = 0; g < 4; g++) {
        struct rig rig;
        char text[500];
        snprintf(text, sizeof text,
                 "mov $04, 0x1\ncwrite $04, [$00 + @%s]\nmov $02, 0x20 << 16\nmov $03, 0x11\nmov $05, 0x22\n"
                 "store $03, [$02 + 0x4]\nstore $05, [$02 + 0x8]!\nload $06, [$02 + 0x0]\n"
                 "mov $07, 0x20 << 16\nload $08, [$07 + 0x4]!\nload $09, [$07 + 0x4]\n",
                 g ? "LOAD_STORE_HI" : "STORE_HI");
        program_run(&rig, heads[g], text, NULL, 0);
        assert_int_equal(rig_peek(&rig, 0x100200004), 0x11);
        assert_int_equal(rig_peek(&rig, 0x100200008), 0x22);
        assert_int_equal(rig_get(&rig, "$02"), 0x200008);
        assert_int_equal(rig_get(&rig, "$06"), 0x22);
        assert_int_equal(rig_get(&rig, "$07"), 0x200004);
        assert_int_equal(rig_get(&rig, "$08"), 0x11);
        assert_int_equal(rig_get(&rig, "$09"), 0x22);
        rig_free(&rig);
    }
}

/* Void pipe registers act without data. */
static void void_pipe_register(void)
{
    struct rig rig;
    program_run(&rig, A6XX,
                "mov $02, 0x3\ncwrite $02, [$00 + @WFI_PEND_INCR]\nmov $addr, 0x81 << 24\n"
                "cread $03, [$00 + @WFI_PEND_CTR]\nmov $addr, 0x84 << 24\n",
                NULL, 0);
    assert_int_equal(rig_get(&rig, "$03"), 2);
    rig_free(&rig);
}

/* $memdata and $regdata: (address, length) pairs, then reads. */
static void read_queues(void)
{
    struct rig rig;
    program_make(&rig, A6XX,
                 "mov $02, 0x30 << 16\nmov $03, 0x2\ncwrite $02, [$00 + @MEM_READ_ADDR]\n"
                 "cwrite $03, [$00 + @MEM_READ_DWORDS]\nmov $04, $memdata\nmov $05, $memdata\n"
                 "mov $02, 0x900\ncwrite $02, [$00 + @REG_READ_ADDR]\ncwrite $03, [$00 + @REG_READ_DWORDS]\n"
                 "add $06, $regdata, $regdata\n",
                 NULL, 0, NULL);
    rig_poke(&rig, 0x300000, 0xaa);
    rig_poke(&rig, 0x300004, 0xbb);
    rig_set(&rig, "0x900", 3);
    rig_set(&rig, "0x901", 4);
    assert_int_equal(rig_run(&rig, 1000), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$04"), 0xaa);
    assert_int_equal(rig_get(&rig, "$05"), 0xbb);
    assert_int_equal(rig_get(&rig, "$06"), 7);
    assert_int_equal(rig_get(&rig, "@MEM_READ_DWORDS"), 0);
    assert_int_equal(rig_get(&rig, "@REG_READ_ADDR"), 0x902);
    rig_free(&rig);
}

/* Labels as immediates: `mov $02, #foo << 2` is the byte offset of foo. */
static void label_offset(void)
{
    struct rig rig;
    program_run(&rig, A6XX, "jump #on\nnop\nfoo:\n[00000000]\non: mov $02, #foo << 2\n", NULL, 0);
    assert_int_equal(rig_get(&rig, "$02"), 4 * 4);
    rig_free(&rig);
}

TESTS(manual, alu_forms, alu_values, alu_pairs, zero_register, registers_alone, cmp_values, cmp_and_branch,
      branch_forms, branch_slots, dense_switch, double_jump, call_and_return, stack_registers, nop_payload,
      indirect_buffer_registers, control_registers, write_registers, a5xx_registers, a5xx_direct_write, a5xx_memory,
      rep_clears_scratch, rep_counts, rep_in_registers, xmov_counts, xmov_discards, register_bunch, rem_written,
      queue_moved_away, xmov_two_words, set_draw_state, set_draw_state_queue, sds_elsewhere, peek, peek_queues,
      held_address, memory_write, memory_accesses, void_pipe_register, read_queues, label_offset)
