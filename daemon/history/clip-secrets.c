/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A secret itself is not kept, only a hash of it under a key that is drawn at each start, in
 * memory that is never swapped out: without the key a hash of a short password could be
 * guessed.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-secrets.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#define N_SECRETS 32
#define HASH_BYTES 32

typedef struct
{
  guint8 hash[HASH_BYTES];
  gint64 until_us; /* 0: none */
} Secret;

typedef struct
{
  guint8 key[HASH_BYTES];
  Secret secrets[N_SECRETS];
} Vault;

struct ClipSecrets
{
  Vault *vault; /* pages of its own; NULL: there is no memory, or no chance, for a key */
  guint next;
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
  if (getrandom (vault->key, HASH_BYTES, 0) == HASH_BYTES)
    return vault;
  munmap (vault, sizeof *vault);
  return NULL;
}

/* one that gets no memory to itself recognizes nothing */
ClipSecrets *
clip_secrets_new (void)
{
  ClipSecrets *self = g_rc_box_new0 (ClipSecrets);

  self->vault = open_vault ();
  return self;
}

ClipSecrets *
clip_secrets_ref (ClipSecrets *self)
{
  return g_rc_box_acquire (self);
}

static void
clip_secrets_clear (gpointer data)
{
  ClipSecrets *self = data;

  if (!self->vault)
    return;
  explicit_bzero (self->vault, sizeof *self->vault);
  munmap (self->vault, sizeof *self->vault);
}

void
clip_secrets_unref (ClipSecrets *self)
{
  if (self)
    g_rc_box_release_full (self, clip_secrets_clear);
}

static void
hash (const Vault *vault, const void *data, gsize length, guint8 out[HASH_BYTES])
{
  g_autoptr (GHmac) hmac = g_hmac_new (G_CHECKSUM_SHA256, vault->key, HASH_BYTES);
  gsize n_bytes = HASH_BYTES;

  g_hmac_update (hmac, data, (gssize) length);
  g_hmac_get_digest (hmac, out, &n_bytes);
}

/**
 * clip_secrets_learn:
 * @now_us: monotonic time, microseconds
 *
 * Recognizes these bytes from now on, for %CLIP_SECRETS_KEPT_US.
 */
void
clip_secrets_learn (ClipSecrets *self, const void *data, gsize length, gint64 now_us)
{
  Secret *secret;

  if (!self->vault || length == 0 || length > CLIP_SECRETS_MAX_BYTES)
    return;
  secret = &self->vault->secrets[self->next++ % N_SECRETS];
  hash (self->vault, data, length, secret->hash);
  secret->until_us = now_us + CLIP_SECRETS_KEPT_US;
}

/* whether there is anything to recognize */
gboolean
clip_secrets_is_empty (ClipSecrets *self, gint64 now_us)
{
  for (guint i = 0; self->vault && i < N_SECRETS; i++)
    if (self->vault->secrets[i].until_us > now_us)
      return FALSE;
  return TRUE;
}

/* whether these bytes were learnt, and not too long ago. @now_us: monotonic time, microseconds */
gboolean
clip_secrets_knows (ClipSecrets *self, const void *data, gsize length, gint64 now_us)
{
  guint8 wanted[HASH_BYTES];

  if (length == 0 || length > CLIP_SECRETS_MAX_BYTES ||
      clip_secrets_is_empty (self, now_us))
    return FALSE;
  hash (self->vault, data, length, wanted);
  for (guint i = 0; i < N_SECRETS; i++)
    if (self->vault->secrets[i].until_us > now_us &&
        memcmp (self->vault->secrets[i].hash, wanted, HASH_BYTES) == 0)
      return TRUE;
  return FALSE;
}
