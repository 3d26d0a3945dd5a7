/** The shapes of a capability as `capix show --json` tells it, as JSON Schemas, and the parts of it that other commands tell, too. */

import { anything, choice, count, flag, list, object, part, text } from './schema-words.mjs';

const schemaView = object({ json: { type: ['object', 'boolean'], description: 'JSON Schema' } });
export const method = choice('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
export const intent = choice('query', 'mutation', 'update', 'replace', 'delete');
const route = object({ method, path: text() });
const errors = list(object({ name: text(), status: count() }));
export const offers = object({ resources: list(object({ uri: text(), name: text() })), 'prompt?': text('Its name') });

const security = {
  oneOf: [
    object({ type: { const: 'http' }, scheme: text(), 'bearerFormat?': text(), 'description?': text() }),
    object({
      type: { const: 'apiKey' },
      in: choice('header', 'query', 'cookie'),
      name: text(),
      'description?': text(),
    }),
    object({ type: { const: 'openIdConnect' }, openIdConnectUrl: text(), 'description?': text() }),
    object({ type: { const: 'oauth2' }, flows: { type: 'object' }, 'description?': text() }),
  ],
  description: 'As in OpenAPI',
};
const tool = {
  oneOf: [
    { const: false, description: 'Hidden from agents' },
    object({
      'name?': text(),
      'title?': text(),
      'description?': text(),
      'readOnly?': flag(),
      'destructive?': flag(),
      'idempotent?': flag(),
      'openWorld?': flag(),
      'approve?': { type: ['boolean', 'string'] },
    }),
  ],
  description: 'As in `.tool(…)`',
};
export const job = {
  maxJobs: count(),
  attempts: count(),
  backoffMs: count(),
  'rate?': object({ limit: count(), windowMs: count() }),
  'repeat?': object({ cron: text(), 'timezone?': text(), 'input?': anything }),
};

/** The facts of a capability that hold however it is called. */
const operation = {
  key: text(),
  groups: list(text()),
  name: text(),
  intent,
  'declaredIntent?': intent,
  guards: list(object({ name: text(), errors, 'security?': security })),
  inputGuards: list(object({ name: text(), errors })),
  enhancers: list(
    object({
      name: text(),
      'kind?': text('that of an enhancer of capix which others know by it; an enhancer of the application has none'),
      settings: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
      errors,
    }),
  ),
  errors,
  'description?': text(),
  'deprecation?': object({ 'use?': text(), 'since?': text(), 'sunset?': text() }),
  'timeoutMs?': count(),
  'inputFields?': list(text()),
  'input?': schemaView,
  'output?': schemaView,
  answers: list(
    object({
      status: count(),
      kind: choice('data', 'none', 'text', 'bytes', 'stream', 'redirect'),
      contentTypes: list(text()),
      'description?': text(),
      'schema?': schemaView,
      headers: { type: 'object', additionalProperties: schemaView },
    }),
  ),
  'source?': part('source'),
};

/** A capability at its route, or as a job alone. */
export const shownParts = {
  shownCapability: object({
    ...operation,
    method,
    path: text(),
    otherRoutes: list(route),
    params: list(text()),
    'sent?': list(object({ field: text(), in: choice('header', 'cookie'), name: text() })),
    'takesForm?': { const: true },
    rule: object({ id: text(), 'prefix?': text(), 'intent?': intent }),
    explanation: object({
      fired: text(),
      nearest: text(),
      change: text(),
      alternative: object({ method: text(), path: text() }),
    }),
    'cacheControl?': text(),
    'tool?': tool,
    'offers?': offers,
    'job?': object(job),
  }),
  shownJob: object({ ...operation, job: object(job) }, 'a capability that only a queue runs has no fields of a route'),
};
