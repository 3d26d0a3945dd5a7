import { andThen, type MaybePromise } from '../errors/failure.ts';
import {
  guarded,
  isAsyncIterable,
  isByteStream,
  isResponse,
  throughItems,
} from '../resources/item-source.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';
import type { Schema } from '../schema/schema.ts';
import { createValidator } from '../schema/validator.ts';
import type { Content, ContentKind } from './content.ts';
import { isReply, isSse, type Reply, reply, sse, toReplyData } from './reply.ts';

export type AnswerStep = (value: unknown) => MaybePromise<unknown>;

/** Makes of a handler's value what its capability declares; throws, for the log, what was not declared. */
export function createAnswerStep(key: string, answers: readonly Content[]): AnswerStep {
  const makers = new Map(answers.map((content) => [content.status, createMaker(key, content)]));
  const [makeFirst] = makers.values();
  return (value) => {
    const from = isReply(value) ? value : undefined;
    const status = from === undefined && isResponse(value) ? value.status : from?.status;
    const make = status === undefined ? makeFirst : makers.get(status);
    if (make === undefined)
      throw new TypeError(
        `${key} answered with the status ${status}, which it does not declare. Declare it: .output(…, { status: ` +
          `${status} })`,
      );
    return make(toReplyData(value), from);
  };
}

type Maker = (data: unknown, from: Reply | undefined) => MaybePromise<unknown>;

/** Runs a schema: gives what it makes of a value, and throws where that does not fit. */
function createRunner(
  sentence: string,
  schema: Schema | undefined,
): (value: unknown) => MaybePromise<unknown> {
  const validate = createValidator(schema);
  return (value) =>
    andThen(validate(value), (result) => {
      if (result.ok) return result.value;
      const { issues, omitted = 0 } = result.failure.meta as {
        readonly issues: string[];
        readonly omitted?: number;
      };
      const more = omitted > 0 ? [`and ${omitted} more`] : [];
      throw new TypeError(`${sentence}: ${[...issues, ...more].join('; ')}`);
    });
}

function createMaker(key: string, content: Content): Maker {
  const { kind, schema, status, contentTypes } = content;
  const typeHeader = toTypeHeader(content);
  const send = (data: unknown, from: Reply | undefined, headers = typeHeader): unknown =>
    reply(reply(data, { headers }), { status, headers: from?.headers });
  if (kind === 'data') {
    const run = createRunner(`${key} returned a value that does not fit its output schema`, schema);
    const isPlain = status === 200 && contentTypes.length === 0;
    return (data, from) =>
      from === undefined && isPlain ? run(data) : andThen(run(data), (made) => send(made, from));
  }
  const run = createRunner(`${key} gave an item that does not fit its schema`, schema);
  const step = async (item: unknown): Promise<unknown> =>
    isSse(item) ? sse(await run(item.data), item) : run(item);
  const [instead, fits] = kinds[kind];
  const types = contentTypes.map(toEssence);
  return (data, from) => {
    const type = kind === 'bytes' && from !== undefined ? findType(from) : undefined;
    const isOther = type !== undefined && !matchesMimeType(type, types);
    if (isOther || !fits(data)) {
      const [what, fix] = isOther ? [`bytes of ${type}`, `bytes('${type}')`] : [instead, 'schema'];
      throw new TypeError(
        `${key} gave ${what} for its answer ${status}. Declare what it gives: .output(${fix})`,
      );
    }
    if (kind === 'stream') {
      const items = throughItems(data, (source) => guarded(source, { step }));
      return status === 200 && from === undefined ? items : send(items, from);
    }
    if (kind !== 'redirect') return isResponse(data) ? data : send(data ?? null, from);
    const url = data as string;
    // A header holds visible ASCII only.
    return send(data, from, { location: /^[\x21-\x7E]*$/.test(url) ? url : encodeURI(url) });
  };
}

/** The words for what a handler gave in place of such content, and whether it gave that. */
const kinds: Readonly<
  Record<Exclude<ContentKind, 'data'>, readonly [string, (data: unknown) => boolean]>
> = {
  none: ['a value', (data) => data === null || data === undefined],
  redirect: ['no URL to go to', (data) => typeof data === 'string'],
  text: ['no text', (data) => typeof data === 'string' || isResponse(data)],
  stream: ['no async iterable', isAsyncIterable],
  bytes: [
    'no bytes',
    (data) => data instanceof Uint8Array || isResponse(data) || isByteStream(data),
  ],
};

function toTypeHeader({ kind, contentTypes: [type] }: Content): Reply['headers'] {
  if (type === undefined) return {};
  if (kind === 'bytes' && type.includes('*')) return { 'content-type': 'application/octet-stream' };
  return {
    'content-type': kind === 'text' && !type.includes('charset=') ? `${type}; charset=utf-8` : type,
  };
}

function toEssence(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

function findType({ headers }: Reply): string | undefined {
  const [, type] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return type && toEssence(String(type));
}
