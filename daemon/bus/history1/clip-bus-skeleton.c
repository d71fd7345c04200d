/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The generated skeleton with the gate before it. GIO's own place for such a question is
 * a signal that is emitted on a thread for each call, which costs more, mixes up the
 * order of calls, and knows nothing of properties.
 */
#include "clip-bus-private.h"
#include "clip-paths.h"

#define PROPERTIES "org.freedesktop.DBus.Properties"

#define CLIP_TYPE_BUS_SKELETON (clip_bus_skeleton_get_type ())
G_DECLARE_FINAL_TYPE (ClipBusSkeleton,
                      clip_bus_skeleton,
                      CLIP,
                      BUS_SKELETON,
                      ClipDbusHistorySkeleton)

struct _ClipBusSkeleton
{
  ClipDbusHistorySkeleton parent_instance;
  ClipGate *gate;
  ClipBusRefresh refresh; /* (nullable) */
  gpointer refresh_data;
};

G_DEFINE_FINAL_TYPE (ClipBusSkeleton, clip_bus_skeleton, CLIP_DBUS_TYPE_HISTORY_SKELETON)

static const GDBusInterfaceVTable *
generated (ClipBusSkeleton *self)
{
  return G_DBUS_INTERFACE_SKELETON_CLASS (clip_bus_skeleton_parent_class)
      ->get_vtable (G_DBUS_INTERFACE_SKELETON (self));
}

/* takes @invocation */
static void
answer_property (ClipBusSkeleton *self, GDBusMethodInvocation *invocation)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;
  const char *name;

  g_variant_get_child (parameters, 1, "&s", &name);
  value = generated (self)->get_property (
      g_dbus_method_invocation_get_connection (invocation),
      g_dbus_method_invocation_get_sender (invocation),
      g_dbus_method_invocation_get_object_path (invocation), CLIP_BUS_NAME, name, &error,
      self);
  if (value)
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(v)", value));
  else
    g_dbus_method_invocation_return_gerror (invocation, error);
}

/* takes @invocation. All of our properties are read-only: GIO refuses Set before it asks
   us */
static void
answer_properties (ClipBusSkeleton *self, GDBusMethodInvocation *invocation)
{
  GVariant *all;

  if (self->refresh)
    self->refresh (self->refresh_data);
  if (g_str_equal (g_dbus_method_invocation_get_method_name (invocation), "Get"))
    {
      answer_property (self, invocation);
      return;
    }
  all = g_dbus_interface_skeleton_get_properties (G_DBUS_INTERFACE_SKELETON (self));
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(@a{sv})", all));
  g_variant_unref (all);
}

static void
on_admitted (GDBusMethodInvocation *invocation, gpointer user_data)
{
  const char *interface = g_dbus_method_invocation_get_interface_name (invocation);

  if (g_str_equal (interface, PROPERTIES))
    answer_properties (user_data, invocation);
  else
    generated (user_data)->method_call (
        g_dbus_method_invocation_get_connection (invocation),
        g_dbus_method_invocation_get_sender (invocation),
        g_dbus_method_invocation_get_object_path (invocation), interface,
        g_dbus_method_invocation_get_method_name (invocation),
        g_dbus_method_invocation_get_parameters (invocation), invocation, user_data);
}

static void
on_call (GDBusConnection *connection G_GNUC_UNUSED,
         const char *sender G_GNUC_UNUSED,
         const char *path G_GNUC_UNUSED,
         const char *interface G_GNUC_UNUSED,
         const char *method G_GNUC_UNUSED,
         GVariant *parameters G_GNUC_UNUSED,
         GDBusMethodInvocation *invocation,
         gpointer user_data)
{
  ClipBusSkeleton *self = user_data;

  clip_gate_admit (self->gate, invocation, on_admitted, self);
}

/* without functions for properties, calls for these come as all others do */
static GDBusInterfaceVTable *
get_vtable (GDBusInterfaceSkeleton *skeleton G_GNUC_UNUSED)
{
  static GDBusInterfaceVTable vtable = { .method_call = on_call };

  return &vtable;
}

static void
clip_bus_skeleton_finalize (GObject *object)
{
  clip_gate_unref (CLIP_BUS_SKELETON (object)->gate);
  G_OBJECT_CLASS (clip_bus_skeleton_parent_class)->finalize (object);
}

static void
clip_bus_skeleton_class_init (ClipBusSkeletonClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_bus_skeleton_finalize;
  G_DBUS_INTERFACE_SKELETON_CLASS (klass)->get_vtable = get_vtable;
}

static void
clip_bus_skeleton_init (ClipBusSkeleton *self G_GNUC_UNUSED)
{
}

/* before a property is answered, @refresh sets those that change often and are asked for
 * seldom; NULL ends that */
void
clip_bus_skeleton_set_refresh (ClipDbusHistory *skeleton,
                               ClipBusRefresh refresh,
                               gpointer user_data)
{
  ClipBusSkeleton *self = CLIP_BUS_SKELETON (skeleton);

  self->refresh = refresh;
  self->refresh_data = user_data;
}

ClipDbusHistory *
clip_bus_skeleton_new (ClipGate *gate)
{
  ClipBusSkeleton *self = g_object_new (CLIP_TYPE_BUS_SKELETON, NULL);

  self->gate = clip_gate_ref (gate);
  return CLIP_DBUS_HISTORY (self);
}
