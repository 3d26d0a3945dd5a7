import type { ContentKind } from '../../server-runtime/capability/answers/content.ts';
import { findKeyRule } from '../../server-runtime/enhancers/once/find-key-rule.ts';
import type { Endpoint, ListedAnswer, ListedError } from '../manifest/describe-api.ts';
import type { Shape } from '../shape/shape.ts';
import type { Revivers } from './create-revivers.ts';
import { toPropertyName } from './to-type-script.ts';

/** The facts that the runtime of a client needs to send a call. */
export interface ClientRoute {
  /** The fields of an `Operation` without its types, as TypeScript. */
  readonly text: string;
  /** The files of `templates/client/parts` that they name. */
  readonly parts: readonly string[];
}

export interface RouteAnswers {
  readonly answers: readonly ListedAnswer[];
  /** Names of errors by status, where the answers do not say them. */
  readonly names: Readonly<Record<string, string>>;
  readonly errors: readonly ListedError[];
  readonly toReviver: Revivers['toReviver'];
}

export function toClientRoute(endpoint: Endpoint, { answers, names, errors, toReviver }: RouteAnswers): ClientRoute {
  const { operation, method, path } = endpoint;
  const kinds = answers.filter(({ kind }) => kind !== 'data');
  const puts = [...toPuts(endpoint), ...toAsking(kinds.map(({ kind }) => kind))];
  const options = {
    put: puts.length === 0 ? undefined : `[${puts.map(({ text }) => text).join(', ')}]`,
    answers: toEntries(kinds.map((answer) => [answer.status, toReader(answer, toReviver)])),
    revive: toRevivers(
      answers.filter(({ kind }) => kind === 'data').map(({ status, shape }) => [status, shape]),
      toReviver,
    ),
    reviveMeta: toRevivers(
      errors.map(({ name, meta }) => [name, meta]),
      toReviver,
    ),
    errors: toEntries(Object.entries(names).map(([status, name]) => [status, JSON.stringify(name)])),
  };
  const others = toEntries(
    Object.entries(options).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  );
  const facts = Object.entries({ key: operation.key, method, path }).map(
    ([name, fact]) => `${name}: ${JSON.stringify(fact)}`,
  );
  return {
    // A function, so that nothing is called where the file is only imported: a bundler keeps what may have an effect.
    text: [...facts, ...(others === undefined ? [] : [`route: () => (${others})`])].join(', '),
    parts: [
      ...puts.map(({ part }) => part),
      ...kinds.flatMap(({ kind }) => readers[kind]?.part ?? []),
      ...(/\breadStreamOf\b/.test(others ?? '') ? ['read-stream-of'] : []),
    ],
  };
}

function toReader({ kind, shape }: ListedAnswer, toReviver: Revivers['toReviver']): string {
  const reviver = kind === 'stream' && shape !== undefined ? toReviver(shape) : undefined;
  return reviver === undefined ? (readers[kind]?.name ?? '') : `readStreamOf(${reviver})`;
}

function toRevivers(
  shapes: readonly (readonly [name: string, shape: Shape | undefined])[],
  toReviver: Revivers['toReviver'],
): string | undefined {
  return toEntries(
    shapes.flatMap(([name, shape]) => {
      const reviver = shape && toReviver(shape);
      return reviver === undefined ? [] : [[name, reviver]];
    }),
  );
}

interface Piece {
  readonly name: string;
  readonly part: string;
}

const readers: Readonly<Partial<Record<ContentKind, Piece>>> = {
  none: { name: 'readNone', part: 'read-none' },
  text: { name: 'readText', part: 'read-text' },
  bytes: { name: 'readBytes', part: 'read-bytes' },
  stream: { name: 'readStream', part: 'read-stream' },
  redirect: { name: 'readRedirect', part: 'read-redirect' },
};

interface Put {
  readonly text: string;
  readonly part: string;
}

/** The functions that put the fields where they travel. */
function toPuts({ operation, object: { parameters = [], requestBody } }: Endpoint): readonly Put[] {
  const { sent } = operation.definition.request;
  const sentIn = (place: string): string | undefined =>
    toEntries(sent.filter((each) => each.in === place).map(({ field, name }) => [field, JSON.stringify(name)]));
  const headers = sentIn('header');
  const cookies = sentIn('cookie');
  const hasQuery = requestBody === undefined && parameters.some((parameter) => parameter.in === 'query');
  return [
    ...(findKeyRule(operation) === undefined ? [] : [{ text: 'toKey', part: 'to-key' }]),
    ...(headers === undefined ? [] : [{ text: `toHeaders(${headers})`, part: 'to-headers' }]),
    ...(cookies === undefined ? [] : [{ text: `toCookies(${cookies})`, part: 'to-cookies' }]),
    ...(hasQuery ? [{ text: 'toQuery', part: 'to-query' }] : []),
    ...(requestBody === undefined ? [] : [toBodyPut(requestBody.content)]),
  ];
}

/** The functions that say what is asked for, where that is more than JSON. */
function toAsking(kinds: readonly ContentKind[]): readonly Put[] {
  const types = kinds.includes('stream') ? 'text/event-stream' : '*/*';
  return [
    ...(kinds.length === 0 ? [] : [{ text: `accepts('${types}')`, part: 'accepts' }]),
    ...(kinds.includes('redirect') ? [{ text: 'stays', part: 'stays' }] : []),
  ];
}

function toBodyPut(content: object): Put {
  if (!('multipart/form-data' in content)) return { text: 'toJson', part: 'to-json' };
  return 'application/json' in content
    ? { text: 'toFormOrJson', part: 'to-form-or-json' }
    : { text: 'toForm', part: 'to-form' };
}

/** `{ a: toA, 200: 'x' }`, or nothing where there is nothing in it. */
function toEntries(entries: readonly (readonly string[])[]): string | undefined {
  if (entries.length === 0) return undefined;
  return `{ ${entries.map(([name = '', text]) => `${/^\d+$/.test(name) ? name : toPropertyName(name)}: ${text}`).join(', ')} }`;
}
