import { byHand, capix, hono, ITEMS, readItems } from './streams.mjs';

export const units = ITEMS;
export const peers = {
  capix,
  'node:http': () => byHand('text/event-stream', (json) => `data: ${json}\n\n`),
  Hono: hono,
};
export const load = readItems('text/event-stream');
