import { CALLS, inferredClient, openapiFetch, openapiFetchBody } from './client-calls.mjs';

export const units = CALLS;
export const peers = {
  capix: inferredClient,
  'openapi-fetch': openapiFetch,
  'openapi-fetch with a body': openapiFetchBody,
};
