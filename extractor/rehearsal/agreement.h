/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does the user mean this machine?  Before what cannot be undone. */
#ifndef EPITAPH_REHEARSAL_AGREEMENT_H
#define EPITAPH_REHEARSAL_AGREEMENT_H

#include <stdbool.h>

/*
 * agreement_get() - the name of the machine must be typed on standard input
 * @verb: what will be done to it: "crash it"
 * @yes: it was agreed to before; nothing is asked
 *
 * Return: is it agreed?  If not, standard output says that nothing was done.
 */
bool agreement_get(const char *root, const char *verb, bool yes);

/*
 * agreement_alone() - is no other user logged in?
 * @name: of the command
 *
 * Return: true; or false, and standard error says who is, and what to do.
 */
bool agreement_alone(const char *root, const char *name);

#endif
