/* SPDX-License-Identifier: MIT */
/*
 * Output that is longer than the terminal goes through a pager: $PAGER, or `less`, which gets LESS=FRX as git has it
 * unless it is set. What fits on the screen is shown as it is, with any pager.
 */
#ifndef FRONT_PAGER_H
#define FRONT_PAGER_H

/*
 * From here on standard output, and standard error where it is a terminal too, are watched by another process. Nothing
 * happens where standard output is not a terminal that can do more than write, or PAGER is empty or `cat`.
 */
void pager_begin(void);

#endif
