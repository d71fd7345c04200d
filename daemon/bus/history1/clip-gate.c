/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bus says which process a caller is; what that process is, the kernel says, or,
 * where it may be in a sandbox, a file in its root, which a thread looks for. The answer
 * holds as long as the connection: a program gets into a sandbox before it can call.
 *
 * A file system that never answers holds the thread. So each look has one of its own, for
 * which no other work waits. Of a process there are few at a time, and others of it wait.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-gate.h"

#include "clip-bus-error.h"
#include "clip-caller-ages.h"
#include "clip-confinement.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-process.h"

#include <gio/gunixfdlist.h>
#include <poll.h>

#define BUS "org.freedesktop.DBus"

/* unique names are never used twice, so that what is remembered never becomes wrong: it
 * only becomes much */
#define MAX_REMEMBERED 512

/* threads, for connections of all processes, and of one; how many wait for them */
#define MAX_LOOKS 256
#define MAX_LOOKS_OF_ONE 4
#define MAX_WAITING 256
#define MAX_WAITING_OF_ONE 64

/* of the calls of a process that is looked at, which may take for ever: so many wait, and
 * no more than one where they have so many bytes */
#define MAX_CALLS_OF_ONE 128
#define MAX_BYTES_OF_ONE ((gsize) 4 * 1024 * 1024)

typedef struct
{
  GDBusMethodInvocation *invocation;
  ClipGateFunc function;
  gpointer user_data; /* a GObject */
} Waiting;

typedef struct
{
  char *name;
  gboolean is_known;
  gboolean is_looked_at;     /* by a thread */
  struct Question *question; /* (nullable): while others of its process are */
  ClipConfinement sandbox;
  char *app; /* (nullable) */
  gint64 pid;
  int pidfd;       /* -1 where the bus gives none */
  GQueue *waiting; /* Waiting */
} Caller;

struct ClipGate
{
  ClipHistory *history;
  GQueue *held;         /* Waiting; NULL once calls are let in */
  GHashTable *callers;  /* unique name -> Caller */
  guint n_open;         /* calls that have come and are not answered */
  ClipCallerAges *ages; /* (nullable) */
};

/* a look under way keeps the gate */
typedef struct Question
{
  ClipGate *gate;
  char *name;
} Question;

static void
question_free (Question *self)
{
  clip_gate_unref (self->gate);
  g_free (self->name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static void
waiting_free (Waiting *self)
{
  g_clear_object (&self->invocation);
  g_object_unref (self->user_data);
  g_free (self);
}

static void
caller_free (Caller *self)
{
  g_queue_free_full (self->waiting, (GDestroyNotify) waiting_free);
  g_clear_pointer (&self->question, question_free);
  clip_fd_clear (&self->pidfd);
  g_free (self->app);
  g_free (self->name);
  g_free (self);
}

/**
 * clip_gate_new:
 * @history: whose settings say who may
 */
ClipGate *
clip_gate_new (ClipHistory *history)
{
  ClipGate *self = g_rc_box_new0 (ClipGate);

  self->history = g_object_ref (history);
  self->callers =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) caller_free);
  return self;
}

/* from now on it notes who connects; without it a process is believed to be the one that
   connected */
void
clip_gate_watch (ClipGate *self, GDBusConnection *bus)
{
  g_clear_pointer (&self->ages, clip_caller_ages_free);
  self->ages = clip_caller_ages_new (bus);
}

ClipGate *
clip_gate_ref (ClipGate *self)
{
  return g_rc_box_acquire (self);
}

static void
drop_held (ClipGate *self)
{
  if (self->held)
    g_queue_free_full (g_steal_pointer (&self->held), (GDestroyNotify) waiting_free);
}

static void
clear (gpointer gate)
{
  ClipGate *self = gate;

  drop_held (self);
  g_hash_table_unref (self->callers);
  g_clear_pointer (&self->ages, clip_caller_ages_free);
  g_clear_object (&self->history);
}

/* no call passes any more, and who waits hears nothing: we end */
void
clip_gate_shut (ClipGate *self)
{
  drop_held (self);
  g_hash_table_remove_all (self->callers);
  g_clear_pointer (&self->ages, clip_caller_ages_free);
}

void
clip_gate_unref (ClipGate *self)
{
  g_rc_box_release_full (self, clear);
}

static Question *
question_new (ClipGate *gate, const Caller *caller)
{
  Question *self = g_new (Question, 1);

  *self = (Question){ .gate = clip_gate_ref (gate), .name = g_strdup (caller->name) };
  return self;
}

/* --- what becomes of a call --- */

static gboolean
is_admitted (ClipGate *self, const Caller *caller)
{
  const char *listed = clip_settings_text (clip_history_settings (self->history),
                                           CLIP_SETTING_ALLOW_SANDBOXED);

  return caller->sandbox == CLIP_CONFINEMENT_NONE ||
         clip_confinement_lists (listed, caller->app);
}

/* who is let in reads the history: what the clipboard is, the session says */
static gboolean
may_call (const Caller *caller, GDBusMethodInvocation *invocation)
{
  return caller->sandbox == CLIP_CONFINEMENT_NONE ||
         g_strcmp0 (g_dbus_method_invocation_get_method_name (invocation),
                    "UseDisplay") != 0;
}

static void
refuse (ClipGate *self, GDBusMethodInvocation *invocation_take, const Caller *caller)
{
  g_autoptr (GError) error = NULL;

  if (is_admitted (self, caller))
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_SANDBOXED,
                 "'%s' runs in a sandbox, and names no display", caller->app ?: "?");
  else if (caller->sandbox == CLIP_CONFINEMENT_UNSEEN && caller->pid == 0)
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                 "the bus did not say which process calls: it did not answer, or refused "
                 "to");
  else if (caller->sandbox == CLIP_CONFINEMENT_UNSEEN)
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                 "process %" G_GINT64_FORMAT " cannot be looked at: too many others are, "
                 "or too many files are open in the daemon, or on this machine",
                 caller->pid);
  else if (caller->sandbox == CLIP_CONFINEMENT_UNKNOWN)
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_SANDBOXED,
                 "process %" G_GINT64_FORMAT " may be in a sandbox, and cannot be looked "
                 "at; “allow-sandboxed *” lets it in",
                 caller->pid);
  else
    g_set_error (&error, CLIP_ERROR, CLIP_ERROR_SANDBOXED,
                 "'%s' runs in a sandbox, and allow-sandboxed does not name it",
                 caller->app);
  clip_bus_return_error (invocation_take, error);
}

static void
pass (ClipGate *self, const Caller *caller, Waiting *waiting)
{
  GDBusMethodInvocation *invocation = g_steal_pointer (&waiting->invocation);

  if (is_admitted (self, caller) && may_call (caller, invocation))
    waiting->function (invocation, waiting->user_data);
  else
    refuse (self, invocation, caller);
  waiting_free (waiting);
}

/* takes @app. Who was not seen is asked about and looked at again with the next call */
static void
settle (Question *question, ClipConfinement sandbox, char *app)
{
  ClipGate *self = question->gate;
  Caller *caller = g_hash_table_lookup (self->callers, question->name);

  caller->is_known = TRUE;
  caller->is_looked_at = FALSE;
  caller->sandbox = sandbox;
  caller->app = app;
  clip_fd_clear (&caller->pidfd);
  while (!g_queue_is_empty (caller->waiting))
    pass (self, caller, g_queue_pop_head (caller->waiting));
  if (sandbox == CLIP_CONFINEMENT_UNSEEN)
    g_hash_table_remove (self->callers, question->name);
}

static gsize
bytes_of (const Waiting *waiting)
{
  GVariant *body = g_dbus_message_get_body (
      g_dbus_method_invocation_get_message (waiting->invocation));

  return body ? g_variant_get_size (body) : 0;
}

/* takes @waiting; refused where its process has much that waits */
static void
have_wait (ClipGate *self, Caller *caller, Waiting *waiting)
{
  g_autoptr (GError) error = NULL;
  gsize bytes = bytes_of (waiting);
  guint n = 0;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->callers);
  while (caller->pid > 0 && g_hash_table_iter_next (&iter, NULL, &value))
    if (((Caller *) value)->pid == caller->pid)
      for (GList *link = ((Caller *) value)->waiting->head; link; link = link->next, n++)
        bytes += bytes_of (link->data);
  if (n < MAX_CALLS_OF_ONE && (n == 0 || bytes <= MAX_BYTES_OF_ONE))
    {
      g_queue_push_tail (caller->waiting, waiting);
      return;
    }
  g_set_error (&error, CLIP_ERROR, CLIP_ERROR_LIMITS,
               "%u calls of process %" G_GINT64_FORMAT " wait until it is looked at", n,
               caller->pid);
  clip_bus_return_error (g_steal_pointer (&waiting->invocation), error);
  waiting_free (waiting);
}

/* what came before it was known which process it is */
static void
have_wait_again (ClipGate *self, Caller *caller)
{
  g_autoptr (GQueue) before = g_steal_pointer (&caller->waiting);

  caller->waiting = g_queue_new ();
  while (!g_queue_is_empty (before))
    have_wait (self, caller, g_queue_pop_head (before));
}

/* --- who the caller is --- */

/* whether the process is still the one that the number meant: its end makes the
 * descriptor readable; without one, what has the number since is younger than the
 * connection */
static gboolean
is_still_there (const ClipGate *self, const Caller *caller)
{
  struct pollfd end = { .fd = caller->pidfd, .events = POLLIN };
  gint64 start_us;

  if (caller->pidfd >= 0)
    return poll (&end, 1, 0) == 0;
  if (!self->ages || !caller->pid)
    return TRUE;
  start_us = clip_process_start_us ((pid_t) caller->pid);
  return start_us >= 0 && start_us <= clip_caller_ages_since (self->ages, caller->name);
}

/* @sandbox: of the process that has the number; takes @app */
static void
settle_if_there (Question *question, ClipConfinement sandbox, char *app)
{
  const Caller *caller = g_hash_table_lookup (question->gate->callers, question->name);

  if (sandbox != CLIP_CONFINEMENT_UNSEEN && !is_still_there (question->gate, caller))
    sandbox = CLIP_CONFINEMENT_UNKNOWN;
  settle (question, sandbox, app);
}

typedef struct
{
  gint64 pid;
  ClipConfinement sandbox;
  char *app;
} Look;

static void
look_free (Look *self)
{
  g_free (self->app);
  g_free (self);
}

static gpointer
look_on_thread (gpointer task_take)
{
  g_autoptr (GTask) task = task_take;
  Look *self = g_task_get_task_data (task);

  self->sandbox = clip_confinement_look (self->pid, &self->app);
  g_task_return_boolean (task, TRUE);
  return NULL;
}

static void look_at_next (ClipGate *self, gint64 pid);

static void
on_looked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  Look *seen = g_task_get_task_data (G_TASK (result));
  Caller *caller = g_hash_table_lookup (question->gate->callers, question->name);

  if (caller)
    settle_if_there (question, seen->sandbox, g_steal_pointer (&seen->app));
  look_at_next (question->gate, seen->pid);
}

/* where there is no thread for it, it is not seen */
static void
look (Question *question_take, Caller *caller, gboolean may)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_looked, question_take);
  g_autoptr (GThread) thread = NULL;
  Look *order = g_new0 (Look, 1);

  order->pid = caller->pid;
  order->sandbox = CLIP_CONFINEMENT_UNSEEN;
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, order, (GDestroyNotify) look_free);
  if (may)
    thread = g_thread_try_new ("clip-look", look_on_thread, task, NULL);
  caller->is_looked_at = thread != NULL;
  if (thread)
    g_steal_pointer (&task);
  else
    g_task_return_boolean (task, TRUE);
}

/* now, or once fewer of its process are */
static void
look_in_turn (Question *question_take, Caller *caller)
{
  guint n_all = 0, n_own = 0, n_waiting = 0, n_waiting_own = 0;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, question_take->gate->callers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Caller *other = value;

      n_all += other->is_looked_at;
      n_own += other->is_looked_at && other->pid == caller->pid;
      n_waiting += other->question != NULL;
      n_waiting_own += other->question && other->pid == caller->pid;
    }
  if (n_own >= MAX_LOOKS_OF_ONE && n_waiting < MAX_WAITING &&
      n_waiting_own < MAX_WAITING_OF_ONE)
    caller->question = question_take;
  else
    look (question_take, caller, n_own < MAX_LOOKS_OF_ONE && n_all < MAX_LOOKS);
}

static void
look_at_next (ClipGate *self, gint64 pid)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->callers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Caller *caller = value;

      if (caller->question && caller->pid == pid)
        {
          look_in_turn (g_steal_pointer (&caller->question), caller);
          return;
        }
    }
}

/* @credentials: as GetConnectionCredentials has them; the label ends in a NUL, which may
 * be part of it */
static void
take_credentials (Caller *caller,
                  GVariant *credentials,
                  GUnixFDList *fds,
                  char **out_label)
{
  g_autoptr (GVariant) label = g_variant_lookup_value (credentials, "LinuxSecurityLabel",
                                                       G_VARIANT_TYPE_BYTESTRING);
  guint32 pid = 0;
  gint32 handle = -1;

  if (g_variant_lookup (credentials, "ProcessID", "u", &pid))
    caller->pid = pid;
  if (g_variant_lookup (credentials, "ProcessFD", "h", &handle) && fds && handle >= 0 &&
      handle < g_unix_fd_list_get_length (fds))
    caller->pidfd = g_unix_fd_list_get (fds, handle, NULL);
  if (label)
    *out_label = g_strndup (g_variant_get_data (label), g_variant_get_size (label));
}

/* it reads the files anyway, and we may not look at it */
static gboolean
is_root_and_we_are_not (GVariant *credentials)
{
  guint32 uid;

  return geteuid () != 0 && g_variant_lookup (credentials, "UnixUserID", "u", &uid) &&
         uid == 0;
}

static void
on_credentials (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  Caller *caller = g_hash_table_lookup (question->gate->callers, question->name);
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &fds, result, NULL);
  g_autoptr (GVariant) credentials = reply ? g_variant_get_child_value (reply, 0) : NULL;
  g_autofree char *label = NULL;
  char *app = NULL;
  ClipConfinement sandbox = CLIP_CONFINEMENT_UNKNOWN;

  if (!caller)
    return;
  if (!credentials)
    {
      settle (question, CLIP_CONFINEMENT_UNSEEN, NULL);
      return;
    }
  take_credentials (caller, credentials, fds, &label);
  if (is_root_and_we_are_not (credentials))
    {
      settle (question, CLIP_CONFINEMENT_NONE, NULL);
      return;
    }
  if (caller->pid)
    sandbox = clip_confinement_glance (caller->pid, label, &app);
  if (sandbox == CLIP_CONFINEMENT_UNKNOWN && caller->pid)
    {
      have_wait_again (question->gate, caller);
      look_in_turn (g_steal_pointer (&question), caller);
    }
  else
    settle_if_there (question, sandbox, app);
}

static void
ask (ClipGate *self, const Caller *caller, GDBusConnection *connection)
{
  g_dbus_connection_call_with_unix_fd_list (
      connection, BUS, "/org/freedesktop/DBus", BUS, "GetConnectionCredentials",
      g_variant_new ("(s)", caller->name), G_VARIANT_TYPE ("(a{sv})"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, on_credentials,
      question_new (self, caller));
}

static gboolean
is_settled (gpointer name G_GNUC_UNUSED, gpointer value, gpointer data G_GNUC_UNUSED)
{
  return ((Caller *) value)->is_known;
}

static Caller *
remember (ClipGate *self, const char *name)
{
  Caller *caller = g_new0 (Caller, 1);

  if (g_hash_table_size (self->callers) >= MAX_REMEMBERED)
    g_hash_table_foreach_remove (self->callers, is_settled, NULL);
  caller->name = g_strdup (name);
  caller->pidfd = -1;
  caller->waiting = g_queue_new ();
  g_hash_table_insert (self->callers, caller->name, caller);
  return caller;
}

/* the one that answers drops it */
static void
on_answered (gpointer user_data, GObject *gone G_GNUC_UNUSED)
{
  g_autoptr (ClipGate) self = user_data;

  self->n_open--;
}

/* whether every call that has come has been answered */
gboolean
clip_gate_is_idle (ClipGate *self)
{
  return self->n_open == 0;
}

/* the process that makes the call, which has been admitted; 0 where it is unknown */
gint64
clip_gate_pid (ClipGate *self, GDBusMethodInvocation *invocation)
{
  const char *name = g_dbus_method_invocation_get_sender (invocation);
  const Caller *caller = name ? g_hash_table_lookup (self->callers, name) : NULL;

  return caller ? caller->pid : 0;
}

/* who speaks to us alone has no name, and is not asked who it is */
static void
let_in (ClipGate *self, Waiting *waiting_take)
{
  const char *name = g_dbus_method_invocation_get_sender (waiting_take->invocation);
  GDBusConnection *bus =
      g_dbus_method_invocation_get_connection (waiting_take->invocation);
  Caller *caller = name ? g_hash_table_lookup (self->callers, name) : NULL;
  gboolean is_new = name && !caller;

  if (!name)
    {
      waiting_take->function (g_steal_pointer (&waiting_take->invocation),
                              waiting_take->user_data);
      waiting_free (waiting_take);
      return;
    }
  if (is_new)
    caller = remember (self, name);
  if (caller->is_known)
    {
      pass (self, caller, waiting_take);
      return;
    }
  have_wait (self, caller, waiting_take);
  if (is_new)
    ask (self, caller, bus); /* the first one waits in any case */
}

/* calls wait from now on, until clip_gate_open() */
void
clip_gate_hold (ClipGate *self)
{
  self->held = self->held ?: g_queue_new ();
}

void
clip_gate_open (ClipGate *self)
{
  g_autoptr (GQueue) held = g_steal_pointer (&self->held);

  while (held && !g_queue_is_empty (held))
    let_in (self, g_queue_pop_head (held));
}

/**
 * clip_gate_admit:
 * @invocation_take: a call
 * @function: what answers it, if it may be answered; now or later
 * @user_data: a #GObject, for @function
 */
void
clip_gate_admit (ClipGate *self,
                 GDBusMethodInvocation *invocation_take,
                 ClipGateFunc function,
                 gpointer user_data)
{
  Waiting *waiting = g_new (Waiting, 1);

  self->n_open++;
  g_object_weak_ref (G_OBJECT (invocation_take), on_answered, clip_gate_ref (self));
  *waiting = (Waiting){ invocation_take, function, g_object_ref (user_data) };
  if (self->held)
    g_queue_push_tail (self->held, waiting);
  else
    let_in (self, waiting);
}
