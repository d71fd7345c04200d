/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The daemon sets all tags of an entry at once: what it has is read first. */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-remote.h"
#include "clip-words.h"

#include <string.h>

/* where they are typed as one text, as in the window */
#define BETWEEN_TAGS " \t\n,"

/* (transfer full) (nullable): the tags that the entry has; NULL where that has been
   said */
static char **
read_tags (const ClipCommand *command, gint64 id, int *out_status)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  g_autoptr (ClipEntry) entry = reader ? clip_reader_lookup (reader, id, &error) : NULL;

  if (!entry)
    {
      *out_status = clip_command_fail (error);
      return NULL;
    }
  return g_steal_pointer (&entry->tags);
}

static gboolean
is_named (const ClipCommand *command, const char *tag)
{
  for (guint i = 1; i < command->words->len; i++)
    if (g_str_equal (clip_command_word (command, i), tag))
      return TRUE;
  return FALSE;
}

/* Returns: the exit status; what is no text cannot be sent, and what is no word is two
 * tags once the window has saved them */
static int
check_tags (const ClipCommand *command)
{
  for (guint i = 1; i < command->words->len; i++)
    {
      const char *tag = clip_command_word (command, i);

      if (!*tag)
        return clip_command_misuse (command, _ ("a tag cannot be empty"));
      if (!g_utf8_validate (tag, -1, NULL))
        return clip_command_misuse (command, _ ("a tag has to be text in UTF-8"));
      if (strlen (tag) > CLIP_MAX_TAG_BYTES)
        return clip_command_misuse (command, _ ("a tag is longer than %d bytes"),
                                    CLIP_MAX_TAG_BYTES);
      if (tag[strcspn (tag, BETWEEN_TAGS)])
        return clip_command_misuse (command,
                                    _ ("a tag cannot have blanks or commas: '%s'"), tag);
    }
  return CLIP_EXIT_DONE;
}

/* those that it has and that are not named; all of them named by none. An empty one,
 * which could be given once, is refused by now. */
static void
keep_others (const ClipCommand *command, char **tags, GPtrArray *kept)
{
  for (; tags && *tags; tags++)
    if (**tags && !is_named (command, *tags))
      g_ptr_array_add (kept, *tags);
}

/* Returns: the exit status; a slip changes nothing */
static int
check_named (const ClipCommand *command, gint64 id, char **tags)
{
  for (guint i = 1; i < command->words->len; i++)
    {
      const char *tag = clip_command_word (command, i);

      if (!g_strv_contains ((const char *const *) tags, tag))
        {
          clip_command_say (_ ("entry %ld has no tag '%s'"), (glong) id, tag);
          clip_command_explain (NULL);
          return CLIP_EXIT_FAILED;
        }
    }
  return CLIP_EXIT_DONE;
}

static void
tell (gint64 id, char **tags)
{
  g_autofree char *list = g_strjoinv (", ", tags);

  if (*tags)
    clip_command_tell (_ ("Tags of entry %ld: %s"), (glong) id, list);
  else
    clip_command_tell (_ ("Entry %ld has no tags."), (glong) id);
}

static int
set_tags (ClipCommand *command, gboolean adds)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  g_auto (GStrv) tags = NULL;
  int status = CLIP_EXIT_DONE;
  gint64 id;

  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  if (adds)
    status = check_tags (command);
  if (status != CLIP_EXIT_DONE)
    return status;
  tags = read_tags (command, id, &status);
  if (!tags)
    return status;
  if (!adds)
    status = check_named (command, id, tags);
  if (status != CLIP_EXIT_DONE)
    return status;
  if (adds || command->words->len > 1)
    keep_others (command, tags, wanted);
  for (guint i = 1; adds && i < command->words->len; i++)
    g_ptr_array_add (wanted, (char *) clip_command_word (command, i));
  g_ptr_array_add (wanted, NULL);
  status = clip_remote_run (remote, "SetTags",
                            g_variant_new ("(t^as)", (guint64) id, wanted->pdata), "()");
  if (status == CLIP_EXIT_DONE)
    tell (id, (char **) wanted->pdata);
  return status;
}

int
clip_cmd_tag (ClipCommand *command)
{
  return set_tags (command, TRUE);
}

int
clip_cmd_untag (ClipCommand *command)
{
  return set_tags (command, FALSE);
}
