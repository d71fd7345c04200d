/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clipboard history by libcliphist, in C.
 *
 *   cc library.c -o library $(pkg-config --cflags --libs cliphist-1)
 *
 *   library list [WORD…]   the newest entries that have all the words: id, kind, preview
 *   library follow         how many entries the list has, after each change, until ^C
 *   library read ID        a content, on standard output
 *   library store TEXT     TEXT becomes an entry; prints its id
 */
#include <cliphist.h>
#include <stdio.h>
#include <string.h>

static GMainLoop *loop;
static int status;

static void
end (GError *error)
{
  if (error)
    {
      fprintf (stderr, "%s\n", error->message);
      status = 1;
    }
  g_clear_error (&error);
  g_main_loop_quit (loop);
}

static void
print_list (CliphistHistory *history)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (history)); i++)
    {
      g_autoptr (CliphistEntry) entry = g_list_model_get_item (G_LIST_MODEL (history), i);
      g_autofree char *preview = NULL;
      CliphistKind kind;
      guint64 id;

      g_object_get (entry, "id", &id, "kind", &kind, "preview", &preview, NULL);
      printf ("%" G_GUINT64_FORMAT "\t%s\t%s\n", id,
              kind == CLIPHIST_KIND_TEXT ? "text" : "other", preview);
    }
}

/* the first page is there, or cannot be */
static void
on_loaded (CliphistHistory *history)
{
  gboolean loading;
  GError *error = NULL;

  g_object_get (history, "loading", &loading, "error", &error, NULL);
  if (loading)
    return;
  if (!error)
    print_list (history);
  end (error);
}

static void
list (CliphistHistory *history, char *words[])
{
  g_autoptr (CliphistQuery) query = cliphist_query_new ((const char *const *) words);

  g_object_set (history, "query", query, NULL);
  g_signal_connect (history, "notify::loading", G_CALLBACK (on_loaded), NULL);
}

static void
on_changed (CliphistHistory *history)
{
  printf ("%u\n", g_list_model_get_n_items (G_LIST_MODEL (history)));
  fflush (stdout);
}

static void
follow (CliphistHistory *history)
{
  g_signal_connect (history, "items-changed", G_CALLBACK (on_changed), NULL);
}

static void
on_spliced (GObject *out, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  g_output_stream_splice_finish (G_OUTPUT_STREAM (out), result, &error);
  end (error);
}

/* whatever its size, it passes through; one that ends early is an error */
static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/dev/stdout");
  g_autoptr (GFileOutputStream) out = NULL;
  GError *error = NULL;
  g_autoptr (GInputStream) content =
      cliphist_history_open_finish (CLIPHIST_HISTORY (source), result, NULL, &error);

  if (content)
    out = g_file_append_to (file, G_FILE_CREATE_NONE, NULL, &error);
  if (out)
    g_output_stream_splice_async (G_OUTPUT_STREAM (out), content,
                                  G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE, 0, NULL,
                                  on_spliced, NULL);
  else
    end (error);
}

/* what the settings do not want to have kept is dropped, and no error */
static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *dropped = NULL;
  GError *error = NULL;
  guint64 id = cliphist_history_store_bytes_finish (CLIPHIST_HISTORY (source), result,
                                                    &dropped, &error);

  if (id)
    printf ("%" G_GUINT64_FORMAT "\n", id);
  else if (dropped)
    fprintf (stderr, "not kept: %s\n", dropped);
  end (error);
}

int
main (int argc, char *argv[])
{
  g_autoptr (CliphistHistory) history = cliphist_history_new ();
  const char *verb = argc > 1 ? argv[1] : "";
  const char *word = argc > 2 ? argv[2] : "";

  loop = g_main_loop_new (NULL, FALSE);
  if (strcmp (verb, "list") == 0)
    list (history, argv + 2);
  else if (strcmp (verb, "follow") == 0)
    follow (history);
  else if (strcmp (verb, "read") == 0)
    cliphist_history_open_async (history, g_ascii_strtoull (word, NULL, 10), NULL, NULL,
                                 on_opened, NULL);
  else if (strcmp (verb, "store") == 0)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (word, strlen (word));

      cliphist_history_store_bytes_async (history, NULL, bytes, FALSE, NULL, on_stored,
                                          NULL);
    }
  else
    {
      fprintf (stderr, "list [WORD...] | follow | read ID | store TEXT\n");
      return 2;
    }
  g_main_loop_run (loop);
  g_main_loop_unref (loop);
  return status;
}
