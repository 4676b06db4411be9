/* SPDX-License-Identifier: MIT */
/* Making and reading answers. A tree is the form of an answer that is kept; to render it is to make it again. */
#include "answer/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the tree ----------------------------------------------------------------------------------------------------- */

static const char *copy_text(struct gpucode_answer *answer, const char *text, size_t length)
{
    const char *copy = text ? arena_copy(&answer->arena, text, length) : NULL;
    if (text && !copy)
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
    return copy;
}

static struct gpucode_answer_value *keep(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    struct gpucode_answer_value *kept = arena_alloc(&answer->arena, sizeof *kept);
    if (!kept) {
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
        return NULL;
    }
    *kept = *value;
    kept->text = copy_text(answer, value->text, value->length);
    if (kept->key && kept->key != kept->field->key)
        kept->key = copy_text(answer, kept->key, strlen(kept->key));
    struct answer_level *top = answer_top(answer);
    struct gpucode_answer_value **last = top ? &top->last : &answer->last;
    if (*last)
        (*last)->next = kept;
    else if (!top)
        answer->first = kept;
    else if (top->value)
        top->value->first = kept;
    *last = kept;
    return kept;
}

/* The new level is not on top yet: it is this one's to fill. */
static void keep_container(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    answer->level[answer->depth].value = keep(answer, value);
}

static void keep_leaf(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    keep(answer, value);
}

static void keep_end(struct gpucode_answer *answer, struct answer_level *level)
{
    (void)answer;
    (void)level;
}

static const struct answer_form answer_as_tree = {keep_container, keep_leaf, keep_end, NULL, NULL, NULL, NULL};

/* --- life --------------------------------------------------------------------------------------------------------- */

struct gpucode_answer *gpucode_answer_create(void)
{
    struct gpucode_answer *answer = calloc(1, sizeof *answer);
    if (answer)
        answer->form = &answer_as_tree;
    return answer;
}

static bool hand_over(void *user, const char *bytes, size_t length)
{
    const struct gpucode_answer_options *options = user;
    return options->write(options->user, bytes, length);
}

struct gpucode_answer *gpucode_answer_stream(const struct gpucode_answer_options *options)
{
    struct gpucode_answer *answer = options && options->write ? gpucode_answer_create() : NULL;
    if (!answer)
        return NULL;
    answer->options = *options;
    answer->form = options->form == GPUCODE_ANSWER_AS_JSON ? &answer_as_json : &answer_as_text;
    if (options->form != GPUCODE_ANSWER_AS_TEXT)
        answer->options.columns = 0;
    answer->quick = options->form == GPUCODE_ANSWER_AS_TEXT && !options->columns && !options->color;
    if (!(answer->templates = calloc(ANSWER_TEMPLATES, sizeof *answer->templates))) {
        gpucode_answer_free(answer);
        return NULL;
    }
    answer->out.flush = hand_over;
    answer->out.user = &answer->options;
    return answer;
}

bool gpucode_answer_has(const struct gpucode_answer *answer, enum gpucode_answer_form form)
{
    return answer && (!answer->options.write || answer->options.form == form);
}

void gpucode_answer_free(struct gpucode_answer *answer)
{
    if (!answer)
        return;
    arena_free(&answer->arena);
    buffer_free(&answer->out);
    page_rows_free(&answer->rows);
    buffer_free(&answer->line);
    free(answer->templates);
    free(answer);
}

enum gpucode_status gpucode_answer_status(const struct gpucode_answer *answer)
{
    if (!answer)
        return GPUCODE_ERROR_MEMORY;
    if (answer->status == GPUCODE_OK && (answer->out.failed || answer->line.failed))
        return answer->out.refused ? GPUCODE_ERROR_SPACE : GPUCODE_ERROR_MEMORY;
    return answer->status;
}

void gpucode_answer_fail(struct gpucode_answer *answer, enum gpucode_status status)
{
    if (answer && answer->status == GPUCODE_OK)
        answer->status = status;
}

enum gpucode_status gpucode_answer_finish(struct gpucode_answer *answer)
{
    if (!answer)
        return GPUCODE_ERROR_MEMORY;
    if (answer->form->finish)
        answer->form->finish(answer);
    if (answer->options.write)
        buffer_finish(&answer->out);
    return gpucode_answer_status(answer);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static struct gpucode_answer_value value_of(struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    const char *key = answer->key ? answer->key : field->key;
    bool quiet = answer->quiet;
    answer->key = NULL;
    answer->quiet = false;
    return (struct gpucode_answer_value){.field = field, .key = key, .kind = field->kind, .quiet = quiet};
}

/* Nearly all texts and numbers: see struct answer_form. */
static inline bool put_quickly(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number,
                               const char *text, size_t length)
{
    return answer->form->quick && !answer->key && !answer->quiet &&
           answer->form->quick(answer, field, number, text, length);
}

static void put(struct gpucode_answer *answer, const struct gpucode_answer_value *value)
{
    answer->form->leaf(answer, value);
}

void gpucode_answer_begin(struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    if (!answer)
        return;
    if (answer->depth == ANSWER_DEPTH_MAX) {
        gpucode_answer_fail(answer, GPUCODE_ERROR_RANGE);
        return;
    }
    const struct answer_level *top = answer_top(answer), *around = answer_real(answer);
    bool named = answer->key || field->key, hidden = !field->text || answer->quiet || (top && top->hidden);
    bool for_text =
        !named && (around ? around->field->kind == GPUCODE_ANSWER_OBJECT : field->kind == GPUCODE_ANSWER_LIST);
    answer->level[answer->depth] = (struct answer_level){
        .field = field, .for_text = for_text, .depth = (around ? around->depth : 0) + !for_text, .hidden = hidden};
    if (answer->key || answer->quiet || !answer->form->quick_begin || !answer->form->quick_begin(answer, field)) {
        struct gpucode_answer_value value = value_of(answer, field);
        answer->form->begin(answer, &value);
    }
    answer->depth++;
}

void gpucode_answer_end(struct gpucode_answer *answer)
{
    if (!answer || !answer->depth)
        return;
    answer->form->end(answer, &answer->level[answer->depth - 1]);
    answer->depth--;
}

void gpucode_answer_key(struct gpucode_answer *answer, const char *key)
{
    if (answer)
        answer->key = key;
}

void gpucode_answer_quiet(struct gpucode_answer *answer)
{
    if (answer)
        answer->quiet = true;
}

void gpucode_answer_bytes(struct gpucode_answer *answer, const struct gpucode_answer_field *field, const char *text,
                          size_t length)
{
    if (!answer || !text || put_quickly(answer, field, 0, text, length))
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.text = text;
    value.length = length;
    put(answer, &value);
}

void gpucode_answer_text(struct gpucode_answer *answer, const struct gpucode_answer_field *field, const char *text)
{
    gpucode_answer_bytes(answer, field, text, text ? strlen(text) : 0);
}

void gpucode_answer_format(struct gpucode_answer *answer, const struct gpucode_answer_field *field, const char *format,
                           ...)
{
    char small[256], *text = small;
    va_list arguments;
    if (!format)
        return;
    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof small) {
        text = malloc((size_t)length + 1);
        if (text) {
            va_start(arguments, format);
            vsnprintf(text, (size_t)length + 1, format, arguments);
            va_end(arguments);
        }
    }
    if (text && length >= 0)
        gpucode_answer_bytes(answer, field, text, (size_t)length);
    else
        gpucode_answer_fail(answer, GPUCODE_ERROR_MEMORY);
    if (text != small)
        free(text);
}

void gpucode_answer_shown(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number,
                          const char *shown)
{
    size_t length = shown ? strlen(shown) : 0;
    if (!answer || put_quickly(answer, field, number, shown, length))
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.number = number;
    value.text = shown;
    value.length = length;
    put(answer, &value);
}

void gpucode_answer_number(struct gpucode_answer *answer, const struct gpucode_answer_field *field, uint64_t number)
{
    gpucode_answer_shown(answer, field, number, NULL);
}

void gpucode_answer_numbers(struct gpucode_answer *answer, const struct gpucode_answer_field *first,
                            const uint64_t *numbers, size_t count)
{
    if (answer && answer->form->numbers && answer->form->numbers(answer, first, numbers, count))
        return;
    for (size_t i = 0; answer && i < count; i++)
        gpucode_answer_shown(answer, &first[i], numbers[i], NULL);
}

void gpucode_answer_signed(struct gpucode_answer *answer, const struct gpucode_answer_field *field, int64_t number)
{
    if (!answer)
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.signed_number = number;
    put(answer, &value);
}

void gpucode_answer_real(struct gpucode_answer *answer, const struct gpucode_answer_field *field, double number)
{
    if (!answer)
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.real = number;
    put(answer, &value);
}

void gpucode_answer_flag(struct gpucode_answer *answer, const struct gpucode_answer_field *field, bool flag)
{
    if (!answer)
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.flag = flag;
    put(answer, &value);
}

void gpucode_answer_nothing(struct gpucode_answer *answer, const struct gpucode_answer_field *field)
{
    if (!answer)
        return;
    struct gpucode_answer_value value = value_of(answer, field);
    value.kind = GPUCODE_ANSWER_NOTHING;
    put(answer, &value);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

const struct gpucode_answer_value *gpucode_answer_first(const struct gpucode_answer *answer)
{
    return answer ? answer->first : NULL;
}

const struct gpucode_answer_value *gpucode_answer_member(const struct gpucode_answer_value *value, const char *key)
{
    for (const struct gpucode_answer_value *member = value ? value->first : NULL; member; member = member->next) {
        const struct gpucode_answer_value *inner = NULL;
        if (member->key && strcmp(member->key, key) == 0)
            return member;
        if (!member->key && member->kind == GPUCODE_ANSWER_OBJECT) /* a part of the text */
            inner = gpucode_answer_member(member, key);
        if (inner)
            return inner;
    }
    return NULL;
}

/* The levels of the tree are few: see gpucode_answer_begin(). */
static void make_again(struct gpucode_answer *answer, const struct gpucode_answer_value *first)
{
    for (const struct gpucode_answer_value *value = first; value; value = value->next) {
        answer->key = value->key;
        answer->quiet = value->quiet;
        if (value->kind != GPUCODE_ANSWER_OBJECT && value->kind != GPUCODE_ANSWER_LIST) {
            answer->key = NULL;
            answer->quiet = false;
            put(answer, value);
            continue;
        }
        gpucode_answer_begin(answer, value->field);
        make_again(answer, value->first);
        gpucode_answer_end(answer);
    }
}

void gpucode_answer_add(struct gpucode_answer *answer, const struct gpucode_answer *kept)
{
    if (!answer)
        return;
    gpucode_answer_fail(answer, gpucode_answer_status(kept));
    make_again(answer, kept ? kept->first : NULL);
}

enum gpucode_status gpucode_answer_render(const struct gpucode_answer *answer,
                                          const struct gpucode_answer_options *options)
{
    if (!answer || !options)
        return answer ? GPUCODE_ERROR_ARGUMENT : GPUCODE_ERROR_MEMORY;
    struct gpucode_answer *stream = gpucode_answer_stream(options);
    make_again(stream, stream ? answer->first : NULL);
    enum gpucode_status status = gpucode_answer_finish(stream);
    gpucode_answer_free(stream);
    return status == GPUCODE_OK ? gpucode_answer_status(answer) : status;
}

static bool append(void *user, const char *text, size_t length)
{
    struct buffer *buffer = user;
    buffer_append(buffer, text, length);
    return !buffer->failed;
}

enum gpucode_status gpucode_answer_print(const struct gpucode_answer *answer,
                                         const struct gpucode_answer_options *options, char **text, size_t *length)
{
    struct buffer buffer = {0};
    if (!answer || !options)
        return answer ? GPUCODE_ERROR_ARGUMENT : GPUCODE_ERROR_MEMORY;
    struct gpucode_answer_options all = *options;
    all.write = append;
    all.user = &buffer;
    enum gpucode_status status = gpucode_answer_render(answer, &all);
    buffer_append(&buffer, "", 1);
    if (buffer.failed)
        status = GPUCODE_ERROR_MEMORY;
    if (status != GPUCODE_OK) {
        buffer_free(&buffer);
        return status;
    }
    *text = buffer.bytes;
    *length = buffer.length - 1;
    return GPUCODE_OK;
}
