import { openBusboy, openCapixForms, sendForms } from './uploads.mjs';

const fields = ['first', 'second', 'third', 'fourth', 'fifth'];

export const units = 500;
export const peers = { capix: () => openCapixForms(fields), busboy: () => openBusboy(fields) };
export const load = sendForms({ fields, bytes: 10_000, times: units });
