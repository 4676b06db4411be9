/* SPDX-License-Identifier: MIT */
/* Arenas, lists, buffers and pages of emulated memory beside plain arrays that do the same. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/operators.h"
#include "base/pages.h"
#include "base/text.h"

#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

static uint64_t random_state;

static uint64_t any(uint64_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (random_state >> 33) % below;
}

/* --- arenas and lists --------------------------------------------------------------------------------------------- */

static void arenas_give_zeroed_pieces(void)
{
    struct arena arena = {0};
    struct piece {
        unsigned char *bytes;
        size_t size;
        unsigned char mark;
    } pieces[400];
    random_state = 1;
    for (unsigned i = 0; i < 400; i++) {
        size_t size = i % 50 == 0 ? 20000 : i % 7 ? any(200) : any(6000);
        unsigned char *bytes = i % 3 ? arena_alloc(&arena, size) : arena_array(&arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(bytes[k], 0);
        pieces[i] = (struct piece){bytes, size, (unsigned char)(i + 1)};
        memset(bytes, pieces[i].mark, size);
        if (i % 5 == 0)
            assert_string_equal(arena_copy(&arena, "text and more", 4), "text");
        if (i % 11 == 0)
            assert_string_equal(arena_format(&arena, "%u and %s", i, "more"), i == 0 ? "0 and more" : arena_format(&arena, "%d and more", (int)i));
    }
    for (unsigned i = 0; i < 400; i++)
        for (size_t k = 0; k < pieces[i].size; k++)
            assert_int_equal(pieces[i].bytes[k], pieces[i].mark);
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    assert_string_equal(arena_format(&arena, "%s", ""), "");
    assert_null(arena_alloc(&arena, SIZE_MAX / 2 + 1));
    assert_null(arena_array(&arena, SIZE_MAX / 4, 16));
    assert_null(arena_array(&arena, SIZE_MAX / 16 + 2, 16)); /* 16 bytes, where it wraps around */
    assert_null(arena_copy(&arena, "", SIZE_MAX));
    assert_null(arena_copy(&arena, "", SIZE_MAX - 1));
    arena_free(&arena);
    assert_null(arena.blocks);
    assert_ptr_equal(arena.at, arena.end);
}

static void lists_keep_items(void)
{
    struct list list = {0}, numbers = {0};
    struct arena arena = {0};
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t *item = list_add(&list, sizeof *item);
        assert_non_null(item);
        assert_int_equal(*item, 0);
        *item = 3 * i;
        assert_true(list_push(&numbers, 5 * i));
        assert_int_equal(list.count, i + 1);
    }
    for (unsigned i = 1000; i-- > 500;)
        assert_int_equal(list_pop(&numbers), 5 * i);
    assert_int_equal(numbers.count, 500);
    free(numbers.items);
    const uint64_t *kept = list_keep(&list, &arena, sizeof *kept);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(kept[i], 3 * i);
    assert_int_equal(list.count, 0);
    assert_null(list.items);
    assert_non_null(list_keep(&list, &arena, 8));
    list.failed = true;
    assert_null(list_keep(&list, &arena, 8));
    list.room = SIZE_MAX / 8;
    assert_false(list_grow(&list, 64));
    assert_true(list.failed);
    arena_free(&arena);
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

struct taken {
    char text[70000];
    size_t length, left; /* how often it takes more */
};

static bool take(void *user, const char *bytes, size_t length)
{
    struct taken *taken = user;
    if (!taken->left)
        return false;
    taken->left--;
    memcpy(taken->text + taken->length, bytes, length);
    taken->length += length;
    return true;
}

static void buffers_hold_what_is_appended(void)
{
    static char wanted[70000];
    static struct taken taken;
    for (int flushed = 0; flushed < 2; flushed++) {
        struct buffer buffer = {.flush = flushed ? take : NULL, .user = &taken};
        size_t length = 0;
        taken = (struct taken){.left = SIZE_MAX};
        random_state = 2;
        while (length < 60000) {
            char piece[8000];
            size_t size = any(30) ? any(100) : any(8000);
            for (size_t i = 0; i < size; i++)
                piece[i] = (char)('a' + any(26));
            memcpy(wanted + length, piece, size);
            length += size;
            buffer_append(&buffer, piece, size);
            if (any(4) == 0) {
                int more = snprintf(wanted + length, 64, "%u|%s", (unsigned)size, "end");
                buffer_format(&buffer, "%u|%s", (unsigned)size, "end");
                length += (size_t)more;
            }
            assert_false(buffer.failed);
        }
        if (flushed) {
            assert_true(buffer_finish(&buffer));
            assert_int_equal(buffer.length, 0);
            assert_int_equal(taken.length, length);
            assert_memory_equal(taken.text, wanted, length);
            assert_true(buffer.room < 20000);
        } else {
            assert_int_equal(buffer.length, length);
            assert_memory_equal(buffer.bytes, wanted, length);
        }
        assert_false(buffer_grow(&buffer, SIZE_MAX / 4 + 1));
        assert_true(buffer.failed);
        assert_false(buffer_grow(&buffer, 1));
        buffer_free(&buffer);
        assert_null(buffer.bytes);
        assert_false(buffer.failed);
    }
    struct buffer buffer = {.flush = take, .user = &taken};
    taken = (struct taken){.left = 1};
    for (unsigned i = 0; i < 3000 && !buffer.failed; i++)
        buffer_text(&buffer, "more");
    assert_true(buffer.refused);
    assert_int_equal(taken.length, 4096);
    assert_false(buffer_finish(&buffer));
    buffer_free(&buffer);
    /* what just fits into an empty window does not make it larger */
    static const char full[4097];
    buffer = (struct buffer){.flush = take, .user = &taken};
    taken = (struct taken){.left = 9};
    buffer_text(&buffer, "more");
    buffer_append(&buffer, full, 4096);
    assert_true(taken.length == 4 && buffer.length == 4096 && buffer.room == 4096);
    buffer_append(&buffer, full, 4097);
    assert_true(taken.length == 4100 && buffer.length == 4097 && buffer.room > 4096);
    buffer_free(&buffer);
}

/* --- operators and numbers ---------------------------------------------------------------------------------------- */

static void operators_are_the_longest(void)
{
    static const char *const texts[] = {"|", "||", "&", "&&", "==", "!=", "<", "<=", "<<", ">", ">=", ">>",
                                        "^", "+",  "-", "*",  "/",  "%"};
    static const unsigned levels[] = {LEVEL_BIT_OR, LEVEL_OR,      LEVEL_BIT_AND, LEVEL_AND,   LEVEL_EQUAL,   LEVEL_EQUAL,
                                      LEVEL_COMPARE, LEVEL_COMPARE, LEVEL_SHIFT,   LEVEL_COMPARE, LEVEL_COMPARE, LEVEL_SHIFT,
                                      LEVEL_BIT_XOR, LEVEL_ADD,     LEVEL_ADD,     LEVEL_MULTIPLY, LEVEL_MULTIPLY, LEVEL_MULTIPLY};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[8];
        int length = snprintf(text, sizeof text, "%s1", texts[i]);
        const struct operator_row *row = operator_at(text, text + length);
        assert_non_null(row);
        assert_int_equal(row->length, length - 1);
        assert_memory_equal(row->text, texts[i], row->length);
        assert_int_equal(row->level, levels[i]);
        const struct operator_row *cut = operator_at(text, text + 1); /* the text ends there */
        assert_int_equal(cut ? cut->length : 0, texts[i][0] == '=' || texts[i][0] == '!' ? 0 : 1);
        assert_null(operator_at(text, text));
    }
    for (int c = 0; c < 256; c++) {
        char text[2] = {(char)c, 'x'};
        assert_int_equal(c != '=' && c != '!' && operator_may_begin((char)c), operator_at(text, text + 2) != NULL);
    }
}

static void numbers_are_read(void)
{
    static const struct {
        const char *text;
        uint64_t value;
        int length; /* -1: none, or too large */
    } cases[] = {{"0", 0, 1},
                 {"12x", 12, 2},
                 {"0x1fG", 0x1f, 4},
                 {"0XfF", 0xff, 4},
                 {"0x", 0, 1},
                 {"x", 0, -1},
                 {"", 0, -1},
                 {"18446744073709551615", UINT64_MAX, 20},
                 {"18446744073709551616", 0, -1},
                 {"18446744073709551625", 0, -1},
                 {"0xffffffffffffffff", UINT64_MAX, 18},
                 {"0x10000000000000000", 0, -1},
                 {"007", 7, 3}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 99;
        const char *text = cases[i].text, *end = text_read_number(text, text + strlen(text), &value);
        if (cases[i].length < 0 ? end != NULL : !end || end - text != cases[i].length || value != cases[i].value)
            fail_msg("%s: %s, 0x%llx", text, end ? end : "none", (unsigned long long)value);
    }
}

/* --- pages -------------------------------------------------------------------------------------------------------- */

#define BASE UINT64_C(0xfffffffff000) /* the last pages of a node and the first of the next */
#define SIZE (6 * PAGE_BYTES)

struct model {
    unsigned char bytes[SIZE];
    bool mapped[SIZE / PAGE_BYTES];
};

static void compare_pages(struct pages *pages, const struct model *model)
{
    static unsigned char bytes[SIZE];
    bool all = true;
    for (size_t i = 0; i < SIZE / PAGE_BYTES; i++) {
        uint32_t value = 1;
        uint64_t address = BASE + i * PAGE_BYTES + 4 * any(PAGE_BYTES / 4);
        bool read = pages_read(pages, address, &value);
        assert_int_equal(read, model->mapped[i]);
        assert_int_equal(value, read ? page_word(model->bytes + (address - BASE)) : 0);
        assert_int_equal(pages_find(pages, address) != NULL, model->mapped[i]);
        all = all && model->mapped[i];
    }
    assert_int_equal(pages_load(pages, BASE, bytes, SIZE), all);
    assert_memory_equal(bytes, model->bytes, SIZE);
}

/* Words, runs of bytes, maps, copies and going back to them, in any order. */
static void pages_are_like_an_array(void)
{
    static struct model now, kept;
    for (unsigned round = 0; round < 30; round++) {
        struct pages pages = {0}, copy = {0};
        memset(&now, 0, sizeof now);
        memset(&kept, 0, sizeof kept);
        random_state = round + 10;
        bool shared = false, whole = false; /* is there a copy, and may the changes since be put back? */
        for (unsigned step = 0; step < 300; step++) {
            size_t offset = any(SIZE), length = 1 + any(any(8) ? 60 : 9000), page = offset / PAGE_BYTES;
            unsigned char bytes[9001];
            switch (any(12)) {
            case 0: /* a map of some bytes is one of their pages */
                length = length < SIZE - offset ? length : SIZE - offset;
                assert_true(pages_map(&pages, BASE + offset, length));
                for (size_t i = page; i <= (offset + length - 1) / PAGE_BYTES; i++)
                    now.mapped[i] = true;
                whole = false;
                break;
            case 1:
                pages_share(&pages, &copy);
                kept = now;
                shared = whole = true;
                break;
            case 2:
                if (shared && whole && pages_put_back(&pages))
                    now = kept;
                else if (shared) {
                    pages_share(&copy, &pages);
                    now = kept;
                    whole = true;
                }
                break;
            case 3:
            case 4:
                length = length < SIZE - offset ? length : SIZE - offset;
                for (size_t i = 0; i < length; i++)
                    bytes[i] = (unsigned char)any(256);
                assert_true(pages_store(&pages, BASE + offset, bytes, length));
                memcpy(now.bytes + offset, bytes, length);
                for (size_t i = page; i <= (offset + length - 1) / PAGE_BYTES; i++)
                    now.mapped[i] = true;
                break;
            default: {
                uint32_t value = (uint32_t)any(UINT32_MAX);
                offset &= ~(size_t)3;
                assert_int_equal(pages_write(&pages, BASE + offset, value), now.mapped[page]);
                if (now.mapped[page])
                    page_set_word(now.bytes + offset, value);
            }
            }
            compare_pages(&pages, &now);
            if (shared)
                compare_pages(&copy, &kept);
        }
        assert_false(pages.failed);
        assert_true(pages_beyond(&pages, NULL) >= pages_beyond(&pages, &copy));
        assert_int_equal(pages_beyond(&pages, &pages), 0);
        pages_free(&pages);
        pages_free(&copy);
        assert_null(pages_find(&pages, BASE));
    }
}

static void pages_at_their_limits(void)
{
    struct pages pages = {.lazy_end = 0x3000}, copy = {0};
    uint32_t value = 1;
    assert_true(pages_read(&pages, 0x2ffc, &value));
    assert_int_equal(value, 0);
    assert_false(pages_read(&pages, 0x3000, &value));
    assert_true(pages_write(&pages, 0x2ffc, 7));
    assert_false(pages_write(&pages, 0x3000, 7));
    assert_true(pages_read(&pages, 0x2ffc, &value));
    assert_int_equal(value, 7);
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];
    assert_true(pages_load(&pages, 0x2ff8, back, 8));
    assert_false(pages_load(&pages, 0x2ffc, back, 8));
    assert_int_equal(back[0], 7);
    assert_int_equal(back[4], 0);
    assert_false(pages_store(&pages, UINT64_MAX - 3, bytes, 8));
    assert_true(pages_store(&pages, UINT64_MAX - 7, bytes, 8));
    assert_true(pages_load(&pages, UINT64_MAX - 7, back, 8));
    assert_memory_equal(back, bytes, 8);
    assert_true(pages_store(&pages, UINT64_MAX, bytes, 0));
    assert_false(pages_map(&pages, UINT64_MAX, 2));
    assert_true(pages_map(&pages, UINT64_MAX, 1));
    assert_true(pages_map(&pages, 5, 0));
    assert_false(pages_read(&pages, UINT64_C(1) << 40, &value));
    /* a quarter of all there can be: a few objects, and what was there stays */
    assert_true(pages_map(&pages, 0, UINT64_C(1) << 62));
    assert_true(pages_read(&pages, 0x2ffc, &value));
    assert_int_equal(value, 7);
    assert_true(pages_read(&pages, (UINT64_C(1) << 62) - 4, &value));
    assert_int_equal(value, 0);
    assert_false(pages_read(&pages, UINT64_C(1) << 62, &value));
    assert_true(pages_beyond(&pages, NULL) < 200000);
    pages_share(&pages, &copy);
    assert_int_equal(pages_beyond(&pages, &copy), 0);
    assert_true(pages_write(&pages, 0x5000, 9));
    assert_true(pages_beyond(&pages, &copy) > PAGE_BYTES);
    assert_true(pages_read(&copy, 0x5000, &value));
    assert_int_equal(value, 0);
    assert_int_equal(copy.lazy_end, 0x3000);
    pages.failed = true;
    pages_share(&pages, &copy);
    assert_true(copy.failed);
    pages_free(&pages);
    pages_free(&copy);
    /* all pages of a node but the last, which is not there until it is mapped as well */
    pages = (struct pages){0};
    assert_true(pages_map(&pages, 0, 63 * PAGE_BYTES));
    assert_true(pages_read(&pages, 63 * PAGE_BYTES - 4, &value));
    assert_false(pages_read(&pages, 63 * PAGE_BYTES, &value));
    assert_true(pages_map(&pages, 63 * PAGE_BYTES, PAGE_BYTES));
    assert_true(pages_read(&pages, 63 * PAGE_BYTES, &value));
    assert_false(pages_read(&pages, 64 * PAGE_BYTES, &value));
    pages_free(&pages);
}

TESTS(memory, arenas_give_zeroed_pieces, lists_keep_items, buffers_hold_what_is_appended, operators_are_the_longest,
      numbers_are_read, pages_are_like_an_array, pages_at_their_limits)
