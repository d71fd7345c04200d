/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GNOME's settings are changed. A compositor's file is its user's own, so the line for it
 * is printed. KDE gives a key to a program that stays, which a command does not, so there
 * it is said where in its settings the key is chosen.
 */
#include "clip-bind.h"

#include "clip-compositor.h"
#include "clip-gnome-keys.h"
#include "clip-libexec.h"
#include "clip-words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_WORDS 4

/* what a shell reads as itself */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-"

static const char *const proposals[] = { "super+c", "ctrl+alt+v", "ctrl+alt+c",
                                         "super+shift+v" };

/* what the key runs: where there is no window, a picker does as well */
typedef struct
{
  char *words[MOST_WORDS]; /* %NULL at the end */
  char *line;              /* as a shell takes it */
} Run;

static void
run_clear (Run *self)
{
  for (guint i = 0; self->words[i]; i++)
    g_free (self->words[i]);
  g_free (self->line);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static Run
make_run (void)
{
  g_autofree char *window = clip_libexec_find ("cliphist-window");
  g_autofree char *quoted = NULL;
  gboolean has_window = access (window, X_OK) == 0;
  Run self = { .words = { clip_libexec_find_command (), g_strdup ("window") } };

  if (!has_window)
    {
      g_free (self.words[1]);
      self.words[1] = g_strdup ("pick");
      self.words[2] = g_strdup ("--insert");
    }
  if (self.words[0][strspn (self.words[0], PLAIN)])
    quoted = g_shell_quote (self.words[0]);
  self.line = g_strconcat (quoted ?: self.words[0],
                           has_window ? " window" : " pick --insert", NULL);
  return self;
}

/* (transfer full): each word in quotes */
static char *
format_split (const Run *run)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; run->words[i]; i++)
    {
      g_autofree char *escaped = g_strescape (run->words[i], NULL);

      g_string_append_printf (out, "%s\"%s\"", i > 0 ? " " : "", escaped);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* before the words that belong to it */
static void
print_first (const char *line)
{
  puts (line);
  fflush (stdout);
}

/* twice the same key is an error there, or does both */
static void
say_what_it_did (const ClipCompositor *compositor, const ClipChord *chord)
{
  g_autofree char *keys = clip_chord_format (chord, &clip_chord_of_people);

  if (compositor->taken && chord->modifiers == 1 << CLIP_CHORD_SUPER && !chord->key[1] &&
      strchr (compositor->taken, chord->key[0]))
    clip_command_say (_ ("(%s already has a use in the file that %s comes with: remove "
                         "that line, or choose another key, such as super+%s)"),
                      keys, compositor->desktop,
                      strchr (compositor->taken, 'c') ? "y" : "c");
}

static int
print_line (const ClipCompositor *compositor, const ClipChord *chord, const Run *run)
{
  g_autofree char *keys = clip_chord_format (chord, &compositor->chord);
  g_autofree char *split = compositor->splits ? format_split (run) : NULL;
  g_autofree char *file =
      g_build_filename (g_get_user_config_dir (), compositor->key_file, NULL);
  g_autofree char *line = NULL;
  g_auto (GStrv) around = g_strsplit (compositor->key, "%s", 3);

  line = g_strconcat (around[0], keys, around[1], split ?: run->line, around[2], NULL);
  print_first (line);
  if (compositor->key_place)
    clip_command_say (_ ("(a line for %s, inside %s)"), file, compositor->key_place);
  else
    clip_command_say (_ ("(a line for %s)"), file);
  /* beside its system's file a compositor reads none of the user's */
  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    clip_command_say (_ ("(You do not have that file yet: copy the one of the system "
                         "there first.)"));
  say_what_it_did (compositor, chord);
  return CLIP_EXIT_DONE;
}

static const char *
propose (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (proposals); i++)
    {
      g_auto (ClipGnomeOwner) owner = { 0 };
      ClipChord chord;

      if (clip_chord_parse (proposals[i], &chord) &&
          !clip_gnome_keys_find_owner (&chord, &owner))
        return proposals[i];
    }
  return NULL;
}

static int
bind_on_gnome (const ClipChord *chord, const Run *run)
{
  g_auto (ClipGnomeOwner) owner = { 0 };
  g_autofree char *keys = clip_chord_format (chord, &clip_chord_of_people);
  const char *free_keys;

  if (!clip_gnome_keys_find_owner (chord, &owner))
    {
      if (!clip_gnome_keys_bind (chord, _ ("Clipboard history"), run->line))
        {
          clip_command_say (_ ("these settings are locked by an administrator"));
          return CLIP_EXIT_FAILED;
        }
      clip_command_tell (_ ("%s opens the history from now on."), keys);
      return CLIP_EXIT_DONE;
    }
  free_keys = propose ();
  clip_command_say (_ ("%s is taken: “%s”"), keys, owner.what);
  if (free_keys)
    clip_command_say (_ ("this one is free:  %s"), free_keys);
  if (owner.schema)
    clip_command_say (_ ("to take it from there first:  gsettings set %s %s \"%s\""),
                      owner.schema, owner.key, owner.rest);
  return CLIP_EXIT_FAILED;
}

static int
say_where (const ClipChord *chord, const Run *run, gboolean is_kde)
{
  g_autofree char *keys = clip_chord_format (chord, &clip_chord_of_people);

  print_first (run->line);
  if (is_kde)
    clip_command_say (_ ("(give this command to System Settings, Shortcuts, Add New, and "
                         "press %s there. KDE asks if it already uses that key.)"),
                      keys);
  else
    clip_command_say (
        _ ("(give this command the key %s in your desktop's keyboard settings, or in "
           "your window manager's file, such as %s/openbox/rc.xml)"),
        keys, g_get_user_config_dir ());
  return CLIP_EXIT_DONE;
}

int
clip_bind_key (const ClipCommand *command)
{
  const char *text = command->options[CLIP_OPTION_BIND];
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP") ?: "";
  const ClipCompositor *compositor = clip_compositor_ask ();
  g_auto (Run) run = { 0 };
  ClipChord chord;

  clip_command_explain (_ ("The key was not set"));
  if (!clip_chord_parse (text, &chord))
    return clip_command_misuse (
        command,
        _ ("'%s' is not Ctrl, Alt or Super with a letter from a to z, a digit, "
           "F1 to F12, space, Insert, Pause, Print, Menu, Home or End, such as super+c"),
        text);
  if (clip_chord_is_of_clipboard (&chord))
    return clip_command_misuse (
        command, _ ("'%s' copies or pastes in other programs: choose another key"), text);
  if (command->words->len > 0)
    return clip_command_misuse (command, _ ("'%s' has no meaning beside --bind"),
                                clip_command_word (command, 0));
  run = make_run ();
  if (compositor)
    return print_line (compositor, &chord, &run);
  if (strstr (desktop, "GNOME") && clip_gnome_keys_can_bind ())
    return bind_on_gnome (&chord, &run);
  return say_where (&chord, &run, strstr (desktop, "KDE") != NULL);
}
