/* SPDX-License-Identifier: MIT */
/*
 * Images with a map beside them (NAME.fw and NAME.json): the maps' sections, tables, handlers and ids are found.
 *
 *     test-image vectors [-- DIRECTORY...]
 *
 * Directories that are not there are left out; skipped when nothing was there to compare.
 */
#include "files.h"
#include "opening.h"

#include "isa/isa.h"
#include <dirent.h>
#include <gpucode/gpucode.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **paths; /* without the ".json" */
static unsigned path_count;

static void find_maps(const char *directory)
{
    DIR *opened = opendir(directory);
    for (struct dirent *entry; opened && (entry = readdir(opened));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".json") != 0)
            continue;
        paths = realloc(paths, (path_count + 1) * sizeof *paths);
        if (!paths || asprintf(&paths[path_count++], "%s/%.*s", directory, (int)length - 5, entry->d_name) < 0)
            exit(1);
    }
    if (opened)
        closedir(opened);
}

static int64_t integer(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_null(value) ? GPUCODE_NONE : json_integer_value(value);
}

static void compare_sections(const struct gpucode_image *image, const json_t *map, bool named)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    const json_t *sections = json_object_get(map, "sections");
    assert_int_equal(info->section_count, json_array_size(sections));
    for (unsigned i = 0; i < info->section_count; i++) {
        const json_t *expected = json_array_get(sections, i);
        const struct gpucode_section *section = &info->sections[i];
        const char *name = json_string_value(json_object_get(expected, "name"));
        assert_string_equal(section->name, !named && strcmp(name, "PM4") == 0 ? "CP" : name);
        assert_int_equal(section->start, integer(expected, "start"));
        assert_int_equal(section->size, integer(expected, "words"));
        assert_int_equal(section->table, integer(expected, "table"));
        const json_t *entries = json_object_get(expected, "entries");
        for (unsigned entry = 0; entry < json_array_size(entries); entry++) {
            uint32_t handler;
            assert_true(gpucode_image_handler(image, i, entry, &handler));
            assert_int_equal(handler, json_integer_value(json_array_get(entries, entry)));
        }
    }
}

static void compare_trailer(const struct gpucode_image_info *info, const json_t *map)
{
    const json_t *trailer = json_object_get(map, "trailer");
    if (json_is_null(trailer)) {
        assert_int_equal(info->trailer, GPUCODE_NONE);
        return;
    }
    const char *text = json_string_value(json_object_get(trailer, "text"));
    char date[16];
    snprintf(date, sizeof date, "%.4s-%.2s-%.2s", text + 4, text, text + 2);
    assert_int_equal(info->trailer, integer(trailer, "word"));
    assert_string_equal(info->date, date);
}

static void compare_maps(void **state)
{
    (void)state;
    for (unsigned i = 0; i < path_count; i++) {
        char path[4096];
        size_t size = 0;
        snprintf(path, sizeof path, "%s.json", paths[i]);
        json_t *map = json_load_file(path, 0, NULL);
        assert_non_null(map);
        snprintf(path, sizeof path, "%s.fw", paths[i]);
        char *bytes = read_whole(path, &size);
        assert_non_null(bytes);
        const char *layout = json_string_value(json_object_get(map, "layout"));
        /* With the file's name, and with the content alone. */
        for (unsigned named = 0; named < 2; named++) {
            struct gpucode_image_options options = {.file_name = named ? path : NULL};
            struct heard heard;
            void *copy;
            struct gpucode_image *image;
            assert_int_equal(open_copy(bytes, size, &options, &heard, &copy, &image), GPUCODE_OK);
            assert_string_equal(heard.codes, "");
            check_sanity(image);
            const struct gpucode_image_info *info = gpucode_image_info(image);
            char id[8];
            snprintf(id, sizeof id, "%03x", (unsigned)info->id);
            assert_string_equal(id, json_string_value(json_object_get(map, "id")));
            assert_int_equal(info->version, integer(map, "version"));
            assert_int_equal(info->units, integer(map, "image_words"));
            /* The chip is the layout's name up to an underscore, but for the files that are named after others. */
            const char *target = strncmp(layout, "a5xx", 4) == 0       ? "afuc:a530"
                                 : strncmp(layout, "gen70900", 8) == 0 ? "afuc:a750"
                                                                       : NULL;
            char chip[32];
            snprintf(chip, sizeof chip, "afuc:%.*s", (int)strcspn(layout, "_"), layout);
            assert_ptr_equal(info->target, afuc_target(target ? target : chip));
            assert_int_equal(info->target->generation, integer(map, "generation") - 5);
            compare_sections(image, map, named || strstr(layout, "pm4") == NULL);
            compare_trailer(info, map);
            gpucode_image_free(image);
            free(copy);
        }
        free(bytes);
        json_decref(map);
    }
}

/* Mesa's mock firmware has no map: where its labels and tables stand follows from its own header words. */
static void mock_images(void **state)
{
    (void)state;
    static const struct {
        const char *file, *target;
        unsigned count;
        struct {
            const char *name;
            uint32_t start, size, table;
        } sections[3];
    } mocks[] = {
        {"a6xx.fw", "afuc:a630", 1, {{"SQE", 0, 257, 129}}},
        {"a7xx.fw", "afuc:a730", 3, {{"BR", 0, 288, 160}, {"BV", 288, 160, 32}, {"LPAC", 448, 152, 24}}},
    };
    for (unsigned i = 0; i < 2; i++) {
        char path[60];
        snprintf(path, sizeof path, "afuc/mock/%s", mocks[i].file);
        size_t size;
        char *bytes = read_vector(path, &size);
        if (!bytes) {
            skip();
            return;
        }
        struct heard heard;
        void *copy;
        struct gpucode_image *image;
        assert_int_equal(open_copy(bytes, size, NULL, &heard, &copy, &image), GPUCODE_OK);
        assert_string_equal(heard.codes, "");
        check_sanity(image);
        const struct gpucode_image_info *info = gpucode_image_info(image);
        assert_ptr_equal(info->target, afuc_target(mocks[i].target));
        assert_string_equal(info->layout, "plain");
        assert_int_equal(info->version, 1);
        assert_int_equal(info->section_count, mocks[i].count);
        for (unsigned s = 0; s < info->section_count; s++) {
            assert_string_equal(info->sections[s].name, mocks[i].sections[s].name);
            assert_int_equal(info->sections[s].start, mocks[i].sections[s].start);
            assert_int_equal(info->sections[s].size, mocks[i].sections[s].size);
            assert_int_equal(info->sections[s].table, mocks[i].sections[s].table);
        }
        gpucode_image_free(image);
        free(copy);
        free(bytes);
    }
}

TEST_GROUP(vectors)
{
    char directory[4096];
    const char *vectors = vectors_folder();
    snprintf(directory, sizeof directory, "%s/afuc/synth-examples", vectors ? vectors : "");
    for (int i = 0; i < group_argument_count; i++)
        find_maps(group_arguments[i]);
    if (!group_argument_count && vectors)
        find_maps(directory);
    if (!path_count)
        return GROUP_SKIPPED;
    fprintf(stderr, "%u maps\n", path_count);
    const struct CMUnitTest tests[] = {cmocka_unit_test(compare_maps), cmocka_unit_test(mock_images)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (unsigned i = 0; i < path_count; i++)
        free(paths[i]);
    free(paths);
    return failed;
}
