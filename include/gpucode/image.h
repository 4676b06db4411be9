/* SPDX-License-Identifier: MIT */
/*
 * Images: a file with code in it, taken apart without running anything.
 *
 *     struct gpucode_image *image;
 *     if (gpucode_image_open(bytes, size, NULL, &image) == GPUCODE_OK) {
 *         printf("%s\n", gpucode_target_name(gpucode_image_info(image)->target));
 *         gpucode_image_free(image);
 *     }
 *
 * An image does not copy its bytes: they must live as long as it does.
 */
#ifndef GPUCODE_IMAGE_H
#define GPUCODE_IMAGE_H

#include <gpucode/diagnostic.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_image;

/* Offset or size that does not exist. */
#define GPUCODE_NONE UINT32_MAX

struct gpucode_image_options {
    const struct gpucode_target *target; /* wins over what the bytes say (a warning tells); null: find out */
    const char *file_name;               /* helps where the content leaves doubt; null: unknown */
    bool raw;                            /* no container: all of it is code of `target` */
    struct gpucode_diagnostic_handler on_diagnostic;
};

/* One part of an image with code of its own. Offsets in units of the target (AFUC: words). */
struct gpucode_section {
    const char *name;         /* "SQE", "BR", "BV", "LPAC", "DDE", "AQE", "PFP", "PM4", "CP" */
    uint32_t start;           /* first unit, from the start of the image */
    uint32_t size;            /* units, packet table included */
    uint32_t table;           /* packet table, from the start of the section; GPUCODE_NONE without one */
    const char *start_source; /* how start was found, for people: "table end of BR, 32-byte aligned" */
    const char *table_source; /* how table was found; null without a table */
};

/* A word of the header whose meaning is known, or a fact with its source. */
struct gpucode_image_fact {
    const char *name;   /* "id", "version", "total words" */
    const char *value;  /* as text */
    const char *source; /* "word 0 bits 23:12" */
};

struct gpucode_image_info {
    const struct gpucode_target *target; /* what the code is decoded as */
    const char *format;                  /* "afuc", "hwsq", "a3xx" */
    const char *layout;                  /* which container form: "a7xx header", "plain", "AQE", "raw words" */
    uint32_t id;                         /* AFUC firmware id, 0xfff bits; GPUCODE_NONE: none */
    uint32_t version;                    /* AFUC low 12 bits of the first word; GPUCODE_NONE: none */
    bool id_known;                       /* the id is in the table of known firmware */
    bool target_given;                   /* the caller chose the target */
    uint32_t prefix;                     /* bytes before the image that are not code (AFUC: the zero word) */
    uint32_t units;                      /* units of the image, tail bytes not counted */
    uint32_t tail;                       /* bytes after the last whole unit */
    uint32_t trailer;                    /* unit where a build-date trailer starts; GPUCODE_NONE: none */
    char date[16];                       /* "2025-02-14" from the trailer, or empty */
    unsigned section_count;
    const struct gpucode_section *sections;
    unsigned fact_count;
    const struct gpucode_image_fact *facts;
};

/*
 * Takes `size` bytes apart. `options` may be null. On success *out owns what it allocated (not the
 * bytes); free it with gpucode_image_free(). Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (nothing is
 * known of such bytes and no target was given; the diagnostic handler was told), GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_image_open(const void *bytes, size_t size,
                                                   const struct gpucode_image_options *options,
                                                   struct gpucode_image **out);
/* null is allowed. */
GPUCODE_API void gpucode_image_free(struct gpucode_image *image);
/*
 * A number that tells files apart, as symbol files have it to say which image they belong to: FNV-1a of 64 bits. 0 is
 * that of nothing (null).
 */
GPUCODE_API uint64_t gpucode_bytes_hash(const void *bytes, size_t size);
/* Lives as long as the image. */
GPUCODE_API const struct gpucode_image_info *gpucode_image_info(const struct gpucode_image *image);
/* The bytes the image was opened with. */
GPUCODE_API const void *gpucode_image_bytes(const struct gpucode_image *image, size_t *size);

/*
 * Handler of packet table entry `entry` (0..127) of a section, in units from the section's start.
 * False when there is no table or no such entry.
 */
GPUCODE_API bool gpucode_image_handler(const struct gpucode_image *image, unsigned section, unsigned entry,
                                       uint32_t *handler);

/*
 * The file that holds both, for programs that run on two processors and come in two files: AFUC the firmware of the PFP
 * and that of the ME of an a5xx, in this order. Such an image has a section for each, and a machine made of it runs
 * both, with the queue between them. *bytes is malloc'ed, followed by a zero, for the caller to free(). Returns
 * GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (these two do not belong together), GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_image_join(const struct gpucode_image *first,
                                                   const struct gpucode_image *second, void **bytes, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
