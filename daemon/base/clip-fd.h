/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <unistd.h>
G_BEGIN_DECLS

/* a descriptor that closes itself at the end of its scope: initialise it at declaration
 */
#define clip_autofd __attribute__ ((cleanup (clip_fd_clear)))

/* as clip_autofd, for one that another process sent us */
#define clip_autofd_foreign __attribute__ ((cleanup (clip_fd_clear_foreign)))

/* the most that is handed over in memory instead of through a pipe: what a row takes */
#define CLIP_SEALED_BYTES ((gsize) 64 * 1024)

/* of /dev/null, /dev/zero and their like, which never wait */
#define CLIP_FD_MEM_MAJOR 1

/* what a descriptor is that another process sent */
typedef struct
{
  guint32 mode;  /* type and rights, as of stat(2) */
  guint32 major; /* of a device */
  goffset size;  /* of a file: as the kernel knows it */
  goffset at;    /* of a file: where its next read begins */
} ClipFdLook;

void clip_fd_clear (int *fd);
gboolean clip_fd_look (int fd, ClipFdLook *out_look);
gboolean clip_fd_is_file (const ClipFdLook *look);
gboolean clip_fd_is_known (const ClipFdLook *look);
void clip_fd_clear_foreign (int *fd);
int clip_fd_dup (int fd, GError **error);
gboolean clip_pipe (int fds[2], GError **error);
int clip_memfd (GBytes *content, GError **error);
int clip_sealed_memory (const void *data, gsize length, GError **error);
gboolean clip_is_sealed (int fd);
gboolean clip_read_exactly (int fd,
                            void *buffer,
                            gsize length,
                            goffset offset,
                            GError **error);
GBytes *clip_read_to_end (int fd, gsize limit, GError **error);
void *clip_map_file (int fd, goffset offset, gsize length);
goffset clip_copy_file (int from, int to, GError **error);
gboolean clip_write_all (int fd, const void *data, gsize length, GError **error);
gboolean clip_fd_lock (int fd, gboolean alone, gint64 patience_us, GError **error);

G_END_DECLS
