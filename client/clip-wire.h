/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Messages of D-Bus as bytes, as far as a call needs them that has simple arguments. */

typedef enum
{
  CLIP_WIRE_REPLY = 2,
  CLIP_WIRE_ERROR = 3,
} ClipWireType;

typedef struct
{
  const char *destination; /* of the bus */
  const char *path;
  const char *interface;
  const char *method;
  const char *signature; /* of the arguments */
  guint32 serial;
  guint32 n_fds;
} ClipWireCall;

/* Borrowed from the bytes that it was read from. */
typedef struct
{
  guint type; /* ClipWireType, or one that is nothing to us */
  guint32 reply_serial;
  const char *error_name; /* (nullable) */
  const char *signature;  /* of the body; "" = it has none */
  const guint8 *body;
  gsize body_length;
} ClipWireMessage;

void clip_wire_add_uint32 (GByteArray *bytes, guint32 value);
void clip_wire_add_string (GByteArray *bytes, const char *text);
void clip_wire_add_option_string (GByteArray *bytes, const char *key, const char *text);
void clip_wire_add_option_int64 (GByteArray *bytes, const char *key, gint64 value);
void clip_wire_add_option_strings (GByteArray *bytes, const char *key, GPtrArray *texts);
gsize clip_wire_begin_array (GByteArray *bytes, guint alignment);
void clip_wire_end_array (GByteArray *bytes, gsize begin, guint alignment);

void clip_wire_add_call (GByteArray *bytes,
                         const ClipWireCall *call,
                         const GByteArray *args);
gboolean clip_wire_read (const guint8 *data,
                         gsize length,
                         ClipWireMessage *message,
                         gsize *out_used,
                         gboolean *out_whole);
const char *clip_wire_text (const ClipWireMessage *message);
const char *clip_wire_detail (const ClipWireMessage *message, const char *key);

G_END_DECLS
