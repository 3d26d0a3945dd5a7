import type { Outcome } from '../errors/failure.ts';
import { andThen, type MaybePromise } from '../errors/maybe-promise.ts';
import {
  isAsyncIterable,
  isByteStream,
  isResponse,
  throughItems,
  withHooks,
} from '../resources/item-source.ts';
import { describe } from '../schema/describe.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';
import type { Schema } from '../schema/schema.ts';
import { createValidator } from '../schema/validator.ts';
import type { Content, ContentKind } from './content.ts';
import { findCallRequest } from './context.ts';
import type { Answer, AnyEnhancer, Next } from './enhancer.ts';
import {
  hasSharedTexts,
  isReply,
  isSse,
  joinReplyHeaders,
  type Reply,
  reply,
  type ServerSentEvent,
  shareTexts,
  sse,
  toReplyData,
} from './reply.ts';
import { isUnchanged, type Snapshot, takeSnapshot } from './snapshot.ts';

/**
 * Holds a capability to the answers that it declares, at two places. Both throw an error for the log where a value was
 * not declared.
 * The handler is checked inside of all that stands around it, so that a transaction rolls back where its value does not
 * fit. Middleware, caches and idempotency still get the handler's own value. The step remembers what the schema made of
 * that value, and sends it where the same value comes out unchanged; any other value goes through the schema when it
 * comes out.
 */
export interface AnswerStep {
  /** The handler, which throws where its value does not fit. */
  readonly checkHandler: (handler: Next) => Next;
  /** Turns the value that came out of all enhancers into the one that is sent. */
  readonly toAnswer: (value: unknown, ctx: unknown) => MaybePromise<unknown>;
}

/** The data that a handler returned, with the result of the schema of its answer. */
export interface CheckedData {
  readonly content: Content;
  readonly data: unknown;
  readonly result: unknown;
  /**
   * The content of the data at that time, where code may have changed it since; undefined where a change cannot be
   * seen.
   */
  readonly snapshot: Snapshot | undefined;
}

export function createAnswerStep(
  key: string,
  answers: readonly Content[],
  enhancers: readonly AnyEnhancer[],
): AnswerStep {
  const makers = new Map(answers.map((content) => [content.status, createMaker(key, content)]));
  const [makeFirst] = makers.values();
  const mayChange = enhancers.some(({ mayChangeAnswer }) => mayChangeAnswer === true);

  function expectMaker(value: unknown): Maker {
    const status = isReply(value) || isResponse(value) ? value.status : undefined;
    const maker = status === undefined ? makeFirst : makers.get(status);
    if (maker !== undefined) return maker;
    throw new TypeError(
      `${key} answered with the status ${status}, which it does not declare. Declare it: .output(…, { status: ` +
        `${status} })`,
    );
  }

  function check(value: unknown, ctx: unknown): MaybePromise<Answer> {
    const maker = expectMaker(value);
    const data = toReplyData(value);
    return andThen(maker.check(data, findReply(value)), (result) => {
      const request = findCallRequest(ctx);
      if (request !== undefined) request.checked = toChecked(maker.content, data, result);
      return value as Answer;
    });
  }

  function toChecked(content: Content, data: unknown, result: unknown): CheckedData | undefined {
    const { kind, schema } = content;
    if (kind !== 'data' || schema === undefined) return undefined;
    if (!mayChange) return { content, data, result, snapshot: undefined };
    // To run such a schema once more takes a fifth of the time of a snapshot.
    if (describe(schema).isRepeatable) return undefined;
    const snapshot = takeSnapshot(data);
    return snapshot && { content, data, result, snapshot };
  }

  return {
    checkHandler: (handler) => (input, ctx) => andThen(handler(input, ctx), check, ctx),
    toAnswer: (value, ctx) => {
      const maker = expectMaker(value);
      const data = toReplyData(value);
      const from = findReply(value);
      const checked = enhancers.length === 0 ? undefined : findCallRequest(ctx)?.checked;
      return checked !== undefined && isOf(checked, maker.content, data)
        ? maker.send(checked.result, from)
        : andThen(maker.check(data, from), maker.send, from);
    },
  };
}

/** Whether the stored result belongs to this data as it is now. */
function isOf({ snapshot, ...checked }: CheckedData, content: Content, data: unknown): boolean {
  if (checked.content !== content || !Object.is(checked.data, data)) return false;
  return snapshot === undefined || isUnchanged(data, snapshot);
}

function findReply(value: unknown): Reply | undefined {
  return isReply(value) ? value : undefined;
}

/** One declared answer. */
interface Maker {
  readonly content: Content;
  /**
   * Returns the schema's result for the data, which came in the reply `from`. @throws TypeError for data that does not
   * fit
   */
  readonly check: (data: unknown, from: Reply | undefined) => MaybePromise<unknown>;
  /** Turns that result into an answer, with the status and headers of this content, and those of the reply. */
  readonly send: (result: unknown, from: Reply | undefined) => unknown;
}

function createMaker(key: string, content: Content): Maker {
  const headers = toTypeHeader(content);
  const toReply = (data: unknown, from: Reply | undefined, more = headers): Reply =>
    reply(data, {
      status: content.status,
      headers: joinReplyHeaders(more, from?.headers ?? {}),
    });
  const { kind, schema, status, contentTypes } = content;
  const expect = (data: unknown): unknown => expectContent(key, content, data);
  switch (kind) {
    case 'data': {
      const check = createRunner(
        `${key} returned a value that does not fit its output schema`,
        schema,
      );
      const isPlain = status === 200 && contentTypes.length === 0;
      return {
        content,
        check,
        send: (result, from) => (isPlain && from === undefined ? result : toReply(result, from)),
      };
    }
    case 'stream': {
      const around = { step: createItemStep(key, schema) };
      return {
        content,
        check: expect,
        send: (data, from) => {
          const items = throughItems(data, (source) => withHooks(source, around));
          return status === 200 && from === undefined ? items : toReply(items, from);
        },
      };
    }
    case 'redirect':
      return {
        content,
        check: expect,
        send: (url, from) => toReply(url, from, { location: toAsciiUrl(url as string) }),
      };
    case 'bytes':
      return {
        content,
        check: (data, from) => {
          expectType(key, content, from);
          return expect(data);
        },
        send: (data, from) => (isResponse(data) ? data : toReply(data ?? null, from)),
      };
    case 'text':
    case 'none':
      return {
        content,
        check: expect,
        send: (data, from) => (isResponse(data) ? data : toReply(data ?? null, from)),
      };
  }
}

/**
 * Runs a schema and returns its result. @throws TypeError, which begins with the sentence, for a value that does not
 * fit
 */
function createRunner(
  sentence: string,
  schema: Schema | undefined,
): (value: unknown) => MaybePromise<unknown> {
  const validate = createValidator(schema);
  const expectResult = (outcome: Outcome): unknown => {
    if (outcome.ok) return outcome.value;
    const { issues, omitted = 0 } = outcome.failure.meta as {
      readonly issues: string[];
      readonly omitted?: number;
    };
    const more = omitted > 0 ? [`and ${omitted} more`] : [];
    throw new TypeError(`${sentence}: ${[...issues, ...more].join('; ')}`);
  };
  return (value) => andThen(validate(value), expectResult);
}

function createItemStep(
  key: string,
  schema: Schema | undefined,
): (item: unknown) => Promise<unknown> {
  const run = createRunner(`${key} gave an item that does not fit its schema`, schema);
  const runEvent = async (event: ServerSentEvent): Promise<ServerSentEvent> =>
    sse(await run(event.data), event);
  // A schema gives the same result for all streams that send the same event.
  const isRepeatable = schema === undefined || describe(schema).isRepeatable;
  const results = new WeakMap<object, Promise<ServerSentEvent>>();
  const runShared = (event: ServerSentEvent): Promise<ServerSentEvent> => {
    const result = results.get(event) ?? runEvent(event).then(shareTexts);
    results.set(event, result);
    return result;
  };
  return async (item) => {
    if (!isSse(item)) return run(item);
    return isRepeatable && hasSharedTexts(item) ? runShared(item) : runEvent(item);
  };
}

type OtherKind = Exclude<ContentKind, 'data'>;

const isContentOf: Readonly<Record<OtherKind, (data: unknown) => boolean>> = {
  none: (data) => data === null || data === undefined,
  redirect: (data) => typeof data === 'string',
  text: (data) => typeof data === 'string' || isResponse(data),
  stream: isAsyncIterable,
  bytes: (data) => data instanceof Uint8Array || isResponse(data) || isByteStream(data),
};

/** The words for a value that a handler returned in place of such content. */
const wrongContent: Readonly<Record<OtherKind, string>> = {
  none: 'a value',
  redirect: 'no URL to go to',
  text: 'no text',
  stream: 'no async iterable',
  bytes: 'no bytes',
};

function expectContent(key: string, { kind, status }: Content, data: unknown): unknown {
  if (kind === 'data' || isContentOf[kind](data)) return data;
  throw new TypeError(
    `${key} gave ${wrongContent[kind]} for its answer ${status}. Declare what it gives: .output(schema)`,
  );
}

/** Bytes have the first declared type, unless the reply of the handler names another one of them. */
function expectType(key: string, { status, contentTypes }: Content, from: Reply | undefined): void {
  const type = from && findType(from);
  if (type === undefined || matchesMimeType(type, contentTypes.map(toEssence))) return;
  throw new TypeError(
    `${key} gave bytes of ${type} for its answer ${status}. Declare what it gives: .output(bytes('${type}'))`,
  );
}

/** A header holds visible ASCII only: other characters of a URL are encoded, and encoded ones stay as they are. */
export function toAsciiUrl(url: string): string {
  return url.replace(/[^\x21-\x7E]+/g, (text) => encodeURI(text.toWellFormed()));
}

function toTypeHeader({ kind, contentTypes: [type] }: Content): Reply['headers'] {
  if (type === undefined) return {};
  if (kind === 'bytes' && type.includes('*')) return { 'content-type': 'application/octet-stream' };
  const isBare = kind === 'text' && !type.includes('charset=');
  return { 'content-type': isBare ? `${type}; charset=utf-8` : type };
}

function toEssence(type: string): string {
  return type.replace(/;.*/s, '').trim().toLowerCase();
}

function findType({ headers }: Reply): string | undefined {
  const field = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return field && toEssence(String(field[1]));
}
