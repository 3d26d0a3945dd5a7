import { starting } from './starts.mjs';

export const units = 3;
export const warmUpRounds = 0;
export const unit = 'KiB';
export const peers = {
  capix: starting('capix', units, 'residentKiB'),
  'Fastify with zod': starting('Fastify with zod', units, 'residentKiB'),
  Hono: starting('Hono', units, 'residentKiB'),
};
