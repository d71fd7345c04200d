/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A secret itself is not kept, only hashes of it under a key that is drawn at each start,
 * in memory that is never swapped out: without the key a hash of a short password could
 * be guessed. A hash is taken in one piece from where the secret lies: what has a
 * state of its own (GHmac) keeps a part of the secret in it.
 *
 * The main loop learns; it is asked on other threads, too.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-secret-fingerprints.h"

#include "clip-encoding.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <xxhash.h>

/* of each origin; of one copy there may be some, a type each */
#define N_EACH 64
#define N_SECRETS (CLIP_N_SECRET_ORIGINS * N_EACH)
#define KEY_BYTES 192

/* What is compared of a long one, in UTF-8: as much of it is in what is read in each
 * encoding, the widest of which has four bytes for a letter, and a blank beside each */
#define COMPARED_BYTES (CLIP_SECRET_FINGERPRINTS_MAX_BYTES / 8)

typedef struct
{
  XXH128_hash_t hashes[CLIP_N_ENCODINGS];
  guint n_hashes;
} Readings;

typedef struct
{
  Readings readings;
  gint64 until_us; /* 0: none */
} Secret;

typedef struct
{
  guint8 key[KEY_BYTES];
  Secret fingerprints[N_SECRETS];
} Vault;

struct ClipSecretFingerprints
{
  Vault *vault; /* pages of its own; NULL: there is no memory, or no chance, for a key */
  GMutex lock;  /* guards the fingerprints in it */
  guint next[CLIP_N_SECRET_ORIGINS];
  gint64 met_until_us;
};

static Vault *
open_vault (void)
{
  Vault *vault = mmap (NULL, sizeof *vault, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (vault == MAP_FAILED)
    return NULL;
  if (mlock (vault, sizeof *vault) < 0)
    g_debug ("hashes of secrets may be swapped out");
  madvise (vault, sizeof *vault, MADV_DONTDUMP);
  if (getrandom (vault->key, KEY_BYTES, 0) == KEY_BYTES)
    return vault;
  munmap (vault, sizeof *vault);
  return NULL;
}

/* one that gets no memory to itself recognizes nothing */
ClipSecretFingerprints *
clip_secret_fingerprints_new (void)
{
  ClipSecretFingerprints *self = g_atomic_rc_box_new0 (ClipSecretFingerprints);

  g_mutex_init (&self->lock);
  self->vault = open_vault ();
  return self;
}

ClipSecretFingerprints *
clip_secret_fingerprints_ref (ClipSecretFingerprints *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clip_secret_fingerprints_clear (gpointer data)
{
  ClipSecretFingerprints *self = data;

  g_mutex_clear (&self->lock);
  if (!self->vault)
    return;
  explicit_bzero (self->vault, sizeof *self->vault);
  munmap (self->vault, sizeof *self->vault);
}

void
clip_secret_fingerprints_unref (ClipSecretFingerprints *self)
{
  if (self)
    g_atomic_rc_box_release_full (self, clip_secret_fingerprints_clear);
}

static gboolean
is_unseen (gunichar c)
{
  const GUnicodeType type = g_unichar_type (c);

  return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || g_unichar_isspace (c) ||
         g_unichar_iszerowidth (c);
}

/* Takes out what is not seen: blanks, line ends, NULs, the mark of a byte order. Another
 * manager may add it, leave it out, or write it in another way.
 *
 * Returns: the bytes that are left */
static gsize
take_out_unseen (char *text, gsize length)
{
  const char *at = text;
  const char *end = text + length;
  char *to = text;

  while (at < end && at + g_utf8_skip[(guchar) *at] <= end)
    {
      gsize width = g_utf8_skip[(guchar) *at];

      if (!is_unseen (g_utf8_get_char (at)))
        {
          memmove (to, at, width);
          to += width;
        }
      at += width;
    }
  return MIN ((gsize) (to - text), COMPARED_BYTES);
}

/* none of a text of which nothing is left to compare */
static Readings
read_text (const ClipSecretFingerprints *self, const void *data, gsize length)
{
  Readings readings = { .n_hashes = 0 };

  for (guint i = 0; i < CLIP_N_ENCODINGS; i++)
    {
      gsize text_length;
      g_autofree char *text = clip_encoding_read (
          i, data, length, length == CLIP_SECRET_FINGERPRINTS_MAX_BYTES, &text_length);
      gsize seen = text ? take_out_unseen (text, text_length) : 0;

      if (seen > 0)
        readings.hashes[readings.n_hashes++] =
            XXH3_128bits_withSecret (text, seen, self->vault->key, KEY_BYTES);
      else if (i == 0)
        break;
    }
  return readings;
}

static gboolean
have_one_in_common (const Readings *a, const Readings *b)
{
  for (guint i = 0; i < a->n_hashes; i++)
    for (guint j = 0; j < b->n_hashes; j++)
      if (XXH128_isEqual (a->hashes[i], b->hashes[j]))
        return TRUE;
  return FALSE;
}

/* (nullable): the place of that text, where it has one: in each of its types, and each
 * time that it is copied, it is the same */
static Secret *
find_place (ClipSecretFingerprints *self, ClipSecretOrigin origin, const Readings *wanted)
{
  Secret *places = &self->vault->fingerprints[origin * N_EACH];

  for (guint i = 0; i < N_EACH; i++)
    if (places[i].readings.n_hashes == wanted->n_hashes &&
        memcmp (places[i].readings.hashes, wanted->hashes,
                wanted->n_hashes * sizeof *wanted->hashes) == 0)
      return &places[i];
  return NULL;
}

/* what may be a secret is there, of which all, a part or nothing will be learnt. @now_us:
 * monotonic time, microseconds */
void
clip_secret_fingerprints_met (ClipSecretFingerprints *self, gint64 now_us)
{
  self->met_until_us = now_us + CLIP_SECRET_FINGERPRINTS_KEPT_US;
}

/* whether one may come back in a type that nothing was learnt of */
gboolean
clip_secret_fingerprints_met_lately (ClipSecretFingerprints *self, gint64 now_us)
{
  return now_us < self->met_until_us;
}

static void
keep_until (ClipSecretFingerprints *self,
            ClipSecretOrigin origin,
            const void *data,
            gsize length,
            gint64 until_us)
{
  Readings readings;
  Secret *secret;

  if (!self->vault)
    return;
  readings = read_text (self, data, length);
  if (readings.n_hashes == 0)
    return;
  g_mutex_lock (&self->lock);
  secret = find_place (self, origin, &readings);
  if (!secret)
    {
      secret =
          &self->vault->fingerprints[origin * N_EACH + self->next[origin]++ % N_EACH];
      secret->until_us = 0;
    }
  secret->readings = readings;
  secret->until_us = MAX (secret->until_us, until_us);
  g_mutex_unlock (&self->lock);
}

/**
 * clip_secret_fingerprints_learn:
 * @length: bytes, %CLIP_SECRET_FINGERPRINTS_MAX_BYTES at most; more of it need not be
 * read
 * @now_us: monotonic time, microseconds
 *
 * Recognizes this text from now on, for %CLIP_SECRET_FINGERPRINTS_KEPT_US, whatever its
 * blanks, line ends and NULs, in UTF-8, UTF-16, UTF-32 and Latin-1.
 */
void
clip_secret_fingerprints_learn (ClipSecretFingerprints *self,
                                ClipSecretOrigin origin,
                                const void *data,
                                gsize length,
                                gint64 now_us)
{
  clip_secret_fingerprints_met (self, now_us);
  keep_until (self, origin, data, length, now_us + CLIP_SECRET_FINGERPRINTS_KEPT_US);
}

/* as clip_secret_fingerprints_learn(), of what may be another text, which the user wants
 * to have: for %CLIP_SECRET_FINGERPRINTS_DOUBTFUL_US, which is enough to compare what is
 * on its way */
void
clip_secret_fingerprints_suspect (ClipSecretFingerprints *self,
                                  ClipSecretOrigin origin,
                                  const void *data,
                                  gsize length,
                                  gint64 now_us)
{
  keep_until (self, origin, data, length, now_us + CLIP_SECRET_FINGERPRINTS_DOUBTFUL_US);
}

/* whether there is anything to recognize */
gboolean
clip_secret_fingerprints_is_empty (ClipSecretFingerprints *self, gint64 now_us)
{
  gboolean is_empty = TRUE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; self->vault && i < N_SECRETS && is_empty; i++)
    is_empty = self->vault->fingerprints[i].until_us <= now_us;
  g_mutex_unlock (&self->lock);
  return is_empty;
}

/* whether that text was learnt, and not too long ago. @length: as for
 * clip_secret_fingerprints_learn(). @now_us: monotonic time, microseconds */
gboolean
clip_secret_fingerprints_knows (ClipSecretFingerprints *self,
                                const void *data,
                                gsize length,
                                gint64 now_us)
{
  gboolean is_known = FALSE;
  Readings wanted;

  if (clip_secret_fingerprints_is_empty (self, now_us))
    return FALSE;
  wanted = read_text (self, data, length);
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < N_SECRETS && !is_known; i++)
    is_known = self->vault->fingerprints[i].until_us > now_us &&
               have_one_in_common (&self->vault->fingerprints[i].readings, &wanted);
  g_mutex_unlock (&self->lock);
  return is_known;
}
