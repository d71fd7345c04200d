/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pump-rig.h"

void
pump_rig_init (PumpRig *self, TestEndKind source, TestEndKind sink, gsize size)
{
  *self = (PumpRig){ .content = test_content_new (size) };
  test_source_init (&self->source, source, self->content);
  test_sink_init (&self->sink, sink);
}

void
pump_rig_clear (PumpRig *self)
{
  clip_pump_free (self->pump);
  test_end_clear (&self->source);
  test_end_clear (&self->sink);
  g_bytes_unref (self->content);
  g_clear_error (&self->error);
}

void
pump_rig_start (PumpRig *self, goffset size, goffset limit)
{
  self->pump = clip_pump_new (self->source.fd, self->sink.fd, size, limit);
}

ClipStep
pump_rig_step (PumpRig *self)
{
  return clip_pump_step (self->pump, &self->error);
}

/* as far as it goes without anybody at the other ends */
ClipStep
pump_rig_step_on (PumpRig *self)
{
  ClipStep result;

  do
    result = pump_rig_step (self);
  while (result == CLIP_STEP_MORE);
  return result;
}
