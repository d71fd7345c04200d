/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes one image, from standard input to standard output, and ends. Nothing else of
 * cliphist decodes images: a hostile one costs this process. The library that knows the
 * format is loaded by the first bytes, before the filter is set, and sees the image only
 * behind it.
 *
 *     cliphist-thumbnail png|pam|size PIXELS [PARENT] <IMAGE
 *
 * `png` and `pam` write the image, scaled down where a side is longer than PIXELS; `size`
 * writes how large it is: `WIDTHxHEIGHT`. With PARENT, the number of the process that
 * starts it, it ends with that. Exit status 0: done; 1: not decoded; 2: misused; a
 * signal: the image wanted more than it may.
 */
#include "clip-detect.h"
#include "clip-sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES (64 * 1024)
#define MOST_PIXELS 4096

enum
{
  EXIT_DONE,
  EXIT_NOT_DECODED,
  EXIT_MISUSED,
};

typedef enum
{
  OUTPUT_PNG,
  OUTPUT_PAM,
  OUTPUT_SIZE,
} Output;

static const char *const output_names[] = { "png", "pam", "size" };

typedef struct
{
  Output output;
  int most_pixels;
  pid_t parent; /* 0 where it may outlive who started it */
  int width;    /* of the image itself, once that is known */
  int height;
} Task;

/* without the handlers of exit(): what a library does at its end needs calls that are
   gone */
static void G_GNUC_NORETURN
end (int status)
{
  _exit (status);
}

static gssize
read_some (guint8 *buffer, gsize length)
{
  gssize n;

  do
    n = read (STDIN_FILENO, buffer, length);
  while (n < 0 && errno == EINTR);
  return n;
}

static gboolean
write_all (const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (STDOUT_FILENO, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }
  return TRUE;
}

static gboolean
on_png (const char *data, gsize length, GError **error, gpointer user_data)
{
  return user_data ? write_all (data, length) : TRUE;
}

static gboolean
save_png (GdkPixbuf *pixbuf, gboolean writes)
{
  return gdk_pixbuf_save_to_callback (pixbuf, on_png, GINT_TO_POINTER (writes), "png",
                                      NULL, NULL);
}

/* what is loaded at its first use, and cannot be behind the filter */
static gboolean
warm_up (void)
{
  g_autoptr (GdkPixbuf) pixel = gdk_pixbuf_new (GDK_COLORSPACE_RGB, TRUE, 8, 1, 1);

  gdk_pixbuf_fill (pixel, 0);
  return save_png (pixel, FALSE);
}

/* newer gdk-pixbufs leave it to glycin: programs with a sandbox of bubblewrap's each */
static gboolean
decodes_apart (void)
{
  return dlsym (RTLD_DEFAULT, "gly_loader_new") != NULL;
}

/* Whether what is decoded, wherever that is, cannot reach anything. Glycin goes on
 * without a sandbox where it cannot have one. */
static gboolean
confine (void)
{
  if (!decodes_apart ())
    return warm_up () && clip_sandbox_enter ();
  return clip_sandbox_has_bubblewrap ();
}

static void
fit (int most, int *width, int *height)
{
  double scale = MIN (1.0, (double) most / MAX (*width, *height));

  *width = MAX (1, (int) (*width * scale + 0.5));
  *height = MAX (1, (int) (*height * scale + 0.5));
}

static void
write_size (const Task *task)
{
  char text[32];
  int length = g_snprintf (text, sizeof text, "%dx%d\n", task->width, task->height);

  end (write_all (text, (gsize) length) ? EXIT_DONE : EXIT_NOT_DECODED);
}

/* some formats are decoded smaller at once */
static void
on_size (GdkPixbufLoader *loader, int width, int height, gpointer user_data)
{
  Task *task = user_data;

  if (width <= 0 || height <= 0)
    end (EXIT_NOT_DECODED);
  task->width = width;
  task->height = height;
  if (task->output == OUTPUT_SIZE)
    write_size (task);
  fit (task->most_pixels, &width, &height);
  gdk_pixbuf_loader_set_size (loader, width, height);
}

/* https://netpbm.sourceforge.net/doc/pam.html */
static gboolean
write_pam (GdkPixbuf *pixbuf)
{
  g_autoptr (GdkPixbuf) whole = gdk_pixbuf_add_alpha (pixbuf, FALSE, 0, 0, 0);
  g_autofree char *head = NULL;
  const char *pixels;
  int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf);

  if (!whole)
    return FALSE;
  pixels = (const char *) gdk_pixbuf_read_pixels (whole);
  head = g_strdup_printf ("P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\n"
                          "TUPLTYPE RGB_ALPHA\nENDHDR\n",
                          width, height);
  if (!write_all (head, strlen (head)))
    return FALSE;
  for (int y = 0; y < height; y++)
    if (!write_all (pixels + (gsize) y * (gsize) gdk_pixbuf_get_rowstride (whole),
                    4 * (gsize) width))
      return FALSE;
  return TRUE;
}

/* a camera says which way is up beside the pixels; and not every format was scaled yet */
static GdkPixbuf *
finish (const Task *task, GdkPixbuf *decoded)
{
  g_autoptr (GdkPixbuf) upright = gdk_pixbuf_apply_embedded_orientation (decoded);
  int width, height;

  if (!upright)
    return NULL;
  width = gdk_pixbuf_get_width (upright);
  height = gdk_pixbuf_get_height (upright);
  if (MAX (width, height) <= task->most_pixels)
    return g_steal_pointer (&upright);
  fit (task->most_pixels, &width, &height);
  return gdk_pixbuf_scale_simple (upright, width, height, GDK_INTERP_BILINEAR);
}

/* whether more than the first frame came: the others, however many, are not shown */
static gboolean
has_first_frame (GdkPixbufLoader *loader)
{
  GdkPixbufAnimation *animation;
  gboolean has_more;

  /* gdk-pixbuf 2.44 deprecates them, and has nothing else that tells of a frame */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS;
  animation = gdk_pixbuf_loader_get_animation (loader);
  has_more = animation && !gdk_pixbuf_animation_is_static_image (animation);
  G_GNUC_END_IGNORE_DEPRECATIONS;
  return has_more;
}

/* @buffer: holds what was read already; its length is in @n */
static GdkPixbuf *
decode (GdkPixbufLoader *loader, guint8 *buffer, gssize n)
{
  while (n > 0)
    {
      if (!gdk_pixbuf_loader_write (loader, buffer, (gsize) n, NULL))
        return NULL;
      n = has_first_frame (loader) ? 0 : read_some (buffer, CHUNK_BYTES);
    }
  /* of one that is cut short, what came is shown */
  gdk_pixbuf_loader_close (loader, NULL);
  return n == 0 ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
}

static int
run (Task *task)
{
  static guint8 buffer[CHUNK_BYTES];
  gssize n = read_some (buffer, sizeof buffer);
  const char *mime = n > 0 ? clip_detect_mime (buffer, (gsize) n, FALSE) : "";
  g_autoptr (GdkPixbufLoader) loader = NULL;
  g_autoptr (GdkPixbuf) image = NULL;
  GdkPixbuf *decoded;

  if (g_str_has_prefix (mime, "image/"))
    loader = gdk_pixbuf_loader_new_with_mime_type (mime, NULL);
  if (!loader || !confine ())
    return EXIT_NOT_DECODED;
  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size), task);
  decoded = decode (loader, buffer, n);
  if (!decoded || task->output == OUTPUT_SIZE)
    return EXIT_NOT_DECODED;
  image = finish (task, decoded);
  if (!image)
    return EXIT_NOT_DECODED;
  return (task->output == OUTPUT_PNG ? save_png (image, TRUE) : write_pam (image))
             ? EXIT_DONE
             : EXIT_NOT_DECODED;
}

static gboolean
read_words (int argc, char *argv[], Task *task)
{
  guint64 pixels, parent = 0;

  if (argc < 3 || argc > 4 ||
      (argc == 4 &&
       !g_ascii_string_to_unsigned (argv[3], 10, 1, G_MAXINT, &parent, NULL)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (output_names); i++)
    if (g_str_equal (argv[1], output_names[i]) &&
        g_ascii_string_to_unsigned (argv[2], 10, 1, MOST_PIXELS, &pixels, NULL))
      {
        task->output = (Output) i;
        task->most_pixels = (int) pixels;
        task->parent = (pid_t) parent;
        return TRUE;
      }
  return FALSE;
}

int
main (int argc, char *argv[])
{
  Task task = { 0 };

  if (!read_words (argc, argv, &task))
    {
      g_printerr ("usage:\n  cliphist-thumbnail png|pam|size PIXELS [PARENT] <IMAGE\n");
      return EXIT_MISUSED;
    }
  if (task.parent && !clip_sandbox_tie (task.parent))
    return EXIT_NOT_DECODED;
  if (!clip_sandbox_limit ())
    {
      g_printerr ("cliphist-thumbnail: limits cannot be set\n");
      return EXIT_NOT_DECODED;
    }
  /* no loader but glycin's, and its programs from the system alone */
  if (decodes_apart ())
    {
      g_setenv ("GDK_PIXBUF_MODULE_FILE", "/dev/null", TRUE);
      g_setenv ("PATH", "/usr/bin:/bin", TRUE);
    }
  end (run (&task));
}
