import { repeat } from './servers.mjs';
import { ask, openCapixTools, openSdkTools } from './tools.mjs';

export const units = 1000;
export const peers = { capix: () => openCapixTools(20), SDK: () => openSdkTools(20) };
export const load = (url) =>
  repeat(units, 1, () =>
    ask(url, 'tools/call', { name: 'items_getItem3', arguments: { id: '1' } }),
  );
