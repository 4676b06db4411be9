/* SPDX-License-Identifier: MIT */
/*
 * Plain decoding of packets. Memory is a small array; what is told is written down as text, one word or so for each
 * event, and compared with what is expected.
 */
#include "base/text.h"
#include "group.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 1 << 15 };

static uint32_t memory[WORDS]; /* from address 0 on */
static uint32_t memory_end;    /* words that are there */
static uint32_t at;            /* where the next packet is put */
static char told[1 << 16];
static bool fields, draws;
static unsigned events_left;

static void put(unsigned count, ...)
{
    va_list args;
    va_start(args, count);
    while (count--)
        memory[at++] = va_arg(args, uint32_t);
    va_end(args);
}

enum {
    NOP = 0x10,
    SKIP_GLOBAL = 0x1d,
    RMW = 0x21,
    SKIP_LOCAL = 0x23,
    DRAW = 0x38,
    REG_TEST = 0x39,
    MEM_WRITE = 0x3d,
    INDIRECT = 0x3f,
    MEM_TO_REG = 0x42,
    DRAW_STATE = 0x43,
    COND_EXEC = 0x44,
    COND_WRITE5 = 0x45,
    COND_REG_EXEC = 0x47,
    SCRATCH_TO_REG = 0x4d,
    CHAIN = 0x57,
    BUNCH = 0x5c,
    MARKER = 0x65,
    OVERRIDE = 0x64,
    BUNCH_LATER = 0x5d,
    REG_WRITE = 0x6d,
};

static void write_register(unsigned number, uint32_t value)
{
    put(2, gpucode_packet_type4(number, 1), value);
}

static size_t load(void *user, uint64_t address, void *bytes, size_t size)
{
    (void)user;
    assert_int_equal(address % 4, 0);
    uint64_t end = 4 * (uint64_t)memory_end;
    size_t got = address >= end ? 0 : end - address < size ? (size_t)(end - address) : size;
    if (got)
        memcpy(bytes, (const char *)memory + address, got);
    words_of_memory(bytes, got / 4);
    return got;
}

static void note(const char *format, ...)
{
    va_list args;
    size_t length = strlen(told);
    va_start(args, format);
    vsnprintf(told + length, sizeof told - length, format, args);
    va_end(args);
}

static bool hear(void *user, const struct gpucode_packet_event *event)
{
    static const char *const marks[] = {"", "+", "-", "?"};
    (void)user;
    const char *mark = marks[event->condition];
    switch (event->kind) {
    case GPUCODE_PACKET_BEGIN:
        assert_ptr_not_equal(event->words, NULL);
        if (fields)
            note("%s:", event->name);
        break;
    case GPUCODE_PACKET_FIELD:
        note("%s", event->name);
        if (event->repeated)
            note("[%u]", event->index);
        note("=%s ", event->register_name ? event->register_name : event->text);
        break;
    case GPUCODE_PACKET_WRITE:
        if (event->known)
            note("%s%x=%llx ", mark, event->number, (unsigned long long)event->value);
        else if (~event->unknown)
            note("%s%x=%llx?%x ", mark, event->number, (unsigned long long)event->value, event->unknown);
        else
            note("%s%x=? ", mark, event->number);
        break;
    case GPUCODE_PACKET_ENTER:
        if (event->number == GPUCODE_PACKET_NO_GROUP)
            note("%s{ ", mark);
        else
            note("%s%u{ ", mark, event->number);
        break;
    case GPUCODE_PACKET_LEAVE:
        note("} ");
        break;
    case GPUCODE_PACKET_LOAD:
        if (draws)
            note("load(%s,%s,%u*%u at %llx) ", event->text, event->name, event->number, (unsigned)event->value,
                 (unsigned long long)event->target_address);
        break;
    case GPUCODE_PACKET_DRAW:
        if (draws)
            note("%sdraw(%s,%u) ", mark, event->text ? event->text : "?", event->count);
        break;
    case GPUCODE_PACKET_BAD_HEADER:
        note("%sbad(%llx,%u) ", mark, (unsigned long long)event->value, event->count);
        break;
    case GPUCODE_PACKET_CUT:
        note("%scut(%u) ", mark, event->count);
        break;
    case GPUCODE_PACKET_NO_MEMORY:
        note("%sabsent(%llx,%u) ", mark, (unsigned long long)event->target_address, event->count);
        break;
    case GPUCODE_PACKET_DEEP:
        note("%sdeep ", mark);
        break;
    }
    return --events_left != 0;
}

static struct gpucode_packets *create(const char *target, bool zero, uint64_t limit)
{
    struct gpucode_packet_options options = {
        .target = gpucode_target_find(target),
        .read = load,
        .event = hear,
        .fields = fields,
        .unwritten_zero = zero,
        .limit = limit,
    };
    struct gpucode_packets *packets;
    assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_OK);
    told[0] = 0;
    events_left = 0;
    return packets;
}

/* The same on a family of chips that has no firmware of ours. */
static const char *walk_family(unsigned family, uint32_t start)
{
    const struct gpucode_packet_options options = {.family = family, .read = load, .event = hear, .fields = fields};
    struct gpucode_packets *packets;
    assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_OK);
    told[0] = 0;
    events_left = 0;
    assert_int_equal(gpucode_packets_walk(packets, 4 * (uint64_t)start, at - start), GPUCODE_OK);
    gpucode_packets_free(packets);
    return told;
}

/* What is told of the words from `start` to where the next would be put. */
static const char *walk(const char *target, uint32_t start)
{
    struct gpucode_packets *packets = create(target, false, 0);
    assert_int_equal(gpucode_packets_walk(packets, 4 * (uint64_t)start, at - start), GPUCODE_OK);
    gpucode_packets_free(packets);
    return told;
}

static int begin(void **state)
{
    (void)state;
    memset(memory, 0, sizeof memory);
    memory_end = WORDS;
    at = 0x100; /* room for buffers and groups below */
    fields = draws = false;
    return 0;
}

/* Puts words at a place and goes back. */
#define AT(place, ...)                                                                                                 \
    do {                                                                                                               \
        uint32_t back_ = at;                                                                                           \
        at = (place);                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        at = back_;                                                                                                    \
    } while (0)

static void test_writes(void **state)
{
    (void)state;
    put(4, gpucode_packet_type4(0x8800, 3), 1, 2, 3);
    put(4, gpucode_packet_type4(0x3ffff, 1), 9, gpucode_packet_type4(0x10, 0), gpucode_packet_type7(NOP, 0));
    put(4, gpucode_packet_type7(REG_WRITE, 3), 1, 0x20, 5);
    put(5, gpucode_packet_type7(BUNCH, 4), 0x30, 6, 0x31, 7);
    put(4, gpucode_packet_type7(BUNCH, 3), 0x32, 8, 0x33); /* the last has no value */
    put(5, gpucode_packet_type7(MEM_WRITE, 4), 0x1000, 0, 1, 2);
    put(4, gpucode_packet_type7(MEM_TO_REG, 3), 0x40 | 3 << 19, 0x1000, 0);
    put(4, gpucode_packet_type7(MEM_TO_REG, 3), 0x44, 0x1000, 0);
    put(2, gpucode_packet_type7(SCRATCH_TO_REG, 1), 0x48u | 2 << 24);
    assert_string_equal(walk("afuc:a6xx", 0x100),
                        "8800=1 8801=2 8802=3 3ffff=9 20=5 30=6 31=7 32=8 40=? 41=? 42=? 44=? 48=? 49=? ");
    /* short ones do nothing */
    at = 0x100;
    put(6, gpucode_packet_type7(REG_WRITE, 2), 1, 2, gpucode_packet_type7(RMW, 2), 1, 2);
    put(5, gpucode_packet_type7(MEM_TO_REG, 0), gpucode_packet_type7(INDIRECT, 2), 0, 0,
        gpucode_packet_type7(MARKER, 0));
    put(4, gpucode_packet_type7(COND_REG_EXEC, 1), 0x10000000, gpucode_packet_type7(COND_WRITE5, 1), 0);
    assert_string_equal(walk("afuc:a6xx", 0x100), "");
}

/* if ... else ... over registers 1 and 2, then 3 */
static void put_branches(void)
{
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 3);
    write_register(1, 1);
    put(1, gpucode_packet_type7(NOP, 2));
    write_register(2, 2);
    write_register(3, 3);
}

/* Packets whose first word says from which register on the others are written, and pairs that begin later. */
static void test_words_after_the_first(void **state)
{
    (void)state;
    put(4, 0xc0022d00, 0x00040100, 1, 2); /* CP_SET_CONSTANT of a2xx: registers count from 0x2000 */
    put(3, 0xc0012d00, 0x00030100, 3);    /* another kind: no registers */
    put(4, 0xc0022d00, 0xfff41fff, 4, 5); /* bits above the kind do not count */
    assert_string_equal(walk_family(2, 0x100), "2100=1 2101=2 3fff=4 4000=5 ");
    at = 0x100;
    put(4, 0xc0027400, 0xabcd0080, 5, 6); /* CP_WIDE_REG_WRITE of a4xx: 16 bits are the number */
    put(2, 0xc0007400, 0x90);             /* nothing after it */
    assert_string_equal(walk_family(4, 0x100), "80=5 81=6 ");
    at = 0x100;
    put(6, gpucode_packet_type7(BUNCH_LATER, 5), 0x11, 0x22, 0x30, 7, 0x31);       /* the first two are no pair */
    put(7, gpucode_packet_type7(BUNCH_LATER, 6), 0x11, 0x22, 0x32, 8, 0x40033, 9); /* 18 bits are the number */
    assert_string_equal(walk("afuc:a7xx", 0x100), "30=7 32=8 33=9 ");
}

/* CP_COND_EXEC: what stands after it may run, as many words as its last one says, and nothing further. */
static void test_memory_condition(void **state)
{
    (void)state;
    put(7, gpucode_packet_type7(COND_EXEC, 6), 0x1000, 0, 0x2000, 0, 5, 4);
    write_register(1, 1);
    write_register(2, 2);
    write_register(3, 3);
    put(6, gpucode_packet_type7(COND_EXEC, 5), 0x1000, 0, 0x2000, 0, 5); /* without that word it does nothing */
    write_register(4, 4);
    put(2, gpucode_packet_type7(REG_TEST, 1), 1); /* what may have been written is not known */
    put_branches();
    assert_string_equal(walk("afuc:a6xx", 0x100), "?1=1 ?2=2 3=3 4=4 ?1=1 ?2=2 3=3 ");
    at = 0x100; /* in what is skipped it decides nothing */
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 1, 0);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 9);
    put(7, gpucode_packet_type7(COND_EXEC, 6), 0x1000, 0, 0x2000, 0, 5, 4);
    write_register(1, 1);
    write_register(2, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "-1=1 2=2 ");
}

static void test_modify(void **state)
{
    (void)state;
    write_register(0x10, 0x80000011);
    write_register(0x11, 0xf0);
    put(4, gpucode_packet_type7(RMW, 3), 0x10 | 4u << 24, 0xffffffff, 0x2);       /* rotate, or */
    put(4, gpucode_packet_type7(RMW, 3), 0x10 | 1u << 29, 0xff, 0xffffff00);      /* add */
    put(4, gpucode_packet_type7(RMW, 3), 0x10 | 1u << 30 | 1u << 31, 0x11, 0x11); /* both sources are registers */
    put(4, gpucode_packet_type7(RMW, 3), 0x12, 0xff, 1);                          /* never written before */
    assert_string_equal(walk("afuc:a6xx", 0x100), "10=80000011 11=f0 10=11a 10=ffffff1a 10=f0 12=1?fe ");
    struct gpucode_packets *packets = create("afuc:a6xx", true, 0);
    assert_true(gpucode_packets_set(packets, 0x12, 0x1230));
    assert_false(gpucode_packets_set(packets, 0x40000, 0));
    assert_int_equal(gpucode_packets_walk(packets, 4 * (uint64_t)(at - 4), 4), GPUCODE_OK);
    assert_string_equal(told, "12=31 ");
    gpucode_packets_free(packets);
    /* bits that are known stay so: those that the sources set or clear, below a sum's first unknown one, rotated */
    at = 0x100;
    put(4, gpucode_packet_type7(RMW, 3), 0x20, 0xff0, 0xf000);
    put(4, gpucode_packet_type7(RMW, 3), 0x20 | 8u << 24, 0xffffff0f, 0x3);
    put(4, gpucode_packet_type7(RMW, 3), 0x20 | 1u << 29, 0xffffffff, 0x1);
    put(4, gpucode_packet_type7(RMW, 3), 0x20, 0, 5);
    put(4, gpucode_packet_type7(RMW, 3), 0x21 | 1u << 30, 0, 0x22);
    assert_string_equal(walk("afuc:a6xx", 0x100), "20=f000?ff0 20=f00003?f0000 20=4?ffff0000 20=5 21=? ");
    /* in what a condition lets run, a write under the same condition counts; after it nothing is known */
    at = 0x100;
    write_register(0x20, 0xff);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x40000000, 0);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 6);
    write_register(0x20, 0x30);
    put(4, gpucode_packet_type7(RMW, 3), 0x20, 0xf0, 1);
    put(4, gpucode_packet_type7(RMW, 3), 0x20, 0xf0, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "20=ff ?20=30 ?20=31 20=2?f0 ");
}

/* Headers as drivers write them, and their parts; what has no room is left out. */
static void test_headers(void **state)
{
    (void)state;
    assert_int_equal(gpucode_packet_type7(0x10, 3), 0x70108003);
    assert_int_equal(gpucode_packet_type7(0x3d, 3), 0x703d8003);
    assert_int_equal(gpucode_packet_type7(0x3f, 0x3fff), 0x70bfbfff);
    assert_int_equal(gpucode_packet_type7(0x90, 0x4003), 0x70108003);
    assert_int_equal(gpucode_packet_type4(0x883, 1), 0x48088301);
    assert_int_equal(gpucode_packet_type4(0x3ffff, 0x7f), 0x4bffff7f);
    for (uint32_t number = 0; number <= GPUCODE_PACKET_OPCODE_MAX; number++) {
        struct gpucode_packet_header header = gpucode_packet_header(gpucode_packet_type7(number, 5 * number));
        assert_true(header.type == 7 && header.number == number && header.count == 5 * number && header.parity_is_odd);
        header = gpucode_packet_header(gpucode_packet_type4(77 * number, number));
        assert_true(header.type == 4 && header.number == 77 * number && header.count == number && header.parity_is_odd);
    }
    assert_int_equal(gpucode_packet_header(0x60108003).type, 0);
    assert_false(gpucode_packet_header(0x70908003).parity_is_odd);
}

/* One flipped bit in a part of a header that parity covers is found. */
static void test_parity(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        char wanted[64];
        at = 0x100;
        put(2, gpucode_packet_type4(0x1234, 1) ^ 1u << bit, 7);
        snprintf(wanted, sizeof wanted, "bad(%x,2) ", memory[0x100]);
        if (bit == 26)
            assert_string_equal(walk("afuc:a6xx", 0x100), "1234=7 "); /* nobody says what it is for */
        else
            assert_string_equal(walk("afuc:a6xx", 0x100), wanted);
        at = 0x100;
        put(4, gpucode_packet_type7(REG_WRITE, 3) ^ 1u << bit, 0, 0x1234, 7);
        snprintf(wanted, sizeof wanted, "bad(%x,4) ", memory[0x100]);
        if (bit == 14 || (bit >= 24 && bit <= 27))
            assert_string_equal(walk("afuc:a6xx", 0x100), "1234=7 ");
        else
            assert_string_equal(walk("afuc:a6xx", 0x100), wanted);
    }
    for (unsigned opcode = 0; opcode < 128; opcode++)
        for (unsigned count = 0; count < 40; count += 13) {
            at = 0x100;
            put(1, gpucode_packet_type7(opcode, count));
            at += count;
            walk("afuc:a6xx", 0x100);
            assert_null(strstr(told, "bad"));
        }
    /* the buffer is read on at the next header with a packet that fits; one that does not is none */
    at = 0x100;
    AT(0, write_register(1, 1); put(2, 0x12345678, 0); write_register(2, 2));
    put(4, gpucode_packet_type7(INDIRECT, 3), 0, 0, 6);
    write_register(3, 3);
    assert_string_equal(walk("afuc:a6xx", 0x100), "{ 1=1 bad(12345678,2) 2=2 } 3=3 ");
}

static void test_ends(void **state)
{
    (void)state;
    write_register(1, 1);
    put(2, gpucode_packet_type4(2, 2), 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 cut(2) ");
    memory_end = at + 1;
    put(2, 3, 0);
    write_register(4, 4);
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 2=2 3=3 absent(414,3) ");
    memory_end = WORDS;
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 2=2 3=3 bad(0,1) 4=4 ");
    memory_end = 0x103; /* inside the second packet */
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 absent(408,6) ");
    memory_end = 0x102;
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 absent(408,6) ");
    memory_end = 0;
    assert_string_equal(walk("afuc:a6xx", 0x100), "absent(400,8) ");
    at = 0x100;
    assert_string_equal(walk("afuc:a6xx", 0x100), "");
    /* a packet longer than its buffer, and far from it the next header; what only looks like one is passed over */
    memory_end = WORDS;
    at = 0x180;
    put(2, gpucode_packet_type4(5, 100), 0x40000001);
    at += 50;
    put(1, gpucode_packet_type7(NOP, 0x3fff));
    write_register(6, 6);
    assert_string_equal(walk("afuc:a6xx", 0x180), "cut(53) 6=6 ");
    /* what is passed over counts for the limit: a bad buffer that runs again and again is given up */
    struct gpucode_packets *packets = create("afuc:a6xx", false, 60);
    assert_int_equal(gpucode_packets_walk(packets, 0x600, at - 0x180), GPUCODE_OK);
    assert_int_equal(gpucode_packets_walk(packets, 0x600, at - 0x180), GPUCODE_ERROR_RANGE);
    gpucode_packets_free(packets);
}

static void test_long(void **state)
{
    (void)state;
    /* the longest packets, one after the other, do not fit the window they are read through */
    put(1, gpucode_packet_type7(NOP, 0x3fff));
    at += 0x3fff;
    write_register(5, 5);
    put(1, gpucode_packet_type7(BUNCH, 0x2001));
    for (unsigned i = 0; i < 0x1000; i++)
        put(2, 0x100 + i % 2, i);
    at++;
    write_register(6, 6);
    walk("afuc:a6xx", 0x100);
    assert_memory_equal(told, "5=5 100=0 101=1 100=2 ", 22);
    assert_string_equal(strstr(told, "100=ffe"), "100=ffe 101=fff 6=6 ");
}

static void test_buffers(void **state)
{
    (void)state;
    AT(0x20, write_register(2, 2); put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x40, 0, 2); write_register(4, 4));
    AT(0x40, write_register(3, 3); write_register(9, 9));
    write_register(1, 1);
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x20, 0, 8);
    write_register(5, 5);
    put(4, gpucode_packet_type7(CHAIN, 3), 4 * 0x40, 0, 4);
    write_register(6, 6);
    assert_string_equal(walk("afuc:a6xx", 0x100), "1=1 { 2=2 { 3=3 } 4=4 } 5=5 { 3=3 9=9 } ");
    /* nothing there, nothing in it */
    at = 0x100;
    put(4, gpucode_packet_type7(INDIRECT, 3), 0, 5, 8);
    put(4, gpucode_packet_type7(INDIRECT, 3), 0, 0, 0);
    assert_string_equal(walk("afuc:a6xx", 0x100), "{ absent(500000000,8) } { } ");
    /* one that calls itself twice */
    at = 0x100;
    AT(0x20,
       put(8, gpucode_packet_type7(INDIRECT, 3), 4 * 0x20, 0, 8, gpucode_packet_type7(INDIRECT, 3), 4 * 0x20, 0, 8));
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x20, 0, 8);
    walk("afuc:a6xx", 0x100);
    unsigned deep = 0, entered = 0;
    for (const char *c = told; (c = strstr(c, "deep")); c++)
        deep++;
    for (const char *c = told; (c = strchr(c, '{')); c++)
        entered++;
    assert_int_equal(deep, 1 << GPUCODE_PACKET_DEPTH_MAX);
    assert_int_equal(entered, (1 << GPUCODE_PACKET_DEPTH_MAX) - 1);
    struct gpucode_packets *packets = create("afuc:a6xx", false, 30);
    assert_int_equal(gpucode_packets_walk(packets, 0x400, 4), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_packets_walk(packets, 0x400, 4), GPUCODE_ERROR_RANGE);
    gpucode_packets_free(packets);
}

static void set_group(unsigned number, uint32_t flags, uint32_t place, unsigned words)
{
    put(4, gpucode_packet_type7(DRAW_STATE, 3), number << 24 | flags | words, 4 * place, 0);
}

static void draw(void)
{
    put(4, gpucode_packet_type7(DRAW, 3), 0x86, 1, 3);
}

static void test_groups(void **state)
{
    (void)state;
    AT(0x10, write_register(0xa, 0));
    AT(0x12, write_register(0xb, 0); draw(); set_group(9, 0, 0x10, 2));
    AT(0x20, write_register(0xc, 0));
    draw(); /* nothing is set */
    set_group(3, 7 << 20, 0x10, 2);
    set_group(1, 4 << 20, 0x12, 10); /* SYSMEM, the mode at the beginning; draws in a group do nothing */
    set_group(2, 1 << 20, 0x20, 2);  /* BINNING */
    draw();
    write_register(1, 0);
    draw(); /* nothing changed */
    put(2, gpucode_packet_type7(MARKER, 1), 2);
    draw();
    put(2, gpucode_packet_type7(MARKER, 1), 4);
    set_group(3, 1 << 17 | 7 << 20, 0x10, 2); /* DISABLE */
    draw();
    set_group(4, 0, 0x10, 2); /* no mode bits: always */
    set_group(5, 7 << 20, 0x10, 0);
    draw();
    put(2, gpucode_packet_type7(MARKER, 1), 0x102); /* not a render mode */
    put(2, gpucode_packet_type7(MARKER, 1), 6);     /* a marker that leaves the mode alone */
    draw();
    set_group(0, 1 << 18, 0, 0); /* DISABLE_ALL_GROUPS */
    draw();
    assert_string_equal(walk("afuc:a6xx", 0x100), "1{ b=0 } 3{ a=0 } 1=0 2{ c=0 } 3{ a=0 } 4{ a=0 } ");
    /* a5xx has no mode bits: 1 is bit 20 of something else, and all groups run */
    assert_string_equal(walk("afuc:a5xx", 0x100),
                        "1{ b=0 } 2{ c=0 } 3{ a=0 } 1=0 1{ b=0 } 2{ c=0 } 1{ b=0 } 2{ c=0 } 4{ a=0 } ");
}

static void test_conditions(void **state)
{
    (void)state;
    write_register(0x50, 4);
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50 | 2 << 20); /* bit 2 of it: set */
    put_branches();
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50 | 3 << 20); /* bit 3: clear */
    put_branches();
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x51); /* not written */
    put_branches();
    assert_string_equal(walk("afuc:a6xx", 0x100), "50=4 +1=1 -2=2 3=3 -1=1 2=2 3=3 ?1=1 ?2=2 3=3 ");
    struct gpucode_packets *packets = create("afuc:a6xx", true, 0);
    assert_int_equal(gpucode_packets_walk(packets, 0x400, at - 0x100), GPUCODE_OK);
    assert_string_equal(told, "50=4 +1=1 -2=2 3=3 -1=1 2=2 3=3 -1=1 2=2 3=3 ");
    gpucode_packets_free(packets);
    /* other predicate bits, set directly */
    at = 0x100;
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 0xf0, 0x20);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000 | 5 << 18, 2);
    write_register(1, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000 | 6 << 18, 2);
    write_register(2, 2);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000 | 3 << 18, 2);
    write_register(3, 3);
    assert_string_equal(walk("afuc:a6xx", 0x100), "+1=1 -2=2 ?3=3 ");
    /* modes, comparisons, memory, threads */
    at = 0x100;
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x30000000 | 4 << 25, 2);
    write_register(1, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x30000000 | 3 << 25, 2);
    write_register(2, 2);
    put(4, gpucode_packet_type7(COND_REG_EXEC, 3), 0x20000050, 0x51, 2);
    write_register(3, 3);
    put(7, gpucode_packet_type7(COND_EXEC, 6), 0, 0, 0, 0, 0, 2);
    write_register(4, 4);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x50000000 | 1 << 26, 2);
    write_register(5, 5);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x50000000 | 5 << 25, 2);
    write_register(6, 6);
    write_register(7, 7);
    assert_string_equal(walk("afuc:a7xx", 0x100), "+1=1 -2=2 ?3=3 ?4=4 +5=5 -6=6 7=7 ");
}

static void test_skipped_state(void **state)
{
    (void)state;
    AT(0x10, write_register(0xa, 0));
    AT(0x20, write_register(0xb, 0); set_group(1, 0, 0x10, 2); draw(); put(2, gpucode_packet_type7(MARKER, 1), 2));
    write_register(0x50, 1);
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 1, 0);
    set_group(2, 0, 0x10, 2);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 8);
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x20, 0, 12);
    write_register(0x50, 0);
    write_register(0x50, 0);
    draw(); /* as if the skipped words had not been there */
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(1, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x30000000 | 4 << 25, 2);
    write_register(2, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100),
                        "50=1 -{ -b=0 -1{ -a=0 } -2{ -a=0 } } -50=0 -50=0 2{ a=0 } +1=1 +2=2 ");
    /* what is skipped may be anything: it goes on after it */
    at = 0x100;
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 1, 0);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 3);
    put(3, 0x12345678, 0, 0);
    write_register(1, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 1000); /* longer than the stream */
    write_register(2, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "-bad(12345678,10) 1=1 -2=2 ");
    /* words for the other case, inside of the NOP that those for this one end in: they write nothing */
    at = 0x100;
    write_register(0x50, 1);
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 1, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 3);
    write_register(1, 1);
    put(1, gpucode_packet_type7(NOP, 2));
    write_register(0x50, 0);
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(2, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "50=1 +1=1 -50=0 +2=2 ");
    /* what may run leaves registers unknown */
    at = 0x100;
    write_register(0x50, 1);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(0x50, 1);
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(1, 1);
    assert_string_equal(walk("afuc:a6xx", 0x100), "50=1 ?50=1 ?1=1 ");
}

static void test_maybe(void **state)
{
    (void)state;
    put(9, gpucode_packet_type7(COND_WRITE5, 8), 1, 0x50, 0, 0, 0, 0x60, 0, 7); /* a register, under a condition */
    put(9, gpucode_packet_type7(COND_WRITE5, 8), 0, 0x50, 0, 0, 0, 0x61, 0, 8); /* always */
    put(9, gpucode_packet_type7(COND_WRITE5, 8), 1 | 1 << 8, 0x50, 0, 0, 0, 0x62, 0, 7); /* memory */
    AT(0x10, write_register(1, 1));
    put(2, gpucode_packet_type7(SKIP_GLOBAL, 1), 1);
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x10, 0, 2);
    put(2, gpucode_packet_type7(SKIP_LOCAL, 1), 1);
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x10, 0, 2);
    put(2, gpucode_packet_type7(OVERRIDE, 1), 1);
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x10, 0, 2);
    assert_string_equal(walk("afuc:a6xx", 0x100), "?60=7 61=8 { 1=1 } ?{ ?1=1 } { 1=1 } ");
}

/* A CP_NOP inside the other case of another, many times over: told some levels deep, and no stack is used up. */
static void test_nested_nops(void **state)
{
    (void)state;
    uint32_t words = 0x3000;
    put(4, gpucode_packet_type7(REG_TEST, 3), 1u << 31, 1, 1);
    while (words > 8) {
        put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 1);
        words -= 4;
        put(1, gpucode_packet_type7(NOP, words));
    }
    at += words;
    walk("afuc:a6xx", 0x100);
    assert_string_equal(told, "");
}

static void test_fields(void **state)
{
    (void)state;
    fields = true;
    put(2, gpucode_packet_type7(0x46, 1), 0x31);
    assert_string_equal(walk("afuc:a6xx", 0x100), "CP_EVENT_WRITE:EVENT=CACHE_INVALIDATE ");
    assert_string_equal(walk("afuc:a7xx", 0x100),
                        "CP_EVENT_WRITE7:WRITE_DST=EV_DST_RAM WRITE_SRC=EV_WRITE_USER_32B EVENT=CACHE_CLEAN ");
    at = 0x100; /* one form of a word is told, the first */
    put(4, gpucode_packet_type7(0x32, 3), 0x00620000, 0x1011000, 0x5);
    assert_string_equal(walk("afuc:a6xx", 0x100),
                        "CP_LOAD_STATE6_GEOM:DST_OFF=0 STATE_TYPE=ST6_SHADER STATE_SRC=SS6_INDIRECT "
                        "STATE_BLOCK=SB6_VS_SHADER NUM_UNIT=1 EXT_SRC_ADDR=0x1011000 EXT_SRC_ADDR_HI=0x5 ");
    at = 0x100; /* cut before the upper half; bits of no field */
    put(3, gpucode_packet_type7(0x32, 2), 0x00620000, 0x1011005);
    assert_non_null(strstr(walk("afuc:a6xx", 0x100), "NUM_UNIT=1 EXT_SRC_ADDR=0x1011004 -=0x1 "));
    at = 0x100; /* a field decides about others */
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10140000, 7);
    assert_string_equal(walk("afuc:a6xx", 0x100), "CP_COND_REG_EXEC:MODE=PRED_TEST PRED_BIT=5 DWORDS=7 ");
    at = 0x100;
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x32000000, 7);
    assert_string_equal(walk("afuc:a6xx", 0x100), "CP_COND_REG_EXEC:MODE=RENDER_MODE BINNING=set DWORDS=7 ");
    at = 0x100;
    put(4, gpucode_packet_type7(COND_REG_EXEC, 3), 0x20000883, 0x884, 7);
    assert_string_equal(walk("afuc:a6xx", 0x100),
                        "CP_COND_REG_EXEC:MODE=REG_COMPARE REG0=CP_SCRATCH[0].REG REG1=CP_SCRATCH[0x1].REG DWORDS=7 ");
    at = 0x100; /* the same bits mean other things on gen8 */
    put(2, gpucode_packet_type7(MARKER, 1), 0xa0);
    assert_string_equal(walk("afuc:a6xx", 0x100), "CP_SET_MARKER:MARKER_MODE=SET_RENDER_MODE MODE=0 -=0xa0 ");
    assert_non_null(strstr(walk("afuc:gen8", 0x100), "MODE=RM8_DEPTH_PASS_START USES_GMEM=set "));
    at = 0x100; /* repeated ones; the third is cut */
    put(9, gpucode_packet_type7(0x56, 8), 8, 1, 2, 0, 3, 4, 9, 5);
    assert_string_equal(walk("afuc:a6xx", 0x100), "CP_SET_PSEUDO_REG:PSEUDO_REG[0]=VSC_PIPE_DATA_DRAW_BASE LO[0]=0x1 "
                                                  "HI[0]=0x2 PSEUDO_REG[1]=SMMU_INFO LO[1]=0x3 HI[1]=0x4 "
                                                  "PSEUDO_REG[2]=VSC_SIZE_BASE LO[2]=0x5 ");
    at = 0x100; /* no name, no layout */
    put(3, gpucode_packet_type7(0x7f, 0), gpucode_packet_type7(NOP, 1), 3);
    assert_string_equal(walk("afuc:a6xx", 0x100), "UNKN127:CP_NOP:");
}

/* Packets of types 0, 2 and 3, as a2xx to a4xx have them. */
static void test_old_packets(void **state)
{
    (void)state;
    fields = draws = true;
    put(4, 0x00010000 | 0x2040, 1, 2, 0x80000000); /* two registers from a number on; nothing */
    put(4, 0x00018000 | 0x2040, 3, 4, 0xc0001000); /* one register twice; CP_NOP */
    put(1, 0);                                     /* its word */
    put(4, 0xc0022200, 0, 0x00040004, 36);         /* CP_DRAW_INDX */
    put(3, 0xc0013f00, 4 * 0x40, 2);               /* CP_INDIRECT_BUFFER, with an address of 32 bits */
    put(1, 0x40000000);                            /* type 1 */
    AT(0x40, put(2, 0x00000000 | 0x2041, 5));
    memory_end = WORDS;
    walk_family(3, 0x100);
    assert_non_null(strstr(told, "2040=1 2041=2 NOP:"));
    assert_non_null(strstr(told, "2040=3 2040=4 CP_NOP:CP_DRAW_INDX:VIZ_QUERY=0 PRIM_TYPE=DI_PT_TRILIST "));
    assert_non_null(
        strstr(told, "NUM_INDICES=36 draw(DI_PT_TRILIST,36) CP_INDIRECT_BUFFER:IB_BASE=0x100 IB_SIZE=0x2 { "));
    assert_non_null(strstr(told, "2041=5 } bad(40000000,1) "));
    /* a2xx: the count in the initiator, and then no word for it; the index buffer comes next */
    at = 0x100;
    put(3, 0xc0012200, 0, 0x00060084);                  /* without indices */
    put(5, 0xc0032200, 0, 0x00090004, 0x112d4e0, 18);   /* with an index buffer */
    put(4, 0xc0022200, 0, 0x84, 12);                    /* a word for it */
    put(3, 0xc0012200, 0, 0x84);                        /* none at all */
    put(6, 0xc0043600, 0, 0x00040004, 1, 2, 3);         /* CP_DRAW_INDX_2 */
    put(5, 0xc0033600, 0, 0x4, 2, 0x10000);             /* the same with a word for it */
    put(7, 0xc0053400, 0, 0x0003c004, 0, 3, 0x1000, 6); /* CP_DRAW_INDX_BIN */
    walk_family(2, 0x100);
    assert_non_null(strstr(told, "NUM_INDICES=6 draw(DI_PT_TRILIST,6) CP_DRAW_INDX:"));
    assert_non_null(
        strstr(told, "NUM_INDICES=9 INDX_BASE=0x112d4e0 INDX_SIZE=0x12 draw(DI_PT_TRILIST,9) CP_DRAW_INDX:"));
    assert_non_null(strstr(told, "NUM_INDICES=0 NUM_INDICES=12 draw(DI_PT_TRILIST,12) CP_DRAW_INDX:"));
    assert_non_null(strstr(told, "NUM_INDICES=0 CP_DRAW_INDX_2:"));
    assert_non_null(strstr(told, "NUM_INDICES=4 draw(DI_PT_TRILIST,4) CP_DRAW_INDX_2:"));
    assert_non_null(strstr(told, "NUM_INDICES=2 draw(DI_PT_TRILIST,2) CP_DRAW_INDX_BIN:"));
    assert_non_null(strstr(told, "NUM_VERTICES=0 NUM_INDICES=3 INDX_BASE=0x1000 INDX_SIZE=0x6 draw(DI_PT_TRILIST,3) "));
    const struct gpucode_packet_options options = {.family = 9, .read = load, .event = hear};
    struct gpucode_packets *packets;
    assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_ERROR_UNSUPPORTED);
}

/* Contents in the packet, in memory, and none that are known. */
static void test_loads(void **state)
{
    (void)state;
    fields = draws = true;
    put(8, gpucode_packet_type7(0x32, 7), 0x00620000 & ~0x30000u, 0, 0, 1, 2, 3, 4); /* a shader that is cut off */
    assert_non_null(strstr(walk("afuc:a6xx", 0x100), "load(SB6_VS_SHADER,shader,1*32 at 410) "));
    uint32_t first = at;
    put(4, gpucode_packet_type7(0x34, 3), 0x00820000 | 4u << 18 | 1 << 14, 0x1000, 2); /* CP_LOAD_STATE6_FRAG */
    assert_non_null(strstr(walk("afuc:a6xx", first), "at 200001000) "));
    first = at;
    put(4, gpucode_packet_type7(0x34, 3), 0x00810000, 0x1000, 2); /* after a bindless base */
    assert_null(strstr(walk("afuc:a6xx", first), "load("));
}

/* Buffers for switches of contexts come last, once, and change nothing. */
static void test_later(void **state)
{
    (void)state;
    AT(0x40, write_register(0x10, 7));
    put(4, gpucode_packet_type7(0x55, 3), 4 * 0x40, 0, 2); /* CP_SET_AMBLE */
    put(4, gpucode_packet_type7(0x55, 3), 4 * 0x40, 0, 2);
    write_register(0x11, 1);
    assert_string_equal(walk("afuc:a6xx", 0x100), "11=1 ?{ ?10=7 } ");
    /* one word short, as long as they must be, one word longer: the count stands elsewhere then */
    uint32_t first = at = 0x200;
    put(3, gpucode_packet_type7(0x55, 2), 4 * 0x40, 0);
    put(8, gpucode_packet_type7(0x6c, 7), 0, 0, 0, 0, 0, 2, 4 * 0x40); /* CP_SET_RENDER_MODE */
    put(7, gpucode_packet_type7(0x6e, 6), 0, 0, 0, 2, 4 * 0x40, 0);    /* CP_COMPUTE_CHECKPOINT */
    assert_string_equal(walk("afuc:a5xx", first), "");
    first = at = 0x240;
    put(9, gpucode_packet_type7(0x6c, 8), 0, 0, 0, 0, 0, 2, 4 * 0x40, 0);
    assert_string_equal(walk("afuc:a5xx", first), "?{ ?10=7 } ");
    first = at = 0x280;
    put(8, gpucode_packet_type7(0x6e, 7), 0, 0, 0, 0, 2, 4 * 0x40, 0);
    assert_string_equal(walk("afuc:a5xx", first), "?{ ?10=7 } ");
    AT(0x60, write_register(0x12, 3));
    first = at = 0x2c0;
    put(9, gpucode_packet_type7(0x6e, 8), 0, 0, 0, 0, 0, 4 * 0x60, 0, 2);
    put(9, gpucode_packet_type7(0x6e, 8), 0, 0, 0, 0, 2, 4 * 0x40, 0, 0); /* none */
    assert_string_equal(walk("afuc:a5xx", first), "?{ ?12=3 } ");
}

/* Prefix and body of each bin, and a table of buffers. */
static void test_bins(void **state)
{
    (void)state;
    AT(0x40, write_register(0x20, 1); write_register(0x20, 2); write_register(0x20, 3));
    put(6, gpucode_packet_type7(0x50, 5), 2, 4 * 0x40, 0, 2, 2); /* CP_START_BIN */
    write_register(0x21, 5);
    put(5, gpucode_packet_type7(0x7f, 4), 4 * 0x40, 0, 2 << 20, 3); /* CP_FIXED_STRIDE_DRAW_TABLE */
    assert_string_equal(walk("afuc:a7xx", 0x100), "{ 20=1 } { 21=5 } { 20=2 } 21=5 { 20=1 } { 20=2 } { 20=3 } ");
    uint32_t first = at = 0x200; /* counts that are nonsense end with the limit, or at once */
    put(6, gpucode_packet_type7(0x50, 5), UINT32_MAX, 0, 0, 0, 0);
    assert_string_equal(walk("afuc:a7xx", first), "");
    AT(0x240, put(6, gpucode_packet_type7(0x50, 5), UINT32_MAX, 0x1000000, 0, 1, 0)); /* nothing is recorded there */
    struct gpucode_packets *packets = create("afuc:a7xx", false, 1000);
    assert_int_equal(gpucode_packets_walk(packets, 4 * 0x240, 6), GPUCODE_ERROR_RANGE);
    gpucode_packets_free(packets);
}

static void test_stop(void **state)
{
    (void)state;
    AT(0x10, write_register(0xa, 0); write_register(0xb, 0));
    set_group(1, 0, 0x10, 4);
    draw();
    put(4, gpucode_packet_type7(INDIRECT, 3), 4 * 0x10, 0, 4);
    for (unsigned stop = 1; stop < 14; stop++) { /* there are 15 events */
        struct gpucode_packets *packets = create("afuc:a6xx", false, 0);
        events_left = stop;
        assert_int_equal(gpucode_packets_walk(packets, 0x400, at - 0x100), GPUCODE_OK);
        assert_int_equal(events_left, 0);
        gpucode_packets_free(packets);
    }
}

/* Programs of 0.2 read the event at these places; what is new comes after them. */
static void test_places(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        skip();
    assert_int_equal(offsetof(struct gpucode_packet_event, address), 16);
    assert_int_equal(offsetof(struct gpucode_packet_event, name), 40);
    assert_int_equal(offsetof(struct gpucode_packet_event, words), 56);
    assert_int_equal(offsetof(struct gpucode_packet_event, number), 68);
    assert_int_equal(offsetof(struct gpucode_packet_event, value), 72);
    assert_int_equal(offsetof(struct gpucode_packet_event, text), 88);
    assert_int_equal(offsetof(struct gpucode_packet_event, later), 108);
    assert_int_equal(offsetof(struct gpucode_packet_event, target_address), 112);
    assert_int_equal(offsetof(struct gpucode_packet_event, unknown), 120);
}

static void test_arguments(void **state)
{
    (void)state;
    struct gpucode_packets *packets;
    struct gpucode_packet_options options = {gpucode_target_find("afuc:a6xx"), .read = load, .event = hear};
    assert_int_equal(gpucode_packets_create(&options, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_packets_create(NULL, &packets), GPUCODE_ERROR_ARGUMENT);
    options.read = NULL;
    assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_ERROR_ARGUMENT);
    options.read = load;
    options.target = NULL;
    assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_ERROR_ARGUMENT);
    assert_null(packets);
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        options.target = target;
        bool afuc = strcmp(gpucode_target_isa(target), "afuc") == 0;
        assert_int_equal(gpucode_packets_create(&options, &packets), afuc ? GPUCODE_OK : GPUCODE_ERROR_UNSUPPORTED);
        gpucode_packets_free(packets);
    }
    assert_int_equal(gpucode_packets_walk(NULL, 0, 0), GPUCODE_ERROR_ARGUMENT);
    gpucode_packets_free(NULL);
}

/* A word of a payload out of text: which fields it has, by the words in front of it; one value of two words; and names
 * that are nearly those of fields, of the first field and of others. */
static void test_payload_texts(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        unsigned opcode;
        uint32_t word, payload[3];
        const char *text;
        uint64_t value;
        unsigned words;
    } good[] = {
        {"afuc:a6xx", REG_TEST, 0, {0}, "SOURCE=SOURCE_REG | REG=0x883 | BIT=3 | SKIP_WAIT_FOR_ME", 0x2300883, 1},
        {"afuc:a6xx", REG_TEST, 1, {0}, "PRED_MASK=0x5", 5, 1},
        {"afuc:a6xx", COND_REG_EXEC, 0, {0}, "MODE=PRED_TEST | PRED_BIT=5", 0x10140000, 1},
        {"afuc:a6xx", MEM_WRITE, 0, {0}, "ADDR=0x123456789c", 0x123456789c, 2},
        {"afuc:a6xx", 0x32, 0, {0}, "STATE_SRC=SS6_INDIRECT | STATE_BLOCK=SB6_VS_SHADER | NUM_UNIT=1", 0x620000, 1},
        {"afuc:a6xx", 0x32, 2, {0x620000, 0x1011000}, "EXT_SRC_ADDR_HI=0x5", 5, 1},
    };
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        unsigned family = gpucode_target_family(gpucode_target_find(good[i].target)), words = 0;
        uint64_t value = 0;
        if (!gpucode_payload_read(family, good[i].opcode, good[i].payload, good[i].word, good[i].text,
                                  strlen(good[i].text), &value, &words, NULL))
            fail_msg("%s is not read", good[i].text);
        assert_int_equal(value, good[i].value);
        assert_int_equal(words, good[i].words);
        /* and back: the fields of the value are those of the text */
        uint32_t all[5] = {good[i].payload[0], good[i].payload[1], good[i].payload[2]};
        struct gpucode_field_value found[GPUCODE_FIELD_VALUES_MAX];
        all[good[i].word] = (uint32_t)value;
        all[good[i].word + 1] = (uint32_t)(value >> 32);
        size_t count = gpucode_payload_fields(family, good[i].opcode, all, 5, good[i].word, found,
                                              GPUCODE_FIELD_VALUES_MAX, &words);
        assert_true(count >= 1);
        for (const char *name = good[i].text; name; name = strstr(name, "| ") ? strstr(name, "| ") + 2 : NULL) {
            size_t length = strcspn(name, " ="), k = 0;
            while (k < count && !(strlen(found[k].name) == length && memcmp(found[k].name, name, length) == 0))
                k++;
            if (k == count)
                fail_msg("%s has not %.*s", good[i].text, (int)length, name);
        }
    }
    static const struct {
        unsigned opcode;
        const char *text, *nearest;
    } near[] = {{REG_TEST, "SOURCES=1", "SOURCE"},        {REG_TEST, "SKIP_WAIT_FOR_M", "SKIP_WAIT_FOR_ME"},
                {COND_REG_EXEC, "MOD=1", "MODE"},         {0x32, "NUM_UNITS=1", "NUM_UNIT"},
                {0x32, "STATE_BLOK=1", "STATE_BLOCK"},    {MEM_WRITE, "ADDRS=1", "ADDR"},
                {REG_TEST, "NOTHING_LIKE_THESE=1", NULL}, {COND_REG_EXEC, "PRED_BIT=1", NULL} /* for another MODE */};
    unsigned family = gpucode_target_family(gpucode_target_find("afuc:a6xx")), words;
    uint64_t value;
    for (unsigned i = 0; i < sizeof near / sizeof *near; i++) {
        struct gpucode_field_wrong wrong = {.limit = 0};
        assert_false(gpucode_payload_read(family, near[i].opcode, NULL, 0, near[i].text, strlen(near[i].text), &value,
                                          &words, &wrong));
        assert_int_equal(wrong.fault, GPUCODE_FIELD_NO_NAME);
        assert_ptr_equal(wrong.at, near[i].text);
        if (near[i].nearest)
            assert_string_equal(wrong.nearest, near[i].nearest);
        else
            assert_null(wrong.nearest);
    }
    /* a field that another one has not selected, an unknown packet, and no payload in front of a later word */
    const char mask[] = "PRED_MASK=1";
    assert_false(gpucode_payload_read(family, REG_TEST, NULL, 0, mask, sizeof mask - 1, &value, &words, NULL));
    assert_false(gpucode_payload_read(family, REG_TEST, NULL, 1, mask, sizeof mask - 1, &value, &words, NULL));
    assert_false(gpucode_payload_read(99, REG_TEST, NULL, 0, "BIT=1", 5, &value, &words, NULL));
    assert_false(gpucode_payload_read(family, 200, NULL, 0, "BIT=1", 5, &value, &words, NULL));
}

/* Packets that are one word short of what they need do nothing, and what follows is told. */
static void test_short(void **state)
{
    static const struct {
        unsigned family, opcode, count;
        uint32_t words[5];
    } rows[] = {
        {7, CHAIN, 2, {0x100, 0}},         {6, 0x55, 2, {0x100, 0}},  /* CP_SET_AMBLE */
        {5, INDIRECT, 2, {0x100, 0}},      {4, INDIRECT, 1, {0x100}}, /* with an address of 32 bits */
        {7, 0x50, 4, {2, 0x100, 0, 2}},                               /* CP_START_BIN */
        {7, 0x7f, 3, {0x100, 0, 2 << 20}},                            /* CP_FIXED_STRIDE_DRAW_TABLE */
        {6, REG_TEST, 2, {1u << 31, 1}},                              /* sets predicates */
        {2, 0x2d, 2, {0x00050100, 3}},                                /* CP_SET_CONSTANT of another kind */
        {2, 0x2d, 2, {0x000c0100, 3}},
    };
    (void)state;
    AT(0x40, write_register(8, 8); write_register(9, 9));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        at = 0x100;
        put(1, rows[i].family < 5 ? 0xc0000000 | (rows[i].count - 1) << 16 | rows[i].opcode << 8
                                  : gpucode_packet_type7(rows[i].opcode, rows[i].count));
        for (unsigned k = 0; k < rows[i].count; k++)
            put(1, rows[i].words[k]);
        if (rows[i].family < 5) {
            put(2, 0x00000001, 2);
        } else {
            put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2); /* no predicate is known */
            write_register(1, 2);
        }
        const char *wanted = rows[i].family < 5 ? "1=2 " : "?1=2 ";
        if (strcmp(walk_family(rows[i].family, 0x100), wanted) != 0)
            fail_msg("%u: %s", (unsigned)i, told);
    }
}

/* As many buffers for switches of contexts as are kept, and one more. */
static void test_many_later(void **state)
{
    (void)state;
    unsigned entered = 0;
    AT(0x40, write_register(8, 8));
    for (unsigned i = 0; i < 65; i++)
        put(4, gpucode_packet_type7(0x55, 3), 4 * (0x1000 + 2 * i), 0, 2);
    walk("afuc:a6xx", 0x100);
    for (const char *c = told; (c = strchr(c, '{')); c++)
        entered++;
    assert_int_equal(entered, 64);
}

/* Predicates from scratch memory are not known; bits beside the one for it are of the register's number. */
static void test_sources(void **state)
{
    (void)state;
    write_register(0x50, 1);
    write_register(0x20050, 1);
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x50 | 1 << 18);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(1, 1);
    put(2, gpucode_packet_type7(REG_TEST, 1), 0x20050);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x10000000, 2);
    write_register(2, 2);
    put(2, gpucode_packet_type7(MARKER, 1), 2); /* RM6_BIN_VISIBILITY: bins */
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x30000000 | 1 << 25, 2);
    write_register(3, 3);
    put(3, gpucode_packet_type7(COND_REG_EXEC, 2), 0x30000000 | 6 << 25, 2);
    write_register(4, 4);
    assert_string_equal(walk("afuc:a7xx", 0x100), "50=1 20050=1 ?1=1 +2=2 +3=3 -4=4 ");
}

/* Names of the caller: as long as they may be, one longer, none. */
static size_t give_name(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    const size_t *length = user;
    if (space != GPUCODE_SPACE_GPU || number != 0x883)
        return 0;
    memset(text, 'x', *length < size ? *length : size);
    return *length;
}

static void test_names(void **state)
{
    size_t length;
    const struct gpucode_names names = {.name = give_name, .user = &length};
    const struct gpucode_packet_options options = {
        .family = 6, .read = load, .event = hear, .fields = true, .names = &names};
    (void)state;
    fields = true;
    write_register(0x883, 1);
    for (length = GPUCODE_NAME_MAX - 1; length <= GPUCODE_NAME_MAX; length++) {
        struct gpucode_packets *packets;
        assert_int_equal(gpucode_packets_create(&options, &packets), GPUCODE_OK);
        told[0] = 0;
        events_left = 0;
        assert_int_equal(gpucode_packets_walk(packets, 0x400, 2), GPUCODE_OK);
        gpucode_packets_free(packets);
        if (length == GPUCODE_NAME_MAX)
            assert_string_equal(told, "CP_SCRATCH[0].REG:883=1 ");
        else
            assert_int_equal(strspn(told, "x"), length);
    }
}

/* Fields of a payload with room for fewer, and arguments that are none. */
static void test_payload_room(void **state)
{
    static const struct {
        unsigned opcode;
        uint32_t payload[3];
        unsigned size; /* of the payload */
        size_t count;
        unsigned words;
    } rows[] = {
        {COND_REG_EXEC, {0x10140000, 7}, 2, 2, 1},
        {COND_REG_EXEC, {0x1014ffff, 7}, 2, 3, 1}, /* with bits of no field */
        {0x32, {0x00620000, 0x1011000}, 2, 5, 1},
        {0x38, {0x86, 1, 3}, 3, 5, 1}, /* CP_DRAW_INDX_OFFSET: a layout of its own */
        {MEM_WRITE, {0x1000, 2, 3}, 3, 1, 2},
        {MEM_WRITE, {0x1000}, 1, 1, 1}, /* the upper half of the address is not there */
    };
    struct gpucode_field_value found[8];
    unsigned words;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t room = 0; room < 8; room++) {
            uint32_t *payload = malloc(rows[i].size * sizeof *payload);
            assert_non_null(payload);
            memcpy(payload, rows[i].payload, rows[i].size * sizeof *payload);
            memset(found, 0, sizeof found);
            size_t count =
                gpucode_payload_fields(6, rows[i].opcode, payload, rows[i].size, 0, room ? found : NULL, room, &words);
            free(payload);
            if (count != rows[i].count || words != rows[i].words)
                fail_msg("%u: %zu, %u", rows[i].opcode, count, words);
            for (size_t k = 0; k < 8; k++)
                assert_int_equal(found[k].name != NULL, k < count && k < room);
        }
    const uint32_t payload[2] = {0x10140000, 7};
    assert_int_equal(gpucode_payload_fields(6, COND_REG_EXEC, payload, 2, 1, found, 8, &words), 1);
    assert_int_equal(gpucode_payload_fields(6, COND_REG_EXEC, payload, 2, 2, found, 8, &words), 0);
    assert_int_equal(gpucode_payload_fields(9, COND_REG_EXEC, payload, 2, 1, found, 8, &words), 0);
    assert_int_equal(gpucode_payload_fields(6, COND_REG_EXEC, NULL, 2, 1, found, 8, &words), 0);
    assert_int_equal(gpucode_payload_fields(6, COND_REG_EXEC, payload, 2, 1, NULL, 1, &words), 0);
    assert_int_equal(gpucode_payload_fields(6, COND_REG_EXEC, payload, 2, 1, found, 8, NULL), 0);
    for (unsigned opcode = 255; opcode < 258; opcode++)
        assert_int_equal(gpucode_payload_fields(6, opcode, payload, 2, 1, found, 8, &words), 0);
}

TEST_GROUP(packets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_writes, begin),
        cmocka_unit_test_setup(test_words_after_the_first, begin),
        cmocka_unit_test_setup(test_memory_condition, begin),
        cmocka_unit_test_setup(test_modify, begin),
        cmocka_unit_test(test_headers),
        cmocka_unit_test_setup(test_parity, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_long, begin),
        cmocka_unit_test_setup(test_buffers, begin),
        cmocka_unit_test_setup(test_groups, begin),
        cmocka_unit_test_setup(test_conditions, begin),
        cmocka_unit_test_setup(test_skipped_state, begin),
        cmocka_unit_test_setup(test_maybe, begin),
        cmocka_unit_test_setup(test_nested_nops, begin),
        cmocka_unit_test_setup(test_fields, begin),
        cmocka_unit_test_setup(test_old_packets, begin),
        cmocka_unit_test_setup(test_later, begin),
        cmocka_unit_test_setup(test_loads, begin),
        cmocka_unit_test_setup(test_bins, begin),
        cmocka_unit_test_setup(test_stop, begin),
        cmocka_unit_test_setup(test_arguments, begin),
        cmocka_unit_test(test_payload_texts),
        cmocka_unit_test(test_places),
        cmocka_unit_test_setup(test_short, begin),
        cmocka_unit_test_setup(test_many_later, begin),
        cmocka_unit_test_setup(test_sources, begin),
        cmocka_unit_test_setup(test_names, begin),
        cmocka_unit_test(test_payload_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
