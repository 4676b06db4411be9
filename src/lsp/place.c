/* SPDX-License-Identifier: MIT */
/* From units of an image to the words that stand for them. */
#include "lsp/server.h"

#include <stdlib.h>

static bool stands_for_unit(const struct gpucode_word *word)
{
    return word->kind == GPUCODE_TOKEN_MNEMONIC || word->kind == GPUCODE_TOKEN_STATEMENT ||
           word->kind == GPUCODE_TOKEN_DIRECTIVE;
}

/* The first word for each unit of the image; null: there is no image, or no memory. */
static const uint32_t *words_of_units(struct document *document, uint32_t *units)
{
    const struct gpucode_image *image = document_image(document);
    const struct gpucode_word *word;
    *units = image ? gpucode_image_info(image)->units : 0;
    if (!image || document->unit_words)
        return document->unit_words;
    uint32_t *words = document->unit_words = malloc(((size_t)*units + 1) * sizeof *words);
    for (uint32_t i = 0; words && i < *units; i++)
        words[i] = GPUCODE_NONE;
    for (uint32_t i = 0; words && (word = gpucode_source_word(document->source, i)); i++)
        if (stands_for_unit(word) && word->unit < *units) {
            uint32_t before = words[word->unit];
            /* directives that make nothing stand in front of what does */
            if (before == GPUCODE_NONE ||
                (gpucode_source_word(document->source, before)->kind == GPUCODE_TOKEN_DIRECTIVE &&
                 word->kind != GPUCODE_TOKEN_DIRECTIVE))
                words[word->unit] = i;
        }
    return words;
}

bool place_of_unit(struct document *document, uint32_t unit, unsigned operand, uint32_t *file,
                   struct gpucode_span *span)
{
    uint32_t units;
    const uint32_t *words = words_of_units(document, &units);
    if (!words || unit >= units)
        return false;
    while (words[unit] == GPUCODE_NONE && unit)
        unit--; /* padding and lists are many units of one statement */
    const struct gpucode_word *word = gpucode_source_word(document->source, words[unit]);
    if (!word)
        return false;
    *file = word->file;
    *span = word->span;
    size_t end = span->offset + span->length;
    for (uint32_t i = words[unit] + 1; (word = gpucode_source_word(document->source, i)); i++) {
        if (word->file != *file || word->unit != unit || stands_for_unit(word) || word->kind == GPUCODE_TOKEN_LABEL ||
            word->kind == GPUCODE_TOKEN_COMMENT)
            break;
        if (word->kind == GPUCODE_TOKEN_OPERAND && operand && word->operand == operand - 1) {
            *span = word->span;
            return true;
        }
        if (word->kind == GPUCODE_TOKEN_OPERAND && word->span.offset + word->span.length > end)
            end = word->span.offset + word->span.length;
    }
    span->length = end - span->offset;
    return true;
}
