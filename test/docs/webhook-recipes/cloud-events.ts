import * as z from 'zod';
import { capability } from '../../../server-runtime/index.ts';

const CloudEvent = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string().min(1),
  time: z.iso.datetime({ offset: true }).optional(),
  data: z.unknown(),
});

/** One event, or a batch of them. */
export const receiveEvents = capability(
  z.object({ events: z.union([z.array(CloudEvent), CloudEvent]) }),
  ({ events }) => [events].flat().map(({ id, type, data }) => ({ id, type, data })),
).takes({
  body: {
    field: 'events',
    types: ['application/cloudevents+json', 'application/cloudevents-batch+json'],
  },
});
