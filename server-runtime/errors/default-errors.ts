import { defineError, type ErrorFactory } from './define-error.ts';

/** The catalogue of errors that the framework itself answers with; free for handlers and guards to use. */
export const defaultErrors = {
  BadRequest: defineError(400, 'BadRequest'),
  Unauthorized: defineError(401, 'Unauthorized'),
  Forbidden: defineError(403, 'Forbidden'),
  NotFound: defineError(404, 'NotFound'),
  MethodNotAllowed: defineError(405, 'MethodNotAllowed'),
  Conflict: defineError(409, 'Conflict'),
  PayloadTooLarge: defineError(413, 'PayloadTooLarge'),
  UnsupportedMediaType: defineError(415, 'UnsupportedMediaType'),
  TooManyRequests: defineError(429, 'TooManyRequests'),
  Internal: defineError(500, 'Internal server error', 'Internal'),
  ServiceUnavailable: defineError(503, 'ServiceUnavailable'),
  Timeout: defineError(504, 'Timeout'),
} as const satisfies Record<string, ErrorFactory>;
