/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-settings.h"

#include <string.h>
#include <unistd.h>

static void
test_defaults_parse (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MAX_ITEMS), ==, 10000);
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MAX_STORE_SIZE), ==,
                   4294967296);
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MIN_FREE_SPACE), ==, -5);
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_NOTIFY), ==, 1);
  g_assert_cmpint (clip_settings_origin (settings, CLIP_SETTING_MAX_ITEMS), ==,
                   CLIP_FROM_DEFAULT);
}

static void
test_stronger_origin_wins (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;

  clip_settings_set (settings, CLIP_SETTING_MAX_ITEMS, "3", CLIP_FROM_FLAG, &error);
  clip_settings_set (settings, CLIP_SETTING_MAX_ITEMS, "2", CLIP_FROM_FILE, &error);
  g_setenv ("CLIPTEST_MAX_ITEMS", "1", TRUE);
  g_setenv ("CLIPTEST_PREVIEW_WIDTH", "7,9", TRUE);
  g_setenv ("CLIPTEST_MIN_STORE_LENGTH", "", TRUE);
  g_assert_true (clip_settings_load_environment (settings, "CLIPTEST", &error));
  g_assert_no_error (error);
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MAX_ITEMS), ==, 3);
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_PREVIEW_WIDTH), ==, 9);
  g_assert_cmpint (clip_settings_origin (settings, CLIP_SETTING_MIN_STORE_LENGTH), ==,
                   CLIP_FROM_DEFAULT);
}

static void
test_bad_value_refused (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;

  g_assert_false (clip_settings_set (settings, CLIP_SETTING_MAX_STORE_SIZE, "many",
                                     CLIP_FROM_FLAG, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (
      error->message, ==,
      "invalid value \"many\" for max-store-size: a size is like 500KiB, 20MiB or 4GiB");
}

/* the existing tool never looks at a variable that a flag overrides */
static void
test_overridden_value_not_looked_at (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;

  clip_settings_set (settings, CLIP_SETTING_MAX_ITEMS, "3", CLIP_FROM_FLAG, &error);
  g_assert_true (clip_settings_set (settings, CLIP_SETTING_MAX_ITEMS, "many",
                                    CLIP_FROM_ENVIRONMENT, &error));
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MAX_ITEMS), ==, 3);
}

static void
test_every_key_found (void)
{
  for (int i = 0; i < CLIP_N_SETTINGS; i++)
    {
      ClipSetting found;

      g_assert_true (clip_settings_find (clip_settings_key ((ClipSetting) i), &found));
      g_assert_cmpint (found, ==, i);
    }
}

/* a line that nobody understands is told, and is no reason to refuse the others */
static void
test_unknown_is_told (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  const char *const *complaints;
  int fd = g_file_open_tmp ("clip-settings-XXXXXX", &path, &error);

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (
      path,
      "unheard-of 1\npersist sometimes\nmax-age 90d\nmax-items = 5\nmax-age soon\n"
      "ignore-patern x\nignore-app\nignore-pattern # later\nprimary\n"
      "ignore-app \"xterm\"\nignore-app xterm, foot\nignore-app *'s Term?\n"
      "ignore-pattern card #[0-9] # later\nignore-mime x/y # later\n"
      "ignore-pattern ^secret\t# mine\nignore-pattern [a #]\n",
      -1, NULL));
  g_assert_true (clip_settings_load_file (settings, path, &error));
  g_assert_no_error (error);
  unlink (path);
  complaints = clip_settings_complaints (settings);
  g_assert_cmpuint (g_strv_length ((char **) complaints), ==, 12);
  g_assert_true (
      g_str_has_suffix (complaints[0], ":1: unknown key 'unheard-of': ignored"));
  g_assert_true (g_str_has_suffix (complaints[1],
                                   ":2: unknown value 'sometimes' of persist, which "
                                   "is one of owner-exit never: ignored"));
  g_assert_true (g_str_has_suffix (
      complaints[2],
      ":4: invalid value \"= 5\" for max-items: no '=' stands before it: ignored"));
  g_assert_true (g_str_has_suffix (complaints[4],
                                   ":6: unknown key 'ignore-patern' (did you mean "
                                   "'ignore-pattern'?): this rule is OFF"));
  g_assert_true (
      g_str_has_suffix (complaints[5], ":7: ignore-app has no value: this rule is OFF"));
  g_assert_true (g_str_has_suffix (
      complaints[6],
      ":8: ignore-pattern: the '#' is part of the expression: write [#] for "
      "it, or put the comment on a line of its own"));
  g_assert_true (g_str_has_suffix (complaints[7], ": \"xterm\": this rule is OFF"));
  g_assert_true (g_str_has_suffix (complaints[8], ": xterm, foot: this rule is OFF"));
  g_assert_true (strstr (complaints[9], ":13: ignore-pattern: the '#' is part"));
  g_assert_true (strstr (complaints[10],
                         ":15: ignore-pattern: the '#' is part of the expression, and "
                         "what stands before it is a rule, too: write [#] for it,"));
  g_assert_true (strstr (complaints[11], ":16: ignore-pattern: the '#' is part of the "
                                         "expression: write [#]"));
  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_PATTERN), ==,
                   "# later\ncard #[0-9] # later\ncard\n^secret\t# mine\n^secret\n"
                   "[a #]");
  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_MIME), ==, "x/y");
  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_APP), ==,
                   "*'s Term?");
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_PRIMARY), ==, 1);
  g_assert_true (clip_settings_is_unknown (settings, CLIP_SETTING_MAX_ITEMS));
  g_assert_false (clip_settings_is_unknown (settings, CLIP_SETTING_MAX_AGE));
  g_assert_cmpint (clip_settings_number (settings, CLIP_SETTING_MAX_AGE), ==,
                   (gint64) 90 * 86400 * G_USEC_PER_SEC);
}

/* a pattern that keeps nothing out is not lost without a word */
static void
test_unknown_in_environment_is_told (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;
  const char *const *complaints;

  g_setenv ("TEST_IGNORE_PATTERN", "(", TRUE);
  g_assert_true (clip_settings_load_environment (settings, "TEST", &error));
  g_unsetenv ("TEST_IGNORE_PATTERN");
  g_assert_no_error (error);
  complaints = clip_settings_complaints (settings);
  g_assert_cmpuint (g_strv_length ((char **) complaints), ==, 1);
  g_assert_true (g_str_has_prefix (complaints[0],
                                   "TEST_IGNORE_PATTERN: ignore-pattern: no regular "
                                   "expression, at char 1: missing "));
}

/* (transfer full): settings with a file of @lines */
static ClipSettings *
load_lines (const char *lines)
{
  ClipSettings *settings = clip_settings_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("clip-settings-XXXXXX", &path, &error);

  g_assert_no_error (error);
  close (fd);
  g_assert_true (g_file_set_contents (path, lines, -1, NULL));
  g_assert_true (clip_settings_load_file (settings, path, &error));
  g_assert_no_error (error);
  unlink (path);
  return settings;
}

/* @line is in force, and told of in words that end in @told, or not at all if NULL */
static void
assert_in_force (const char *line, const char *told)
{
  g_autoptr (ClipSettings) settings = load_lines (line);
  const char *const *complaints = clip_settings_complaints (settings);
  g_auto (GStrv) words = g_strsplit (line, " ", 2);
  ClipSetting setting;

  g_assert_true (clip_settings_find (words[0], &setting));
  g_assert_cmpstr (clip_settings_text (settings, setting), ==, words[1]);
  g_assert_cmpuint (g_strv_length ((char **) complaints), ==, told ? 1 : 0);
  if (told)
    g_assert_true (g_str_has_suffix (complaints[0], told));
}

static void
test_a_rule_that_matches_everything_is_told (void)
{
  const char *text =
      ":1: ignore-pattern: this rule matches every text, so no text is kept";
  const char *mime = ":1: ignore-mime: this rule matches every type, so nothing is kept";

  assert_in_force ("ignore-pattern ^password|^token|", text);
  assert_in_force ("ignore-pattern \\d*", text);
  assert_in_force ("ignore-pattern .", text);
  assert_in_force ("ignore-pattern (.|\\s)*", text);
  assert_in_force ("ignore-mime *", mime);
  assert_in_force ("ignore-mime */*", mime);
  assert_in_force ("ignore-app *", ":1: ignore-app: this rule matches every program, so "
                                   "the copies of none are kept");
  assert_in_force ("ignore-pattern ^\\d*$", NULL);
  assert_in_force ("ignore-pattern ^.{0,7}$", NULL);
  assert_in_force ("ignore-pattern ^[\\s\\S]{0,4000}$", NULL);
  assert_in_force ("ignore-pattern ^[^@]*$", NULL);
  assert_in_force ("ignore-mime text/*", NULL);
  assert_in_force ("ignore-app org.gnome.*", NULL);
}

/* as other programs have one between a key and its value */
static void
test_a_rule_behind_an_equals_sign_is_told (void)
{
  const char *const told =
      "the = is part of this rule: write it without, or [=] for one that is meant";
  g_autofree char *text = g_strconcat (":1: ignore-pattern: ", told, NULL);
  g_autofree char *app = g_strconcat (":1: ignore-app: ", told, NULL);

  assert_in_force ("ignore-pattern = token", text);
  assert_in_force ("ignore-app = vault", app);
  assert_in_force ("ignore-pattern =token", NULL);
  assert_in_force ("ignore-pattern [=] token", NULL);
}

static void
test_a_limit_that_keeps_nothing_is_told (void)
{
  assert_in_force ("max-items 0",
                   ":1: max-items: 0 keeps nothing but what is pinned; -1 is no limit");
  assert_in_force ("max-items -1", NULL);
  assert_in_force ("max-total-size 0", NULL);
}

static void
test_a_rule_that_matches_nothing_is_told (void)
{
  static const char *const off[] = { "ignore-mime image/png image/jpeg",
                                     "allow-sandboxed org.a.B, org.c.D" };
  const char *no_type =
      ":1: ignore-mime: this rule matches no usual type: a type is like "
      "text/plain, a rule like text/*";

  for (guint i = 0; i < G_N_ELEMENTS (off); i++)
    {
      g_autoptr (ClipSettings) settings = load_lines (off[i]);

      g_assert_cmpuint (g_strv_length ((char **) clip_settings_complaints (settings)), ==,
                        1);
      g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_MIME), ==, "");
      g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_ALLOW_SANDBOXED), ==,
                       "none");
    }
  assert_in_force ("ignore-mime text", no_type);
  assert_in_force ("ignore-mime png", no_type);
  assert_in_force ("ignore-mime UTF8_STRING", NULL);
  assert_in_force ("ignore-mime text/plain; charset=utf-8", NULL);
  assert_in_force ("ignore-app firefox chromium", NULL);
  assert_in_force ("allow-sandboxed org.a.B org.c.D", NULL);
}

/* what stands between is kept out, too */
static void
test_marks_round_an_expression_are_told (void)
{
  g_autoptr (ClipSettings) settings = load_lines ("ignore-pattern \"hunter2\"\n"
                                                  "ignore-pattern 'card'\n"
                                                  "ignore-pattern /token/\n"
                                                  "ignore-pattern \"none\"\n"
                                                  "ignore-pattern [\"]a[\"]\n"
                                                  "ignore-pattern /usr/bin\n");
  const char *const *complaints = clip_settings_complaints (settings);

  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_PATTERN), ==,
                   "\"hunter2\"\nhunter2\n'card'\ncard\n/token/\ntoken\n\"none\"\n"
                   "[\"]a[\"]\n/usr/bin");
  g_assert_cmpuint (g_strv_length ((char **) complaints), ==, 4);
  g_assert_true (g_str_has_suffix (
      complaints[0],
      ":1: ignore-pattern: the \" at both ends is part of the expression, and what "
      "stands "
      "between is a rule, too: write it without, or [\"] for one that is meant"));
  g_assert_true (strstr (complaints[2], ":3: ignore-pattern: the / at both ends"));
  g_assert_true (
      strstr (complaints[3], "the \" at both ends is part of the expression: "));
}

static void
test_a_dollar_in_an_expression_is_one (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_auto (GStrv) patterns = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("clip-settings-XXXXXX", &path, NULL);

  close (fd);
  g_setenv ("TESTED_IGNORE_APP", "$TESTED_APP", TRUE);
  g_setenv ("TESTED_APP", "/xterm", TRUE);
  g_assert_true (clip_settings_load_environment (settings, "TESTED", NULL));
  g_unsetenv ("TESTED_IGNORE_APP");
  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_IGNORE_APP), ==, "/xterm");
  g_assert_true (g_file_set_contents (
      path,
      "ignore-pattern ^\\$6\\$\nignore-pattern ^\\$y\\$j9T\ndb-path $TESTED_APP/db\n", -1,
      NULL));
  g_assert_true (clip_settings_load_file (settings, path, NULL));
  unlink (path);
  patterns = clip_settings_list (settings, CLIP_SETTING_IGNORE_PATTERN);
  g_assert_cmpstr (patterns[0], ==, "^\\$6\\$");
  g_assert_cmpstr (patterns[1], ==, "^\\$y\\$j9T");
  g_assert_cmpstr (clip_settings_text (settings, CLIP_SETTING_DB_PATH), ==, "/xterm/db");
}

static void
assert_items (const ClipSettings *settings, const char *expected)
{
  g_auto (GStrv) items = clip_settings_list (settings, CLIP_SETTING_IGNORE_APP);
  g_autofree char *joined = g_strjoinv ("|", items);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_list_has_an_item_for_each_line (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  assert_items (settings, "");
  g_setenv ("CLIPLIST_IGNORE_APP", "a b", TRUE);
  g_assert_true (clip_settings_load_environment (settings, "CLIPLIST", NULL));
  assert_items (settings, "a b");
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "one", CLIP_FROM_FILE, NULL);
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "two", CLIP_FROM_FILE, NULL);
  assert_items (settings, "one|two");
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "none", CLIP_FROM_FILE, NULL);
  assert_items (settings, "");
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "", CLIP_FROM_FILE, NULL);
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "three", CLIP_FROM_FILE, NULL);
  assert_items (settings, "three");
  clip_settings_set (settings, CLIP_SETTING_IGNORE_APP, "flag", CLIP_FROM_FLAG, NULL);
  assert_items (settings, "flag");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/defaults-parse", test_defaults_parse);
  g_test_add_func ("/settings/stronger-origin-wins", test_stronger_origin_wins);
  g_test_add_func ("/settings/bad-value-refused", test_bad_value_refused);
  g_test_add_func ("/settings/overridden-value-not-looked-at",
                   test_overridden_value_not_looked_at);
  g_test_add_func ("/settings/every-key-found", test_every_key_found);
  g_test_add_func ("/settings/unknown-is-told", test_unknown_is_told);
  g_test_add_func ("/settings/unknown-in-environment-is-told",
                   test_unknown_in_environment_is_told);
  g_test_add_func ("/settings/a-rule-that-matches-everything-is-told",
                   test_a_rule_that_matches_everything_is_told);
  g_test_add_func ("/settings/a-rule-behind-an-equals-sign-is-told",
                   test_a_rule_behind_an_equals_sign_is_told);
  g_test_add_func ("/settings/a-limit-that-keeps-nothing-is-told",
                   test_a_limit_that_keeps_nothing_is_told);
  g_test_add_func ("/settings/a-rule-that-matches-nothing-is-told",
                   test_a_rule_that_matches_nothing_is_told);
  g_test_add_func ("/settings/marks-round-an-expression-are-told",
                   test_marks_round_an_expression_are_told);
  g_test_add_func ("/settings/a-dollar-in-an-expression-is-one",
                   test_a_dollar_in_an_expression_is_one);
  g_test_add_func ("/settings/list-has-an-item-for-each-line",
                   test_list_has_an_item_for_each_line);
  return g_test_run ();
}
