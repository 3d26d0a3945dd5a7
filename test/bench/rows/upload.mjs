import { openBusboy, openCapixForms, sendForms } from './uploads.mjs';

export const units = 5;
export const peers = { capix: () => openCapixForms([]), busboy: () => openBusboy([]) };
export const load = sendForms({ fields: [], bytes: 20 * 1024 * 1024, times: units });
