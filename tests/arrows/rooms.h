/* SPDX-License-Identifier: MIT */
/* src/rooms.def as a table, for the tests of arrows: which room is a file in, and which others does that see? */
#ifndef ARROWS_ROOMS_H
#define ARROWS_ROOMS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum side { LIBRARY, FRONT };

struct room {
    const char *path;
    enum side side;
    const char *includes, *calls, *foreign;
};

static const struct room rooms[] = {
#define ROOM(path, side, includes, calls, foreign, purpose) {path, side, includes, calls, foreign},
#include "../../src/rooms.def"
};

/* Where a file is, as far as rooms care. */
struct place {
    const struct room *room; /* null: in none */
    const char *set;         /* the folder that `*` stands for */
    size_t set_length;
};

/* Is the file `name`, a path below src/ that may have an ending, in the room? */
static inline bool room_has(const struct room *room, const char *name, struct place *place)
{
    *place = (struct place){room, NULL, 0};
    for (const char *path = room->path; *path; path++)
        if (*path == '*') {
            place->set = name;
            place->set_length = strcspn(name, "/");
            name += place->set_length;
            if (!*name) /* a file, not a folder */
                return false;
        } else if (*name++ != *path) {
            return false;
        }
    return !*name || *name == '/' || (*name == '.' && !strchr(room->path, '/')); /* "registry.c" is a room */
}

static inline struct place place_of(const char *name)
{
    struct place found = {0}, place;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        /* a path with `*` is the last resort among those of its length */
        size_t length = found.room ? strlen(found.room->path) - !!strchr(found.room->path, '*') : 0;
        if (room_has(&rooms[i], name, &place) && strlen(rooms[i].path) > length)
            found = place;
    }
    return found;
}

static inline bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at++)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

/* Are the folders that `*` stands for, where both have one, the same? */
static inline bool same_set(const struct place *a, const struct place *b)
{
    return !a->set || !b->set || (a->set_length == b->set_length && strncmp(a->set, b->set, a->set_length) == 0);
}

/* May a file at `from` see one at `to`, by a list of its room: includes or calls? */
static inline bool place_sees(const struct place *from, const struct place *to, const char *list)
{
    return to->room && same_set(from, to) && (from->room == to->room || has_word(list, to->room->path));
}

#endif
