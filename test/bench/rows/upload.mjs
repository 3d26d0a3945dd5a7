import { openBusboy, openCapixForms, sendForms } from './uploads.mjs';

/** V8 collects the whole heap once in two uploads, a third of their cost: rounds of few uploads differ by a fifth. */
export const units = 20;
export const peers = { capix: () => openCapixForms([]), busboy: () => openBusboy([]) };
export const load = sendForms({ fields: [], bytes: 20 * 1024 * 1024, times: units });
