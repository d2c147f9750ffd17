/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of html/, made into one text by html/embed: what comes before the data, and after. */
#ifndef EPITAPH_EXPORT_HTML_PAGE_H
#define EPITAPH_EXPORT_HTML_PAGE_H

#include <stddef.h>

extern const char html_page_head[];
extern const size_t html_page_head_size;
extern const char html_page_tail[];
extern const size_t html_page_tail_size;

#endif
