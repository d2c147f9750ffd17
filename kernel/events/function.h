/* SPDX-License-Identifier: GPL-2.0-only */
/* Where functions of the kernel's begin, also those that it does not export. */
#ifndef EPITAPH_EVENTS_FUNCTION_H
#define EPITAPH_EVENTS_FUNCTION_H

/**
 * epitaph_function_find() - where a function begins
 * @name: of it
 * @addr: set on success
 *
 * Context: process, may sleep; one at a time.
 * Return: 0; -ENOENT: this kernel has no function of that name; another error: the address
 *	cannot be found here.
 */
int epitaph_function_find(const char *name, unsigned long *addr);

/**
 * epitaph_functions_stop() - give back what finding took
 *
 * Context: process, may sleep; nothing is found any more.
 */
void epitaph_functions_stop(void);

#endif /* EPITAPH_EVENTS_FUNCTION_H */
