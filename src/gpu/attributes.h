/* SPDX-License-Identifier: MIT */
/* What registers say of vertex buffers and the attributes in them, at a draw. */
#ifndef GPU_ATTRIBUTES_H
#define GPU_ATTRIBUTES_H

#include <gpucode/fields.h>
#include <stdbool.h>
#include <stdint.h>

struct view;

#define ATTRIBUTES_MAX 32
#define ATTRIBUTE_BUFFERS_MAX 32

struct attribute {
    unsigned number, buffer, offset; /* offset: bytes in the buffer's elements */
    char format[GPUCODE_FIELD_TEXT_MAX];
};

struct attribute_buffer {
    char name[32]; /* "VFD_VERTEX_BUFFER[0]" */
    uint64_t address, stride;
    uint64_t size; /* bytes; UINT64_MAX: no register tells */
};

/* Returns how many there are in `list`. */
unsigned attributes_find(const struct view *view, struct attribute list[ATTRIBUTES_MAX]);
/* Buffers 0 to one less than this may be there; `found` attributes are in the list. */
unsigned attributes_buffers(const struct view *view, const struct attribute *list, unsigned found);
/* False: nothing was set. */
bool attributes_buffer(const struct view *view, unsigned number, struct attribute_buffer *buffer);

#endif
