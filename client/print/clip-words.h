/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What is said to people, in their language. The catalogue is looked for when something
 * is said for the first time: what only passes bytes on never pays for it. What scripts
 * read is never passed through here. */
#define _(text) clip_words (text)
#define N_(text) text
#define P_(one, many, n) clip_words_count (one, many, n)

const char *clip_words (const char *text) G_GNUC_FORMAT (1);
const char *clip_words_count (const char *one, const char *many, gulong n)
    G_GNUC_FORMAT (1) G_GNUC_FORMAT (2);

G_END_DECLS
