import { starting } from './starts.mjs';

export const units = 3;
export const warmUpRounds = 1;
export const peers = {
  capix: starting('capix', units, 'cpuUs'),
  Hono: starting('Hono', units, 'cpuUs'),
  'Fastify with zod': starting('Fastify with zod', units, 'cpuUs'),
};
