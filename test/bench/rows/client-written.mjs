import { CALLS, openapiFetch, writtenClient } from './client-calls.mjs';

export const units = CALLS;
export const peers = { capix: writtenClient, 'openapi-fetch': openapiFetch };
