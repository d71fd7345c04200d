/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/**
 * CliphistKind:
 * @CLIPHIST_KIND_ANY: of a query: every kind. No entry has it
 * @CLIPHIST_KIND_TEXT: text
 * @CLIPHIST_KIND_IMAGE: a picture
 * @CLIPHIST_KIND_FILES: a list of files
 * @CLIPHIST_KIND_OTHER: anything else
 *
 * What an entry is. The D-Bus interface calls it the class.
 */
typedef enum
{
  CLIPHIST_KIND_ANY,
  CLIPHIST_KIND_TEXT,
  CLIPHIST_KIND_IMAGE,
  CLIPHIST_KIND_FILES,
  CLIPHIST_KIND_OTHER,
} CliphistKind;

/**
 * CliphistSelectFlags:
 * @CLIPHIST_SELECT_NONE: every type that the entry holds, on the clipboard
 * @CLIPHIST_SELECT_PLAIN: its plain text alone
 * @CLIPHIST_SELECT_PRIMARY: as the primary selection, too, where the display has one for
 * us
 * @CLIPHIST_SELECT_MOVE: and it moves to the top of the history, as when it is copied
 * again
 *
 * How [method@History.select_async] offers an entry.
 */
typedef enum /*< flags >*/
{
  CLIPHIST_SELECT_NONE = 0,
  CLIPHIST_SELECT_PLAIN = 1 << 0,
  CLIPHIST_SELECT_PRIMARY = 1 << 1,
  CLIPHIST_SELECT_MOVE = 1 << 2,
} CliphistSelectFlags;

G_END_DECLS
