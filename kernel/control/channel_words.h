/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands "channel", "size" and "snapshot" of /dev/epitaph-control. */
#ifndef EPITAPH_CONTROL_CHANNEL_WORDS_H
#define EPITAPH_CONTROL_CHANNEL_WORDS_H

struct epitaph_answer;

/* @rest: what follows the name; it is taken to pieces.  0, or an error that @answer explains. */
int epitaph_do_channel(struct epitaph_answer *answer, char *rest);
int epitaph_do_size(struct epitaph_answer *answer, char *rest);
int epitaph_do_snapshot(struct epitaph_answer *answer, char *rest);

#endif /* EPITAPH_CONTROL_CHANNEL_WORDS_H */
