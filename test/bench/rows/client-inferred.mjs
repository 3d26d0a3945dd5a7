import { CALLS, inferredClient, openapiFetch } from './client-calls.mjs';

export const units = CALLS;
export const peers = { capix: inferredClient, 'openapi-fetch': openapiFetch };
