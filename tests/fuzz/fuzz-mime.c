/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lines of the input are the types of an offer. */
#include "fuzz.h"

#include "clip-mime.h"
#include "clip-secrecy.h"

#include <string.h>

static void
check_name (const char *mime)
{
  const char *name = clip_mime_canonical (mime);

  g_assert_true (clip_mime_same (mime, name));
  g_assert_cmpstr (clip_mime_canonical (name), ==, name);
  g_assert_nonnull (clip_mime_aliases (mime)[0]);
  g_assert_nonnull (clip_class_name (clip_mime_class (mime)));
  clip_mime_is_text (mime);
  clip_mime_may_reoffer (mime);
  clip_secrecy_refuses (mime, mime, strlen (mime));
  g_assert_nonnull (clip_mime_filed (mime, mime, 1, FALSE));
}

static void
check_choice (const char *const *offered)
{
  g_autoptr (GPtrArray) chosen = clip_mime_choose (offered);

  for (guint i = 0; i < chosen->len; i++)
    {
      guint first;

      g_assert_true (clip_mime_is_valid (g_ptr_array_index (chosen, i)));
      g_assert_true (g_ptr_array_find (chosen, g_ptr_array_index (chosen, i), &first));
      g_assert_cmpuint (first, ==, i);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_auto (GStrv) offered = g_strsplit (text, "\n", -1);
  const char *const *mimes = (const char *const *) offered;

  for (gsize i = 0; offered[i]; i++)
    check_name (offered[i]);
  check_choice (mimes);
  clip_secrecy_of_names (mimes);
  clip_mime_is_reassertion (mimes);
  return 0;
}
