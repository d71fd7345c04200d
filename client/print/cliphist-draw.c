/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An image, as pixels on standard input, drawn in the terminal that standard output is.
 * It is a program of its own, so that no other one starts later for the sake of a library
 * that draws; and it decodes nothing: what comes here was decoded behind a filter.
 *
 * With a size as its word, `80x24`, it draws for a pane that another program shows, in
 * characters: pixels would not pass through that.
 */
#include "clip-fd.h"
#include "clip-pam.h"

#include <chafa.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MOST_BYTES \
  ((gsize) CLIP_PAM_MOST_SIDE * CLIP_PAM_MOST_SIDE * CLIP_PAM_PIXEL_BYTES + 1024)

#define DEFAULT_COLUMNS 80
#define DEFAULT_ROWS 24

/* of the terminal's rows, so that what is said of the image stays on the screen */
#define KEPT_ROWS 10
#define LEAST_ROWS 6

/* how much higher than wide a cell is where the terminal does not tell */
#define CELL_RATIO 0.5

typedef struct
{
  int columns;
  int rows;
  int cell_width; /* in pixels; 0 = unknown */
  int cell_height;
  gboolean is_pane; /* of another program, which takes characters alone */
} Room;

static Room
find_room (const char *pane)
{
  struct winsize size = { 0 };
  Room room = { DEFAULT_COLUMNS, DEFAULT_ROWS - KEPT_ROWS, 0, 0, pane != NULL };

  if (pane && sscanf (pane, "%4dx%4d", &room.columns, &room.rows) == 2)
    {
      room.rows = MAX (room.rows - KEPT_ROWS, LEAST_ROWS);
      return room;
    }
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col || !size.ws_row)
    return room;
  room.columns = size.ws_col;
  room.rows = MAX (size.ws_row - KEPT_ROWS, LEAST_ROWS);
  room.cell_width = size.ws_xpixel / size.ws_col;
  room.cell_height = size.ws_ypixel / size.ws_row;
  return room;
}

/* pixels where the terminal has them, else characters in as many colours as it knows. Who
 * wants no colours (https://no-color.org) gets none. */
static void
choose_mode (ChafaCanvasConfig *config, ChafaTermInfo *terminal, gboolean is_pane)
{
  static const struct
  {
    ChafaTermSeq needed;
    ChafaPixelMode pixels;
    ChafaCanvasMode colors;
  } modes[] = {
    { CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1, CHAFA_PIXEL_MODE_KITTY,
      CHAFA_CANVAS_MODE_TRUECOLOR },
    { CHAFA_TERM_SEQ_BEGIN_SIXELS, CHAFA_PIXEL_MODE_SIXELS, CHAFA_CANVAS_MODE_TRUECOLOR },
    { CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT, CHAFA_PIXEL_MODE_SYMBOLS,
      CHAFA_CANVAS_MODE_TRUECOLOR },
    { CHAFA_TERM_SEQ_SET_COLOR_FGBG_256, CHAFA_PIXEL_MODE_SYMBOLS,
      CHAFA_CANVAS_MODE_INDEXED_240 },
    { CHAFA_TERM_SEQ_SET_COLOR_FGBG_16, CHAFA_PIXEL_MODE_SYMBOLS,
      CHAFA_CANVAS_MODE_INDEXED_16 },
  };
  const char *refused = g_getenv ("NO_COLOR");

  chafa_canvas_config_set_pixel_mode (config, CHAFA_PIXEL_MODE_SYMBOLS);
  chafa_canvas_config_set_canvas_mode (config, CHAFA_CANVAS_MODE_FGBG);
  for (guint i = 0; !(refused && *refused) && i < G_N_ELEMENTS (modes); i++)
    if (chafa_term_info_have_seq (terminal, modes[i].needed) &&
        (modes[i].pixels == CHAFA_PIXEL_MODE_SYMBOLS || !is_pane))
      {
        chafa_canvas_config_set_pixel_mode (config, modes[i].pixels);
        chafa_canvas_config_set_canvas_mode (config, modes[i].colors);
        break;
      }
}

static void
set_geometry (ChafaCanvasConfig *config, const ClipPam *image, const Room *room)
{
  int columns = room->columns, rows = room->rows;
  float ratio = CELL_RATIO;

  if (room->cell_width > 0 && room->cell_height > 0)
    {
      ratio = (float) room->cell_width / (float) room->cell_height;
      chafa_canvas_config_set_cell_geometry (config, room->cell_width, room->cell_height);
    }
  chafa_calc_canvas_geometry ((int) image->width, (int) image->height, &columns, &rows,
                              ratio, FALSE, FALSE);
  chafa_canvas_config_set_geometry (config, MAX (columns, 1), MAX (rows, 1));
}

/* (transfer full) */
static GString *
draw (const ClipPam *image, ChafaTermInfo *terminal, const char *pane)
{
  ChafaCanvasConfig *config = chafa_canvas_config_new ();
  ChafaSymbolMap *symbols = chafa_symbol_map_new ();
  const Room room = find_room (pane);
  ChafaCanvas *canvas;
  GString *drawn;

  chafa_symbol_map_add_by_tags (symbols, CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_SPACE);
  chafa_canvas_config_set_symbol_map (config, symbols);
  choose_mode (config, terminal, room.is_pane);
  set_geometry (config, image, &room);
  canvas = chafa_canvas_new (config);
  chafa_canvas_draw_all_pixels (
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, g_bytes_get_data (image->pixels, NULL),
      (int) image->width, (int) image->height, (int) image->width * CLIP_PAM_PIXEL_BYTES);
  drawn = chafa_canvas_print (canvas, terminal);
  chafa_canvas_unref (canvas);
  chafa_symbol_map_unref (symbols);
  chafa_canvas_config_unref (config);
  return drawn;
}

/* what cannot be drawn is not an error: its line has been printed already */
int
main (int argc, char **argv)
{
  g_autoptr (GBytes) file = clip_read_to_end (STDIN_FILENO, MOST_BYTES, NULL);
  g_auto (ClipPam) image = { 0 };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GString) drawn = NULL;
  ChafaTermInfo *terminal;
  gboolean written;

  if (!file || !clip_pam_parse (file, &image, NULL))
    return 1;
  terminal = chafa_term_db_detect (chafa_term_db_get_default (), environment);
  drawn = draw (&image, terminal, argc > 1 ? argv[1] : NULL);
  chafa_term_info_unref (terminal);
  g_string_append_c (drawn, '\n');
  written = clip_write_all (STDOUT_FILENO, drawn->str, drawn->len, NULL);
  return written ? 0 : 1;
}
