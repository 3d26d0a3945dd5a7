import { pino } from 'pino';
import * as z from 'zod';
import { capability, createServer } from '../../../server-runtime/index.ts';

const bookSlot = capability(z.object({ slotId: z.string() }), ({ slotId }, ctx) => {
  ctx.log.info('Booked', { slotId }); // with requestId and capability
});

export const createLoggedServer = (out: { write: (line: string) => void }) =>
  createServer({ capabilities: { slots: { bookSlot } }, logger: pino({}, out), accessLog: true });
