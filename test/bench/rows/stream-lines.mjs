import { byHand, capix, ITEMS, readItems } from './streams.mjs';

export const units = ITEMS;
export const peers = {
  capix,
  'node:http': () => byHand('application/x-ndjson', (json) => `${json}\n`),
};
export const load = readItems('application/x-ndjson');
