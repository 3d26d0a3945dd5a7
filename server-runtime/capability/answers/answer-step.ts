import { andThen, type MaybePromise, type Outcome } from '../../errors/outcome.ts';
import { isAsyncIterable, isNodeStream, isResponse, isWebStream } from '../../resources/item-source.ts';
import { describe } from '../../schema/describe.ts';
import { matchesMimeType } from '../../schema/matches-mime-type.ts';
import type { Schema } from '../../schema/schema.ts';
import { isReply, type Reply, reply, toReplyData } from '../reply.ts';
import { isSse, sse } from '../sse.ts';
import type { Content } from './content.ts';

/** The last step of a call: what is sent of what its handler gave. */
export type AnswerStep = (outcome: Outcome) => MaybePromise<Outcome>;

/**
 * Makes of a handler's value what its capability declares: the schema runs on the data, or on each item of a stream. What does not fit is
 * thrown, by an error that tells the log what was not declared.
 */
export function createAnswerStep(key: string, answers: readonly Content[]): AnswerStep {
  const makers = new Map(answers.map((content) => [content.status, createMaker(key, content)]));
  const [makeFirst] = makers.values();
  if (makeFirst === undefined) return (outcome) => outcome;
  return (outcome) => {
    if (!outcome.ok) return outcome;
    const { value } = outcome;
    const data = toReplyData(value);
    const status = isReply(value) ? value.status : isWebResponse(value) ? value.status : undefined;
    const make = status === undefined ? makeFirst : makers.get(status);
    if (make === undefined) throw new TypeError(toUndeclared(key, status ?? 200, answers));
    return andThen(make(data, isReply(value) ? value : undefined), (made): Outcome => ({ ok: true, value: made }));
  };
}

function toUndeclared(key: string, status: number, answers: readonly Content[]): string {
  const all = [...answers.map((content) => content.status), status].map((each) => `${each}: …`).join(', ');
  return `${key} answered with the status ${status}, which it does not declare. Declare it: .answers({ ${all} })`;
}

/** Makes what is sent of the data, which `from` replied with. */
type Maker = (data: unknown, from: Reply | undefined) => MaybePromise<unknown>;

function createMaker(key: string, content: Content): Maker {
  const make = createContentMaker(key, content);
  const headers = Object.entries(content.headers);
  if (headers.length === 0) return make;
  const place = `${key}, status ${content.status}`;
  const checks = headers.map(([name, schema]) =>
    createHeaderCheck(`${place}: the header ${name} does not fit`, name, schema),
  );
  return async (data, from) => {
    for (const check of checks) await check(data, from);
    return make(data, from);
  };
}

/** A header is a text; what reads as a number may be one too. */
function createHeaderCheck(sentence: string, name: string, schema: Schema): Maker {
  const run = createRunner(sentence, schema);
  return async (data, from) => {
    const value = isWebResponse(data) ? (data.headers.get(name) ?? undefined) : findHeader(from, name);
    try {
      await run(value);
    } catch (fault) {
      if (value === undefined || !/^-?\d+(\.\d+)?$/.test(value)) throw fault;
      await run(Number(value));
    }
  };
}

function createContentMaker(key: string, content: Content): Maker {
  const { kind, status } = content;
  const refuse = (what: string, fix: string): never => {
    throw new TypeError(`${key} gave ${what} for its answer ${status}. ${fix}`);
  };
  switch (kind) {
    case 'data':
      return createDataMaker(key, content);
    case 'stream':
      return createStreamMaker(key, content, refuse);
    case 'none':
      return (data, from) =>
        data === null || data === undefined
          ? reply(null, { status, headers: from?.headers ?? {} })
          : refuse('a value', 'It is declared to have no content; declare a schema: .output(schema)');
    case 'redirect':
      return (data, from) =>
        typeof data === 'string'
          ? reply(data, { status, headers: { location: toLocation(data), ...from?.headers } })
          : refuse('no text', 'A redirect is the URL to go to');
    case 'text':
    case 'bytes':
      return createBodyMaker(content, refuse);
  }
}

type Refuse = (what: string, fix: string) => never;

function createDataMaker(key: string, { schema, status, contentTypes: [type] }: Content): Maker {
  const run = createRunner(`${key} returned a value that does not fit its output schema`, schema);
  const typed = type === undefined ? {} : { 'content-type': type };
  const isPlain = status === 200 && type === undefined;
  return (data, from) => {
    if (from === undefined && isPlain) return run(data);
    const headers = { ...typed, ...toLowerNames(from?.headers) };
    return andThen(run(data), (made) => reply(made, { status, headers }));
  };
}

/** Runs a schema: gives what it makes of a value, and throws where that does not fit. */
function createRunner(sentence: string, schema: Schema | undefined): (value: unknown) => MaybePromise<unknown> {
  if (schema === undefined) return (value) => value;
  const description = describe(schema);
  return (value) =>
    andThen(description.validate(value), (result) => {
      if (result.success) return result.data;
      const told = result.issues.map(({ path, message }) =>
        [path.map(String).join('.'), message].filter(Boolean).join(': '),
      );
      if (result.omitted > 0) told.push(`and ${result.omitted} more`);
      throw new TypeError(`${sentence}: ${told.join('; ')}`);
    });
}

function createBodyMaker(content: Content, refuse: Refuse): Maker {
  const { kind, status, contentTypes } = content;
  const type = toContentType(content);
  return (data, from) => {
    if (kind === 'text') {
      if (typeof data !== 'string' && !isWebResponse(data)) refuse('no text', 'Declare what it gives: .output(schema)');
    } else {
      if (!isByteSource(data)) refuse('no bytes', 'Declare what it gives: .output(schema), .output(text())');
      const given = findHeader(from, 'content-type');
      if (given !== undefined && !matchesMimeType(toEssence(given), contentTypes.map(toEssence)))
        refuse(`bytes of ${given}`, `Declare that: .output(bytes('${toEssence(given)}'))`);
    }
    if (isWebResponse(data)) return data;
    return reply(data, { status, headers: { 'content-type': type, ...toLowerNames(from?.headers) } });
  };
}

function createStreamMaker(key: string, { schema, status }: Content, refuse: Refuse): Maker {
  const run = createRunner(`${key} gave an item that does not fit its schema`, schema);
  const step = async (item: unknown): Promise<unknown> => (isSse(item) ? sse(await run(item.data), item) : run(item));
  return (data, from) => {
    if (!isObject(data) || !isAsyncIterable(data))
      return refuse('no async iterable', 'Give one, as an `async function*` does');
    const items = toSteppedItems(data, step);
    return status === 200 && from === undefined ? items : reply(items, { status, headers: from?.headers ?? {} });
  };
}

/** The items, each through a step that may refuse it. No generator: that could not be ended while an item is waited for. */
function toSteppedItems(
  items: AsyncIterable<unknown>,
  step: (item: unknown) => Promise<unknown>,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = items[Symbol.asyncIterator]();
      const end = async (value?: unknown): Promise<IteratorResult<unknown>> => {
        await iterator.return?.(value);
        return { done: true, value };
      };
      const next = async (): Promise<IteratorResult<unknown>> => {
        const result = await iterator.next();
        if (result.done === true) return result;
        try {
          return { done: false, value: await step(result.value) };
        } catch (fault) {
          // Whoever is told of a fault asks for no more.
          void end().catch(() => {});
          throw fault;
        }
      };
      return { next, return: end };
    },
  };
}

/** A header holds visible ASCII only. */
function toLocation(url: string): string {
  return /^[\x21-\x7E]*$/.test(url) ? url : encodeURI(url);
}

function toContentType({ kind, contentTypes: [type = 'application/octet-stream'] }: Content): string {
  if (kind === 'bytes' && type.includes('*')) return 'application/octet-stream';
  return kind === 'text' && !type.includes('charset=') ? `${type}; charset=utf-8` : type;
}

/** `text/csv` of `text/csv; charset=utf-8`. */
function toEssence(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? type;
}

function toLowerNames(headers: Reply['headers'] = {}): Reply['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function findHeader(from: Reply | undefined, name: string): string | undefined {
  const found = toLowerNames(from?.headers)[name.toLowerCase()];
  return typeof found === 'object' ? found.join(', ') : found;
}

function isByteSource(data: unknown): boolean {
  return (
    data instanceof Uint8Array || (isObject(data) && [isResponse, isNodeStream, isWebStream].some((is) => is(data)))
  );
}

function isWebResponse(data: unknown): data is Response {
  return isObject(data) && isResponse(data);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
