import { andThen, type MaybePromise, type Outcome } from '../errors/failure.ts';
import {
  guarded,
  isAsyncIterable,
  isNodeStream,
  isResponse,
  isWebStream,
  throughItems,
} from '../resources/item-source.ts';
import { describe } from '../schema/describe.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';
import type { Schema } from '../schema/schema.ts';
import { toIssueText } from '../schema/validator.ts';
import type { Content } from './content.ts';
import { isReply, isSse, type Reply, reply, sse, toReplyData } from './reply.ts';

export type AnswerStep = (outcome: Outcome) => MaybePromise<Outcome>;

/** Makes of a handler's value what its capability declares; throws, for the log, what was not declared. */
export function createAnswerStep(key: string, answers: readonly Content[]): AnswerStep {
  const makers = new Map(answers.map((content) => [content.status, createMaker(key, content)]));
  const [makeFirst] = makers.values();
  if (makeFirst === undefined) return (outcome) => outcome;
  return (outcome) => {
    if (!outcome.ok) return outcome;
    const { value } = outcome;
    const from = isReply(value) ? value : undefined;
    const status = from === undefined && isWebResponse(value) ? value.status : from?.status;
    const make = status === undefined ? makeFirst : makers.get(status);
    if (make === undefined)
      throw new TypeError(
        `${key} answered with the status ${status}, which it does not declare. Declare it: .output(…, { status: ` +
          `${status} })`,
      );
    return andThen(make(toReplyData(value), from), (made): Outcome => ({ ok: true, value: made }));
  };
}

type Maker = (data: unknown, from: Reply | undefined) => MaybePromise<unknown>;

function createMaker(key: string, content: Content): Maker {
  const make = createContentMaker(key, content);
  const checks = Object.entries(content.headers).map(([name, schema]): Maker => {
    const run = createRunner(`${key}, status ${content.status}: the header ${name} does not fit`, schema);
    return (data, from) => {
      const text = isWebResponse(data) ? (data.headers.get(name) ?? undefined) : findHeader(from, name);
      return run(text === undefined ? text : describe(schema).lens.reading.coerce(text));
    };
  });
  if (checks.length === 0) return make;
  return async (data, from) => {
    for (const check of checks) await check(data, from);
    return make(data, from);
  };
}

/** Runs a schema: gives what it makes of a value, and throws where that does not fit. */
function createRunner(sentence: string, schema: Schema | undefined): (value: unknown) => MaybePromise<unknown> {
  if (schema === undefined) return (value) => value;
  const description = describe(schema);
  return (value) =>
    andThen(description.validate(value), (result) => {
      if (result.success) return result.data;
      const told = result.issues.map(({ path, message }) => toIssueText({ path: path.map(String).join('.'), message }));
      if (result.omitted > 0) told.push(`and ${result.omitted} more`);
      throw new TypeError(`${sentence}: ${told.join('; ')}`);
    });
}

function createContentMaker(key: string, content: Content): Maker {
  const { kind, schema, status } = content;
  const refuse = (what: string, fix: string): never => {
    throw new TypeError(`${key} gave ${what} for its answer ${status}. ${fix}`);
  };
  const send = (data: unknown, from: Reply | undefined, headers = toTypeHeader(content)): unknown =>
    reply(reply(data, { headers }), { status, headers: from?.headers });
  switch (kind) {
    case 'data': {
      const run = createRunner(`${key} returned a value that does not fit its output schema`, schema);
      const isPlain = status === 200 && content.contentTypes.length === 0;
      return (data, from) =>
        from === undefined && isPlain ? run(data) : andThen(run(data), (made) => send(made, from));
    }
    case 'stream': {
      const run = createRunner(`${key} gave an item that does not fit its schema`, schema);
      const step = async (item: unknown): Promise<unknown> =>
        isSse(item) ? sse(await run(item.data), item) : run(item);
      return (data, from) => {
        if (!isObject(data) || !isAsyncIterable(data))
          return refuse('no async iterable', 'Give one, as an `async function*` does');
        const items = throughItems(data, (source) => guarded(source, { step }));
        return status === 200 && from === undefined ? items : send(items, from);
      };
    }
    case 'none':
      return (data, from) =>
        data === null || data === undefined
          ? send(null, from)
          : refuse('a value', 'It is declared to have no content; declare a schema: .output(schema)');
    case 'redirect':
      return (data, from) => {
        if (typeof data !== 'string') return refuse('no text', 'A redirect is the URL to go to');
        // A header holds visible ASCII only.
        return send(data, from, { location: /^[\x21-\x7E]*$/.test(data) ? data : encodeURI(data) });
      };
    case 'text':
      return (data, from) => {
        if (isWebResponse(data)) return data;
        return typeof data === 'string'
          ? send(data, from)
          : refuse('no text', 'Declare what it gives: .output(schema)');
      };
    case 'bytes':
      return (data, from) => {
        if (!isByteSource(data)) refuse('no bytes', 'Declare what it gives: .output(schema), .output(text())');
        const given = findHeader(from, 'content-type');
        if (given !== undefined && !matchesMimeType(toEssence(given), content.contentTypes.map(toEssence)))
          refuse(`bytes of ${given}`, `Declare that: .output(bytes('${toEssence(given)}'))`);
        return isWebResponse(data) ? data : send(data, from);
      };
  }
}

function toTypeHeader({ kind, contentTypes: [type] }: Content): Reply['headers'] {
  if (type === undefined) return {};
  if (kind === 'bytes' && type.includes('*')) return { 'content-type': 'application/octet-stream' };
  return { 'content-type': kind === 'text' && !type.includes('charset=') ? `${type}; charset=utf-8` : type };
}

/** `text/csv` of `text/csv; charset=utf-8`. */
function toEssence(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

function findHeader(from: Reply | undefined, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(from?.headers ?? {}).find(([each]) => each.toLowerCase() === wanted)?.[1];
  return typeof found === 'object' ? found.join(', ') : found;
}

function isByteSource(data: unknown): boolean {
  if (!isObject(data)) return false;
  return data instanceof Uint8Array || isResponse(data) || isNodeStream(data) || isWebStream(data);
}

function isWebResponse(data: unknown): data is Response {
  return isObject(data) && isResponse(data);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
