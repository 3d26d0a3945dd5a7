import { createHash, randomUUID } from 'node:crypto';
import { findCallRequest } from '../capability/call-request.ts';
import type { Answer, Next, SentStep } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorMeta, type FrameworkError, isFrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { isNodeStream, isWebStream } from '../resources/item-source.ts';
import type { AnswerCodec } from './answer-codec.ts';
import { findSignal, toDigest, toStoreKey } from './enhancer-state.ts';
import { createKeyStore, type KeyStoreOptions, pause, type TakenKey } from './key-store.ts';

export interface Remembering extends KeyStoreOptions {
  readonly codec: AnswerCodec;
  readonly space: string;
  readonly callerOf: (input: unknown, ctx: unknown) => string;
  readonly keyReused: () => Error;
}

/** The time between two looks at a call that another process runs, milliseconds. */
const LOOK_MS = 50;

/** A step that runs the first call with a key; every later one gets what became of that. */
export function createOnceStep(next: Next, remembering: Remembering): SentStep {
  const { codec, space, callerOf, keyReused } = remembering;
  const keys = createKeyStore(remembering);

  return async (input, ctx, sent) => {
    const request = findCallRequest(ctx);
    const key = toStoreKey(space, JSON.stringify([callerOf(input, ctx), expectIdempotencyKey(ctx)]));
    const print = toSentDigest(sent, request?.headers['content-length']);
    const mine = JSON.stringify({ state: 'running', print, owner: randomUUID() } satisfies OnceRecord);
    for (;;) {
      const kept = await keys.take(key, mine);
      if (kept === undefined) return run({ key, mine, requestId: request?.requestId }, print, () => next(input, ctx));
      const record = JSON.parse(kept) as OnceRecord;
      if (record.print !== print) throw keyReused();
      if (record.state !== 'running') return replay(record, ctx);
      await pause(LOOK_MS, findSignal(ctx));
      if (findSignal(ctx)?.aborted === true)
        throw defaultErrors.Conflict('The first call with this key has no answer yet');
    }
  };

  function replay(record: EndedRecord, ctx: unknown): Answer {
    findCallRequest(ctx)?.addHeader?.('idempotency-replayed', 'true');
    switch (record.state) {
      case 'done':
        return codec.read(record.text);
      case 'refused':
        throw toSameError(codec.read(record.text));
      case 'unkept':
        throw defaultErrors.Conflict('The call was answered already, with what cannot be given twice');
    }
  }

  /**
   * Holds the key for as long as the call runs, also when its caller has left: the next one with the key waits for it.
   * A change that was made is remembered whoever waits for its answer; what failed lets go of the key.
   */
  async function run(taken: TakenKey, print: string, call: () => MaybePromise<Answer>): Promise<Answer> {
    const letGo = keys.hold(taken);
    try {
      const result = await settle(call);
      const record = toEndedRecord(result, print, codec);
      if (record === undefined) await keys.release(taken);
      else await keys.keep(taken, record);
      if (result.ok) return result.value;
      throw result.thrown;
    } finally {
      letGo();
    }
  }
}

async function settle(call: () => MaybePromise<Answer>): Promise<KeyedResult> {
  try {
    return { ok: true, value: await call() };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}

/** The key of a call: a string of structured fields, `"8e03978e-40d5"`, or without quotes. @throws BadRequest */
function expectIdempotencyKey(ctx: unknown): string {
  const header = findCallRequest(ctx)?.headers['idempotency-key'];
  const text = String(header).trim();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? text;
  if (
    key.length >= 1 &&
    key.length <= 255 &&
    /^[\x20-\x7e]+$/.test(key) &&
    (quoted !== undefined || !/["\\,\s]/.test(key))
  )
    return key;
  throw defaultErrors.BadRequest(
    'The header Idempotency-Key must be a quoted text of 1 to 255 visible characters, such as "8e03978e-40d5"',
  );
}

/**
 * A digest of what a caller sent, before the schema has made something of it: equal for equal fields, whatever their
 * order, and equal bytes of files. A file that is read as it arrives is told by its name, its type and the length of
 * the request.
 */
function toSentDigest(sent: unknown, contentLength: string | undefined): string {
  return toDigest(write(sent, contentLength ?? '')).slice(1);
}

function write(value: unknown, length: string): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, length)).join()}]`;
  if (value instanceof Uint8Array) return `bytes ${createHash('sha256').update(value).digest('base64url')}`;
  if (value instanceof Map || value instanceof Set) return `${value.constructor.name} ${write([...value], length)}`;
  if (isNodeStream(value) || isWebStream(value)) return `stream ${length}`;
  return writeObject(value, length);
}

function writeObject(value: object, length: string): string {
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return `${nameOf(value)} ${write(toJSON.call(value), length)}`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  // What hides its content is like nothing else.
  if (fields.length === 0 && nameOf(value) !== '') return randomUUID();
  return `${nameOf(value)}{${fields.map(([name, field]) => `${JSON.stringify(name)}:${write(field, length)}`).join()}}`;
}

/** The name of its class; none for a plain object. */
function nameOf(value: object): string {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || prototype === Object.prototype ? '' : prototype.constructor.name;
}

/**
 * A call with a key, as it is kept. `print` is that of what was sent. `running` has an owner, who alone may end it; of
 * an answer that no text can hold, only that it was given is known.
 */
export type OnceRecord = { readonly state: 'running'; readonly print: string; readonly owner: string } | EndedRecord;

/** A call that has ended, with its answer or the parts of its error as a text. */
export type EndedRecord =
  | { readonly state: 'done' | 'refused'; readonly print: string; readonly text: string }
  | { readonly state: 'unkept'; readonly print: string };

/** The end of a call with a key: its answer, or what it threw. */
export type KeyedResult =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly thrown: unknown };

/** The record of a call that has ended; undefined for one that may be made again: it failed with 5xx or 429. */
export function toEndedRecord(result: KeyedResult, print: string, codec: AnswerCodec): EndedRecord | undefined {
  if (result.ok) {
    const text = codec.write(result.value);
    return text === undefined ? { state: 'unkept', print } : { state: 'done', print, text };
  }
  const { thrown } = result;
  if (!isFrameworkError(thrown) || thrown.status >= 500 || thrown.status === 429) return undefined;
  const text = toErrorText(thrown, codec);
  return text === undefined ? undefined : { state: 'refused', print, text };
}

/** The parts of an error that its caller was told: the very values where a text can hold them, else those of JSON. */
function toErrorText({ status, name, message, meta }: FrameworkError, codec: AnswerCodec): string | undefined {
  return codec.write({ status, name, message, meta }) ?? codec.write({ status, name, message, meta: toWritten(meta) });
}

/** Undefined for what JSON cannot hold, as its caller was told. */
function toWritten(meta: ErrorMeta | undefined): unknown {
  try {
    return JSON.parse(JSON.stringify(meta, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)));
  } catch {
    return undefined;
  }
}

/** The same error again. */
export function toSameError(told: unknown): Error {
  const { status, name, message, meta } = told as Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta'>;
  return defineError(status, message, name)(message, meta);
}
