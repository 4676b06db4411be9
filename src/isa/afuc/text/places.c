/* SPDX-License-Identifier: MIT */
#include "isa/afuc/text/found.h"

#include <stdlib.h>
#include <string.h>

void afuc_places_begin(struct afuc_places *places, const struct gpucode_disasm_options *options, bool raw)
{
    *places = (struct afuc_places){.at = GPUCODE_NONE};
    if (raw || !options->constants)
        return;
    places->list = options->constants;
    places->count = options->constant_count;
    for (size_t i = 0; i < places->count; i++)
        if (places->list[i].kind == GPUCODE_CONSTANT_END)
            places->end = &places->list[i];
}

static void go_to(struct afuc_places *places, size_t index)
{
    /* sections in front of the first `.section` have no name that one could write */
    while (index < places->count && places->list[index].section == places->section && places->list[index].from_image &&
           !places->list[index].to_section)
        index++;
    bool more = index < places->count && places->list[index].section == places->section;
    places->next = more ? &places->list[index] : NULL;
    places->at = more ? places->next->at : GPUCODE_NONE;
}

void afuc_places_enter(struct afuc_places *places, unsigned number)
{
    size_t index = 0;
    places->section = number;
    places->start = false;
    for (size_t i = 0; i < places->count; i++)
        places->start |= places->list[i].kind == GPUCODE_CONSTANT_SECTION && places->list[i].to_section == number;
    while (index < places->count && places->list[index].section < number)
        index++;
    go_to(places, index);
}

void afuc_places_step(struct afuc_places *places)
{
    go_to(places, (size_t)(places->next - places->list) + 1);
}

const struct gpucode_code_constant *afuc_places_here(const struct afuc_places *places,
                                                     const struct gpucode_code_constant *after)
{
    const struct gpucode_code_constant *at = after ? after + 1 : places->list;
    for (; places->list && at < places->list + places->count; at++)
        if (at->to_section == places->section)
            return at;
    return NULL;
}

bool afuc_places_known(const struct afuc_places *places, const uint8_t *executed, uint32_t words, uint8_t **known)
{
    const struct gpucode_code_constant *constant = NULL;
    *known = NULL;
    if (!afuc_places_here(places, NULL))
        return true;
    *known = calloc((size_t)words + 1, 1);
    if (!*known)
        return false;
    if (executed)
        memcpy(*known, executed, words);
    while ((constant = afuc_places_here(places, constant))) {
        uint32_t count = constant->count ? constant->count : 1;
        if (constant->kind <= GPUCODE_CONSTANT_CODE && constant->to < words)
            memset(*known + constant->to, 1, count < words - constant->to ? count : words - constant->to);
    }
    return true;
}

char *afuc_put_place(char *start, char *end, const char *place, size_t length)
{
    char *number = end;
    while (number > start && !(number[0] == '0' && number[1] == 'x'))
        number--;
    char *rest = number + 2;
    while (rest < end && ((*rest >= '0' && *rest <= '9') || (*rest >= 'a' && *rest <= 'f')))
        rest++;
    memmove(number + length, rest, (size_t)(end - rest));
    memcpy(number, place, length);
    return number + length + (end - rest);
}
