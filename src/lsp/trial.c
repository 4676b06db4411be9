/* SPDX-License-Identifier: MIT */
/* Would edited texts be the same program? The assembler says it. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

struct trial {
    const struct view *view;
    char *(*edit)(void *user, uint32_t file, size_t *length);
    void *user;
};

static bool include_edited(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const struct trial *trial = user;
    const char *slash = *name == '/' ? NULL : strrchr(from, '/');
    size_t folder = slash ? (size_t)(slash - from) + 1 : 0;
    for (uint32_t i = 1; i < trial->view->document->file_count; i++) {
        const char *known = document_file(trial->view->document, i);
        if (strlen(known) == folder + strlen(name) && memcmp(known, from, folder) == 0 &&
            strcmp(known + folder, name) == 0) {
            *text = trial->edit(trial->user, i, length);
            return *text;
        }
    }
    return false;
}

static uint32_t count_words(const struct gpucode_source *source)
{
    uint32_t count = 0;
    while (gpucode_source_word(source, count))
        count++;
    return count;
}

/* Has it the same words, in what they mean, the same errors and the same bytes? */
static bool is_same(const struct gpucode_source *a, const struct gpucode_source *b)
{
    uint32_t a_count, b_count, words = count_words(a);
    const struct gpucode_program *left = gpucode_source_program(a), *right = gpucode_source_program(b);
    gpucode_source_diagnostics(a, &a_count);
    gpucode_source_diagnostics(b, &b_count);
    if (a_count != b_count || !left != !right || words != count_words(b))
        return false;
    for (uint32_t i = 0; i < words; i++) {
        const struct gpucode_word *one = gpucode_source_word(a, i), *other = gpucode_source_word(b, i);
        if (one->symbol != other->symbol || one->kind != other->kind)
            return false;
    }
    size_t size = gpucode_program_size(left);
    return !left || (size == gpucode_program_size(right) &&
                     memcmp(gpucode_program_bytes(left), gpucode_program_bytes(right), size) == 0);
}

bool trial_is_same(const struct view *view, char *(*edit)(void *user, uint32_t file, size_t *length), void *user)
{
    struct trial trial = {view, edit, user};
    const struct text *first = &view->document->texts[0];
    struct gpucode_asm_options options = {.target = view->target,
                                          .file = document_file(view->document, 0),
                                          .names = document_names(view->document),
                                          .include = include_edited,
                                          .user = &trial};
    if (gpucode_source_target(first->bytes, first->length))
        options.target = NULL; /* as it was read */
    size_t length = 0;
    char *text = edit(user, 0, &length);
    struct gpucode_source *source = NULL;
    if (text)
        memory_done(gpucode_source_read(text, length, &options, &source));
    bool same = source && is_same(view->source, source);
    gpucode_source_free(source);
    free(text);
    return same;
}
