import { repeat } from './servers.mjs';
import { ask, openCapixTools, openSdkTools } from './tools.mjs';

export const units = 60;
export const peers = { capix: () => openCapixTools(200), SDK: () => openSdkTools(200) };
export const load = (url) => repeat(units, 1, () => ask(url, 'tools/list', {}));
