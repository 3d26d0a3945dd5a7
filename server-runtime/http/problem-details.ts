import { defineEnvelope, type Envelope } from './envelope.ts';

/**
 * Data as it is, and refusals as problem details of RFC 9457 (`application/problem+json`): `type` is `about:blank`,
 * `title` the name of the error, `detail` its message; `errors` are the wrong fields and `meta` other facts.
 *
 * @example
 * ```ts
 * export const rest = restTransport({ envelope: problemDetails });
 * ```
 */
export const problemDetails: Envelope = defineEnvelope({
  dataField: false,
  failureType: 'application/problem+json',
  failure: ({ status, name, message, meta, fields }) => ({
    type: 'about:blank',
    title: name,
    status,
    detail: message,
    ...(fields.length > 0 ? { errors: fields.map(({ path, message: detail }) => ({ path, detail })) } : { meta }),
  }),
  failureSchema: {
    type: 'object',
    description: 'Problem details of RFC 9457.',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string', description: 'Name of the error.' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What went wrong, for people.' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, detail: { type: 'string' } },
          required: ['path', 'detail'],
        },
      },
      meta: { type: 'object', description: 'Facts about this error.' },
    },
    required: ['type', 'title', 'status', 'detail'],
  },
});
