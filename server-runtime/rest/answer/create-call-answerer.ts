import { dataEnvelope } from '../../http/envelope.ts';
import type { RestRequest } from '../rest-request.ts';
import { type Answerer, type AnswererOptions, createAnswerer } from './answerer.ts';

/** Answers calls by key in the envelope that `capix/client` reads, whatever the API's own is, and every other request in that. */
export function createCallAnswerer(options: AnswererOptions, prefix: string): Answerer {
  const own = createAnswerer(options);
  const called = createAnswerer({ ...options, envelope: dataEnvelope });
  const pick = ({ path }: RestRequest): Answerer => (path.startsWith(`${prefix}/_call/`) ? called : own);
  return {
    succeed: (request, value) => pick(request).succeed(request, value),
    refuse: (request, failure, headers) => pick(request).refuse(request, failure, headers),
    serve: own.serve,
    preflight: own.preflight,
    endEvents: () => {
      own.endEvents();
      called.endEvents();
    },
  };
}
