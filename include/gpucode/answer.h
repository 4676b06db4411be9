/* SPDX-License-Identifier: MIT */
/*
 * Answers: what the library has found out, as data that anybody can print or read.
 *
 *     struct gpucode_answer *answer = gpucode_answer_create();
 *     gpucode_crash_explain(crash, NULL, answer);                      // or whatever else gives an answer
 *     gpucode_answer_render(answer, &(struct gpucode_answer_options){.form = GPUCODE_ANSWER_AS_JSON, .write = write});
 *     gpucode_answer_free(answer);
 *
 * An answer is a tree of values. Each value has a field, which says once and for all forms what it is: its key in JSON,
 * how text shows it, its unit, what it means. The fields of one kind of answer are a table of constants, from which the
 * JSON Schema is made, too. A function that gives an answer puts values into it one after another:
 *
 *     gpucode_answer_begin(answer, &fields[RING]);
 *     gpucode_answer_number(answer, &fields[RING_ID], 3);
 *     gpucode_answer_end(answer);
 *
 * Nothing that puts a value fails by itself: what went wrong is kept and told by gpucode_answer_status(). Values that
 * were put outside of every other value are the answer's outermost ones: one, or many for a stream of records.
 *
 * One thread at a time may use an answer; several answers are independent. A null answer takes everything, keeps
 * nothing and is out of memory.
 */
#ifndef GPUCODE_ANSWER_H
#define GPUCODE_ANSWER_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a value is, and how it reads. */
enum gpucode_answer_kind {
    GPUCODE_ANSWER_TEXT,    /* a text; JSON: a string */
    GPUCODE_ANSWER_COUNT,   /* a number that is counted; text: decimal; JSON: a number */
    GPUCODE_ANSWER_PLACE,   /* a place, in the field's unit; text: hexadecimal with 0x; JSON: a number */
    GPUCODE_ANSWER_HEX,     /* an address, a register's number, a value; hexadecimal with 0x; JSON: such a string */
    GPUCODE_ANSWER_WORD,    /* bits of code: eight hexadecimal digits without 0x; JSON: such a string */
    GPUCODE_ANSWER_SIGNED,  /* a number with a sign; JSON: a number */
    GPUCODE_ANSWER_REAL,    /* a float; JSON: a number, or the string "nan", "inf" or "-inf" */
    GPUCODE_ANSWER_FLAG,    /* yes or no; JSON: true or false. Text shows the field when it is true */
    GPUCODE_ANSWER_NOTHING, /* known to be absent; JSON: null; text: nothing */
    GPUCODE_ANSWER_OBJECT,  /* members with keys */
    GPUCODE_ANSWER_LIST,    /* values without keys */
    GPUCODE_ANSWER_CLOSE,   /* of a table of fields: ends the object or list that was begun last */
};

/* What a value is for the eye: colours in text, classes in HTML. */
enum gpucode_answer_style {
    GPUCODE_ANSWER_PLAIN,
    GPUCODE_ANSWER_HEADING, /* the whole field, bold */
    GPUCODE_ANSWER_STRONG,  /* the value, bold */
    GPUCODE_ANSWER_GOOD,    /* green: added, right */
    GPUCODE_ANSWER_BAD,     /* red: gone, wrong */
    GPUCODE_ANSWER_WARN,    /* yellow: changed, doubtful */
    GPUCODE_ANSWER_NAME,    /* cyan: names of registers, packets, functions */
    GPUCODE_ANSWER_DIM,     /* what matters less */
    GPUCODE_ANSWER_LISTING, /* lines that are never wrapped; newlines and tabs of the value stay */
    GPUCODE_ANSWER_TABLE,   /* of a list: HTML makes it a table, its objects rows, their members cells */
    GPUCODE_ANSWER_SIDES,   /* the same; all cells of a row are equally wide, one alone takes all of it */
    /* Of an object: HTML folds what follows its first lines from a TABLE on, and has a search over all that is folded.
     * The first number that is shown names it (#d5). */
    GPUCODE_ANSWER_FOLD,
    /* Of a text: markup that HTML has as it is, so that whoever makes it answers for it; other text leaves it out. */
    GPUCODE_ANSWER_PICTURE,
};

/*
 * A field: a row of a table of constants, which outlives every answer that uses it. In a table the fields of an object
 * or list stand after it, up to its row of kind CLOSE.
 */
struct gpucode_answer_field {
    /*
     * In JSON; null: an item of a list, an outermost value, or what is for text alone. The members of an object or a
     * list that is for text alone are in JSON those of what is around it; an outermost list is always so, and its items
     * are lines.
     */
    const char *key;
    /*
     * How text shows the field; null: not at all. Everything stands for itself but
     *   %s       the value, of an object or list its members; %-12s and %12s: padded with spaces, %08s: so many digits
     *   %(A|B)   A when the number is 1, else B
     *   %{, }    the items of a list, with that text between them
     *   %%       a percent sign
     * Text in front of and after %s and %{ of an object or list is shown when something in it is shown.
     */
    const char *text;
    const char *unit;    /* "words", "bytes", ...; of texts the values there are, "a|b|c"; "": any, or none */
    const char *meaning; /* a sentence in English */
    enum gpucode_answer_kind kind;
    enum gpucode_answer_style style;
    bool optional;    /* may be absent */
    bool may_be_null; /* may be NOTHING */
};

/* The fields of one kind of answer, for documents and schemas. */
struct gpucode_answer_table {
    const char *name;    /* "crash" */
    const char *meaning; /* a sentence */
    const struct gpucode_answer_field *fields;
    size_t count;
};

struct gpucode_answer;

/* A value of an answer, which owns it. */
struct gpucode_answer_value {
    const struct gpucode_answer_field *field;
    const char *key;               /* the field's, or the one that this value was given; null: none */
    enum gpucode_answer_kind kind; /* the field's, or NOTHING */
    union {
        uint64_t number; /* COUNT, PLACE, HEX, WORD */
        int64_t signed_number;
        double real;
        bool flag;
    };
    const char
        *text;     /* of a TEXT the value; of others what text shows in place of the value, or null. Zero-terminated */
    size_t length; /* bytes of it */
    bool quiet;    /* text leaves it out: gpucode_answer_quiet() */
    struct gpucode_answer_value *first, *next; /* of the members; beside this one. Null: none */
};

enum gpucode_answer_form {
    GPUCODE_ANSWER_AS_TEXT,
    GPUCODE_ANSWER_AS_JSON, /* an outermost value a line */
    GPUCODE_ANSWER_AS_HTML, /* one page */
    /* The text to paste into a report: headings, what is STRONG at the start of a line as a paragraph, the rest as
     * code; neither wrapped nor coloured */
    GPUCODE_ANSWER_AS_MARKDOWN,
};

struct gpucode_answer_options {
    enum gpucode_answer_form form;
    /* Takes a part of the output; false: it could not, and nothing more is written. Must not be null. */
    bool (*write)(void *user, const char *text, size_t length);
    void *user;
    unsigned columns;  /* text: lines are wrapped at spaces to so many columns; 0: not at all */
    bool color;        /* text: with the escape sequences of terminals */
    bool indent;       /* JSON: a member a line */
    const char *title; /* HTML: of the page, and its heading; null: "gpucode", and no heading */
};

/* An answer that is kept; null: out of memory. */
GPUCODE_API struct gpucode_answer *gpucode_answer_create(void);
/*
 * An answer that is rendered while it is made, and not kept: for output of which there is much. `options` are copied.
 * Null: out of memory, or no `write`.
 */
GPUCODE_API struct gpucode_answer *gpucode_answer_stream(const struct gpucode_answer_options *options);
/* With all its values. Null is allowed. What a stream has not written yet is lost: gpucode_answer_finish(). */
GPUCODE_API void gpucode_answer_free(struct gpucode_answer *answer);

/* --- making --- */

/* Begins an object or a list, as the field's kind says. Beyond 32 levels: GPUCODE_ERROR_RANGE. */
GPUCODE_API void gpucode_answer_begin(struct gpucode_answer *answer, const struct gpucode_answer_field *field);
/* Ends what was begun last. */
GPUCODE_API void gpucode_answer_end(struct gpucode_answer *answer);
/* The next value has this key, copied, in place of its field's: for objects whose keys are names of something. */
GPUCODE_API void gpucode_answer_key(struct gpucode_answer *answer, const char *key);
/*
 * Text leaves out the next value, with all that is in it; the other forms have it. For what is too much to read, such
 * as the items of a long list that have nothing to do with what is told.
 */
GPUCODE_API void gpucode_answer_quiet(struct gpucode_answer *answer);
/* A text is copied; null: the field is left out. */
GPUCODE_API void gpucode_answer_text(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                     const char *text);
GPUCODE_API void gpucode_answer_bytes(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                      const char *text, size_t length);
/* As printf() has it; null: the field is left out. */
GPUCODE_API void gpucode_answer_format(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                       const char *format, ...) __attribute__((format(printf, 3, 4)));
/* COUNT, PLACE, HEX and WORD. */
GPUCODE_API void gpucode_answer_number(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                       uint64_t number);
/* Several of them, of fields that stand one after another in their table. */
GPUCODE_API void gpucode_answer_numbers(struct gpucode_answer *answer, const struct gpucode_answer_field *first,
                                        const uint64_t *numbers, size_t count);
/* The same; text shows `shown`, copied, in place of the number. Null: the number. */
GPUCODE_API void gpucode_answer_shown(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                      uint64_t number, const char *shown);
GPUCODE_API void gpucode_answer_signed(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                       int64_t number);
GPUCODE_API void gpucode_answer_real(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                     double number);
GPUCODE_API void gpucode_answer_flag(struct gpucode_answer *answer, const struct gpucode_answer_field *field,
                                     bool flag);
GPUCODE_API void gpucode_answer_nothing(struct gpucode_answer *answer, const struct gpucode_answer_field *field);
/* Notes that something went wrong where the answer is made; the first one counts. */
GPUCODE_API void gpucode_answer_fail(struct gpucode_answer *answer, enum gpucode_status status);

/* Is the answer in that form, or may it be later? For those who make what one form alone shows. */
GPUCODE_API bool gpucode_answer_has(const struct gpucode_answer *answer, enum gpucode_answer_form form);
/*
 * GPUCODE_OK; GPUCODE_ERROR_MEMORY: something could not be kept, and the answer is not whole; GPUCODE_ERROR_SPACE: the
 * stream's `write` refused; another one that gpucode_answer_fail() was told.
 */
GPUCODE_API enum gpucode_status gpucode_answer_status(const struct gpucode_answer *answer);
/* Writes what a stream has not written yet, and ends the page of HTML. Returns the status. */
GPUCODE_API enum gpucode_status gpucode_answer_finish(struct gpucode_answer *answer);

/* --- reading an answer that was kept --- */

/* The first of the outermost values; null: there is none. */
GPUCODE_API const struct gpucode_answer_value *gpucode_answer_first(const struct gpucode_answer *answer);
/* The member of an object, or null. A null value has none. */
GPUCODE_API const struct gpucode_answer_value *gpucode_answer_member(const struct gpucode_answer_value *value,
                                                                     const char *key);
/* Puts all of another answer, which was kept, after what this one has; it stays the caller's. */
GPUCODE_API void gpucode_answer_add(struct gpucode_answer *answer, const struct gpucode_answer *kept);
/* Renders all of it. Returns what gpucode_answer_finish() does. */
GPUCODE_API enum gpucode_status gpucode_answer_render(const struct gpucode_answer *answer,
                                                      const struct gpucode_answer_options *options);
/* The same into memory, with a final zero; to be freed with free(). `write` and `user` of the options are not used. */
GPUCODE_API enum gpucode_status gpucode_answer_print(const struct gpucode_answer *answer,
                                                     const struct gpucode_answer_options *options, char **text,
                                                     size_t *length);

/* --- tables --- */

/*
 * Puts a JSON Schema (draft 7) of the JSON form into another answer as one object. Of a table with several outermost
 * rows each line of the output fits one of them.
 */
GPUCODE_API void gpucode_answer_schema(const struct gpucode_answer_table *table, struct gpucode_answer *schema);

#ifdef __cplusplus
}
#endif
#endif
