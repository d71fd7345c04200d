/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An entry for people: what it is, when it came, and its text, as far as it fits. Nothing
 * of it reaches the terminal but visible characters.
 */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-facts.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-output.h"
#include "clip-preview.h"
#include "clip-row.h"
#include "clip-terminal-image.h"
#include "clip-text.h"
#include "clip-units.h"
#include "clip-words.h"

#include <string.h>

#define SHOWN_BYTES 65536

static void
append_contents (GString *out, const ClipEntry *entry)
{
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipContent *content = g_ptr_array_index (entry->contents, i);
      g_autofree char *size = clip_format_size (content->size);
      g_autofree char *line = g_strdup_printf ("%s, %s", content->mime, size);

      clip_facts_append (out, i == 0 ? _ ("type") : "", line);
    }
}

static void
append_facts (GString *out, const ClipEntry *entry)
{
  const ClipRow *row = &entry->row;
  g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, row->id);
  g_autofree char *copies = g_strdup_printf ("%" G_GINT64_FORMAT, row->copies);
  g_autofree char *tags = entry->tags ? g_strjoinv (", ", entry->tags) : g_strdup ("");

  clip_facts_append (out, _ ("id"), id);
  clip_facts_append (out, _ ("class"), clip_class_name (row->kind));
  append_contents (out, entry);
  clip_facts_append_time (out, _ ("copied"), row->last_us);
  if (row->copies > 1)
    {
      clip_facts_append_time (out, _ ("first"), row->first_us);
      clip_facts_append (out, _ ("copies"), copies);
    }
  if (row->origin && *row->origin)
    clip_facts_append (out, _ ("from"), row->origin);
  if (row->pinned)
    clip_facts_append (out, _ ("pinned"), _ ("yes"));
  if (row->expires_us)
    clip_facts_append_time (out, _ ("expires"), row->expires_us);
  if (*tags)
    clip_facts_append (out, _ ("tags"), tags);
}

static GBytes *
read_head (const ClipPayload *payload, GError **error)
{
  gsize length = (gsize) MIN (payload->size, SHOWN_BYTES);
  g_autofree char *head = NULL;

  if (payload->bytes)
    return g_bytes_new_from_bytes (payload->bytes, 0, length);
  head = g_malloc (length);
  if (!clip_read_exactly (payload->fd, head, length, 0, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&head), length);
}

static gboolean
append_text (GString *out, const ClipPayload *payload, GError **error)
{
  g_autoptr (GBytes) head = read_head (payload, error);
  gsize length;
  const char *text = head ? g_bytes_get_data (head, &length) : NULL;

  if (!head)
    return FALSE;
  if (clip_mime_same (payload->mime, CLIP_MIME_URI_LIST))
    clip_text_append_uris (out, text, length);
  else
    clip_text_append_visible (out, text, length);
  if (out->str[out->len - 1] != '\n')
    g_string_append_c (out, '\n');
  if (payload->size > SHOWN_BYTES)
    {
      g_autofree char *size = clip_format_size (payload->size - SHOWN_BYTES);

      g_string_append_printf (out, _ ("… and %s more\n"), size);
    }
  return TRUE;
}

static gboolean
append_content (GString *out,
                const ClipCommand *command,
                ClipReader *reader,
                const ClipEntry *entry,
                GError **error)
{
  g_autoptr (ClipPayload) payload = NULL;

  g_string_append_c (out, '\n');
  if (!clip_mime_is_text (entry->row.mime))
    {
      /* a line of what is no text is enough */
      clip_preview_append_safe (
          out, entry->row.preview, entry->row.preview_length,
          clip_settings_number (command->settings, CLIP_SETTING_PREVIEW_WIDTH));
      g_string_append_c (out, '\n');
      return TRUE;
    }
  payload = clip_reader_open_content (reader, entry->row.id, "", error);
  return payload && append_text (out, payload, error);
}

/* What one verb prints of an entry. */
typedef gboolean (*AppendFunc) (GString *out,
                                const ClipCommand *command,
                                ClipReader *reader,
                                const ClipEntry *entry,
                                GError **error);

static gboolean
append_shown (GString *out,
              const ClipCommand *command,
              ClipReader *reader,
              const ClipEntry *entry,
              GError **error)
{
  if (clip_command_has (command, CLIP_OPTION_JSON))
    {
      clip_entry_append_json (out, entry);
      return TRUE;
    }
  append_facts (out, entry);
  return append_content (out, command, reader, entry, error);
}

static void
append_type (GString *out, const ClipContent *content, gboolean json)
{
  if (!json)
    {
      g_string_append_printf (out, "%s\n", content->mime);
      return;
    }
  g_string_append (out, "{\"mime\":");
  clip_json_append_string (out, content->mime, -1);
  g_string_append_printf (out, ",\"size\":%" G_GINT64_FORMAT "}\n", content->size);
}

/* MIME types are printable ASCII: no other one gets into the history */
static gboolean
append_types (GString *out,
              const ClipCommand *command,
              ClipReader *reader G_GNUC_UNUSED,
              const ClipEntry *entry,
              GError **error G_GNUC_UNUSED)
{
  for (guint i = 0; i < entry->contents->len; i++)
    append_type (out, g_ptr_array_index (entry->contents, i),
                 clip_command_has (command, CLIP_OPTION_JSON));
  return TRUE;
}

/* what may follow that on a terminal, or in a pane */
typedef void (*AfterFunc) (const ClipCommand *command,
                           ClipReader *reader,
                           const ClipEntry *entry);

/* where it cannot be drawn, its line has been printed all the same */
static void
draw_picture (const ClipCommand *command, ClipReader *reader, const ClipEntry *entry)
{
  const char *pane = command->options[CLIP_OPTION_PANE];
  g_autoptr (ClipPayload) payload = NULL;

  if (entry->row.kind != CLIP_CLASS_IMAGE ||
      clip_command_has (command, CLIP_OPTION_JSON) ||
      (!pane && !clip_output_is_terminal ()))
    return;
  payload = clip_reader_open_content (reader, entry->row.id, "", NULL);
  if (payload)
    clip_terminal_image_show (payload, pane);
}

static int
print_entry (ClipCommand *command, AppendFunc append, AfterFunc after)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  gint64 id;

  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  reader = clip_direct_open (command, &error);
  entry = reader ? clip_reader_lookup (reader, id, &error) : NULL;
  if (!entry || !append (out, command, reader, entry, &error) ||
      !clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  if (after)
    after (command, reader, entry);
  return CLIP_EXIT_DONE;
}

/* `80x24`, of sides that no screen is beyond */
static gboolean
is_pane (const char *text)
{
  const char *digits = "0123456789";
  gsize columns = strspn (text, digits);
  gsize rows = text[columns] == 'x' ? strspn (text + columns + 1, digits) : 0;

  return columns >= 1 && columns <= 4 && rows >= 1 && rows <= 4 &&
         text[columns + 1 + rows] == '\0';
}

int
clip_cmd_show (ClipCommand *command)
{
  const char *pane = command->options[CLIP_OPTION_PANE];

  if (pane && !is_pane (pane))
    return clip_command_misuse (command, _ ("--pane is like 80x24, not '%s'"), pane);
  return print_entry (command, append_shown, draw_picture);
}

int
clip_cmd_types (ClipCommand *command)
{
  return print_entry (command, append_types, NULL);
}
