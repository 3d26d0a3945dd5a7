import type { Content } from '../../capability/answers/content.ts';
import { defineEnvelope } from '../../http/envelope.ts';
import { createKindFinder, type KindFinder } from '../../schema/sent/create-kind-finder.ts';
import { findKinds } from '../../schema/sent/find-kinds.ts';
import type { RestRequest } from '../rest-request.ts';
import { type Answerer, type AnswererOptions, createAnswerer } from './answerer.ts';

/** Answers calls by key in the envelope that `capix/client` reads, whatever the API's own is, and every other request in that. */
export function createCallAnswerer(options: AnswererOptions, prefix: string): Answerer {
  const own = createAnswerer(options);
  const called = createAnswerer({ ...options, envelope: callEnvelope, kindFinderOf: toKindFinderOf(options) });
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

/** Beside `data`, and beside the `meta` of an error, `kinds` says which of their texts are dates and big integers. */
const callEnvelope = defineEnvelope({
  failure: ({ name, message, meta }) => ({ error: name, message, meta, kinds: findKinds(meta) }),
  failureSchema: {},
});

type KindFinderOf = NonNullable<AnswererOptions['kindFinderOf']>;

/** The finders of an answer's data, or of its items, by key and status. Schemas may refer to later ones, so they are read at the first call. */
function toKindFinderOf({ app }: AnswererOptions): KindFinderOf {
  const answersOf = new Map(app.registry.operations.map(({ key, definition }) => [key, definition.answers]));
  const finders = new Map<string, ReadonlyMap<number, KindFinder | undefined>>();
  const lookAtAll = createKindFinder(undefined);
  return ({ capability: key = '' }, status) => {
    let known = finders.get(key);
    if (known === undefined) finders.set(key, (known = toFinders(answersOf.get(key) ?? [])));
    return known.has(status) ? known.get(status) : lookAtAll;
  };
}

function toFinders(answers: readonly Content[]): ReadonlyMap<number, KindFinder | undefined> {
  return new Map(answers.map(({ status, schema }) => [status, createKindFinder(schema)]));
}
