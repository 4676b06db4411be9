/* SPDX-License-Identifier: MIT */
#include "ends.h"
#include "guarded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void outcome_add(struct outcome *out, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out->digest = (out->digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    out->digest = (out->digest ^ size) * UINT64_C(0x100000001b3);
}

void outcome_number(struct outcome *out, uint64_t number)
{
    outcome_add(out, &number, sizeof number);
}

void outcome_text(struct outcome *out, const char *text)
{
    outcome_add(out, text, text ? strlen(text) + 1 : 0);
}

static void hear(void *user, const struct gpucode_diagnostic *d)
{
    struct outcome *out = user;
    outcome_number(out, d->line);
    outcome_number(out, d->column);
    outcome_number(out, d->length);
    outcome_text(out, d->code);
    outcome_text(out, d->message);
    outcome_text(out, d->hint);
}

struct gpucode_diagnostic_handler outcome_listen(struct outcome *out)
{
    return (struct gpucode_diagnostic_handler){hear, out};
}

bool ends_hold(const char *text, ends_reader *read, const void *user)
{
    static const char after[] = "\0.(),0xahrc[] -+#:'\"\n";
    size_t length = strlen(text);
    struct guarded memory = guarded_memory(2 * length + 16);
    char *copy = memory.begin;
    assert_non_null(copy);
    bool hold = true;
    for (size_t cut = 0; hold && cut <= length; cut++) {
        struct outcome alone = {0};
        read(user, guarded_end(&memory, text, cut), cut, &alone);
        memset(copy, 0, 2 * length + 16);
        memcpy(copy, text, cut);
        for (size_t i = 0; hold && i < sizeof after; i++) { /* the last of them: the text goes on */
            struct outcome followed = {0};
            size_t put = i + 1 < sizeof after;
            copy[cut] = after[i];
            memcpy(copy + cut + put, text + cut, length - cut);
            read(user, copy, cut, &followed);
            if (followed.digest != alone.digest) {
                print_error("'%.*s' is read in another way before '%s'\n", (int)cut, text, copy + cut);
                hold = false;
            }
        }
    }
    guarded_free(&memory);
    return hold;
}
