/* SPDX-License-Identifier: MIT */
/* What the making of an answer tells a form of it: keeping it as a tree, and rendering it, are both such forms. */
#ifndef ANSWER_ANSWER_H
#define ANSWER_ANSWER_H

#include "base/arena.h"
#include "base/buffer.h"
#include "utf8/utf8.h"
#include <gpucode/answer.h>

#define ANSWER_DEPTH_MAX 32 /* a schema has two or three for each of the answer it describes */

/* An object or list that was begun. Which members a form uses is its own business. */
struct answer_level {
    const struct gpucode_answer_field *field;
    bool for_text;       /* it has no key where one is needed: its members are those of what is around it */
    unsigned depth;      /* levels down to this one, without those for text */
    size_t written;      /* JSON: members; text: members of which something was shown */
    const char *after;   /* text: the rest of the field's template */
    const char *between; /* text: what stands between items; null: nothing */
    size_t between_length;
    unsigned empty;        /* HTML: cells of a row of which nothing was shown, not written yet */
    bool hidden;           /* text: it is left out, with all that is in it */
    bool in_summary;       /* HTML: of a FOLD what is always seen is not ended yet */
    bool is_inert;         /* HTML: of a FOLD what is folded has begun */
    bool shown, in_member; /* text: something of it was shown; a member was begun and has shown something */
    struct gpucode_answer_value *value, *last; /* tree */
};

/* What is known of a field for those who render millions of values. */
struct answer_template {
    const struct gpucode_answer_field *field; /* whose it is; null: nobody's */
    /* Text: nothing but %s, and what is around it stands for itself; no style but that of listings. JSON: the key fits
     * here, as ", \"key\": ". */
    bool simple;
    const char *after; /* text: what follows %s */
    size_t before_length, after_length;
    char key[32];
};
enum { ANSWER_TEMPLATES = 256 };

/* HTML: rows of tables that fold, each different one once, numbered as they come. */
struct answer_rows {
    struct buffer bytes;
    size_t *ends;    /* in `bytes`, by number */
    uint32_t *slots; /* by hash, of twice the room: number plus 1 */
    uint32_t count, room;
    bool failed;
    size_t start;                                                /* of the row at work, in `out` */
    bool (*flush)(void *user, const char *bytes, size_t length); /* of `out`, meanwhile */
};

/* Has there been such a row? Else it is the next one; `failed`: there is no memory. */
bool page_rows_find(struct answer_rows *rows, const char *row, size_t length, uint32_t *number);
void page_rows_free(struct answer_rows *rows);

/* Markdown: what the line at work is, and what was written before it. */
struct answer_markdown {
    bool heading, strong;
    bool begun, code, apart; /* something is written; the last line is code; there were empty ones after it */
};

/* The end of a line, which is kept until then. */
void markdown_line(struct gpucode_answer *answer);

struct gpucode_answer {
    const struct answer_form *form;
    struct gpucode_answer_options options;
    enum gpucode_status status;
    unsigned depth;
    struct answer_level level[ANSWER_DEPTH_MAX];
    const char *key; /* of the next value, or null */
    bool quiet;      /* text leaves out the next value */
    struct buffer out;
    struct answer_template *templates; /* by field; see answer_template() */
    /* tree */
    struct arena arena;
    struct gpucode_answer_value *first, *last;
    /* text and HTML */
    struct buffer line; /* what is not wrapped yet */
    unsigned opened;    /* levels of which something was shown */
    bool quick;         /* lines are as they come: neither wrapped nor coloured */
    bool listing;       /* something in the line is not to be wrapped */
    bool in_listing;    /* what is written now is not, on all of its lines */
    bool line_begun;    /* something of the line is written, or in `line` */
    bool begun, folds;  /* HTML: the page; something in it folds */
    struct answer_rows rows;
    struct answer_markdown markdown;
};

/* `value` has no members: those come one by one, between begin() and end() of the level on top. */
struct answer_form {
    void (*begin)(struct gpucode_answer *answer, const struct gpucode_answer_value *value);
    void (*leaf)(struct gpucode_answer *answer, const struct gpucode_answer_value *value);
    /* The level is still on top. */
    void (*end)(struct gpucode_answer *answer, struct answer_level *level);
    void (*finish)(struct gpucode_answer *answer); /* or null */
    /*
     * The same as leaf() of a text, or of a number that shows `text` where that is not null, without the making of a
     * value; false: it is for leaf(). Null where that is quick enough.
     */
    bool (*quick)(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number,
                  const char *text, size_t length);
    bool (*quick_begin)(struct gpucode_answer *answer, const struct gpucode_answer_field *field);
    bool (*numbers)(struct gpucode_answer *answer, const struct gpucode_answer_field *first, const uint64_t *numbers,
                    size_t count);
};

extern const struct answer_form answer_as_json, answer_as_text;

/* What is kept of the field; `make` finds it out. */
static inline const struct answer_template *
answer_template(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                void (*make)(struct answer_template *kept, const struct gpucode_answer_field *field))
{
    struct answer_template *kept = &answer->templates[(uintptr_t)field / sizeof *field % ANSWER_TEMPLATES];
    if (kept->field != field)
        make(kept, field);
    return kept;
}

/* The level on top, or null. */
static inline struct answer_level *answer_top(struct gpucode_answer *answer)
{
    return answer->depth ? &answer->level[answer->depth - 1] : NULL;
}

/* The innermost level that is not for text alone, or null. */
static inline struct answer_level *answer_real(struct gpucode_answer *answer)
{
    unsigned depth = answer->depth;
    while (depth && answer->level[depth - 1].for_text)
        depth--;
    return depth ? &answer->level[depth - 1] : NULL;
}

/*
 * The character at `text`, of which at most `length` bytes are there: its bytes, and its number; 0 for a byte that is
 * not UTF-8, which is one byte long.
 */
static inline size_t answer_character(const char *text, size_t length, uint32_t *character)
{
    *character = 0;
    size_t size = utf8_decode(text, length, character);
    return size ? size : 1;
}

/* --- lines.c ------------------------------------------------------------------------------------------------------ */

static inline bool answer_is_html(const struct gpucode_answer *answer)
{
    return answer->options.form == GPUCODE_ANSWER_AS_HTML;
}
static inline bool answer_is_markdown(const struct gpucode_answer *answer)
{
    return answer->options.form == GPUCODE_ANSWER_AS_MARKDOWN;
}
/* As it is. */
void answer_emit(struct gpucode_answer *answer, const char *text, size_t length);
/* With the entities of HTML. */
void answer_emit_escaped(struct gpucode_answer *answer, const char *text, size_t length);
/* Text of ours. */
void answer_emit_plain(struct gpucode_answer *answer, const char *text, size_t length);
/* Text of anybody's: nothing that a terminal would act on; `lines`: it may have newlines. Returns the columns it takes.
 */
size_t answer_emit_safely(struct gpucode_answer *answer, const char *text, size_t length, bool lines);
void answer_set_style(struct gpucode_answer *answer, enum gpucode_answer_style style, bool on);
/* Puts out the line that was gathered, in as many lines as it takes. */
void answer_wrap(struct gpucode_answer *answer);

#endif
