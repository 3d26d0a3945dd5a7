import { randomUUID } from 'node:crypto';
import { findCallRequest } from '../capability/call-request.ts';
import type { Answer, Next } from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory, type FrameworkError, isFrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { isNodeStream, isWebStream } from '../resources/item-source.ts';
import type { AnswerCodec } from './answer-codec.ts';
import {
  type AskedStore,
  AWAY,
  findSignal,
  type StateLogger,
  storeAway,
  toDigest,
  toStoreKey,
} from './enhancer-state.ts';
import { type TellInstance, tellFields, toPartsText } from './parts-text.ts';

export const KeyReused: ErrorFactory<'IdempotencyKeyReused', 422> = defineError(
  422,
  'The idempotency key was used with another input',
  'IdempotencyKeyReused',
);

/**
 * A call with a key, as the store has it. `print` is a digest of what was sent; `text` the answer, or the error. An
 * answer that no text can hold is `unkept`.
 */
type OnceRecord = { readonly state: 'running'; readonly print: string; readonly owner: string } | EndedRecord;
type EndedRecord =
  | { readonly state: 'done' | 'refused'; readonly print: string; readonly text: string }
  | { readonly state: 'unkept'; readonly print: string };

export interface Remembering {
  /** Key of the capability. */
  readonly capability: string;
  readonly store: AskedStore;
  readonly codec: AnswerCodec;
  readonly logger: StateLogger | undefined;
  readonly space: string;
  readonly ttlMs: number;
  readonly lockMs: number;
  readonly callerOf: (input: unknown, ctx: unknown) => string;
}

/** The time between two looks at a call that another process runs, and between two attempts to write, milliseconds. */
const AGAIN_MS = 50;

/** A step that runs the first call with a key; every later one gets what became of that. */
export function createOnceStep(next: Next, remembering: Remembering): Next {
  const { capability, store, codec, logger, space, ttlMs, lockMs, callerOf } = remembering;
  return async (input, ctx) => {
    const request = findCallRequest(ctx);
    const key = toStoreKey(space, JSON.stringify([callerOf(input, ctx), expectIdempotencyKey(ctx)]));
    const print = toSentDigest(request?.sent, request?.headers['content-length']);
    const mine = JSON.stringify({ state: 'running', print, owner: randomUUID() } satisfies OnceRecord);
    const lock = { key, mine, lockMs };
    for (;;) {
      const kept = await take(store, lock);
      if (kept === undefined) break;
      const record = JSON.parse(kept) as OnceRecord;
      if (record.print !== print) throw KeyReused();
      if (record.state !== 'running') {
        request?.addHeader?.('idempotency-replayed', 'true');
        return replay(record, codec);
      }
      await pause();
      if (findSignal(ctx)?.aborted === true)
        throw defaultErrors.Conflict('The first call with this key has no answer yet');
    }
    return run();

    /**
     * Holds the key for as long as the call runs, also when its caller has left: the next one with the key waits for
     * it. A change that was made is remembered whoever waits for its answer; what failed lets go of the key.
     */
    async function run(): Promise<Answer> {
      const letGo = hold(store, lock);
      try {
        const result = await settle(() => next(input, ctx));
        const record = toEndedRecord(result, print, codec);
        if (record === undefined) await release(store, lock);
        else await keep(record);
        if (result.ok) return result.value;
        throw result.thrown;
      } finally {
        letGo();
      }
    }

    /** Writes what became of the call, before it is answered. */
    async function keep(record: EndedRecord): Promise<void> {
      const text = JSON.stringify(record);
      const lastAt = performance.now() + lockMs / 3;
      for (;;) {
        const isWritten = await store.ask((to) => to.swap(key, { from: mine, to: text, ttlMs }));
        if (isWritten === true) return;
        // The answer to a former attempt was lost, or the hold has run out.
        const kept = isWritten === AWAY ? AWAY : await store.ask((to) => to.add(key, text, ttlMs));
        if (kept === undefined || kept === text) return;
        if (kept !== AWAY || performance.now() > lastAt) break;
        await pause();
      }
      const outcome = record.state === 'refused' ? 'was refused' : 'has succeeded';
      logger?.error(
        `[capix] ${capability} ${outcome}, and this could not be stored under its idempotency key (digest ` +
          `${toDigest(key)}): another call with the key may run it again.`,
        { requestId: request?.requestId },
      );
      throw defaultErrors.ServiceUnavailable(
        'The outcome of the call could not be stored; look what became of it before you repeat it',
      );
    }
  };
}

interface Lock {
  readonly key: string;
  /** The record of a call while it runs, as it stands in the store. */
  readonly mine: string;
  readonly lockMs: number;
}

/** Takes a key, or gives the record that it has. */
async function take(store: AskedStore, lock: Lock): Promise<string | undefined> {
  let late: MaybePromise<string | undefined> = lock.mine;
  const kept = await store.ask((to) => (late = to.add(lock.key, lock.mine, lock.lockMs)));
  if (kept !== AWAY) return kept;
  // The store may still take the key, which nobody would hold.
  const releaseLate = async (): Promise<void> => ((await late) === undefined ? release(store, lock) : undefined);
  releaseLate().catch(() => {});
  throw storeAway();
}

/** Keeps a key from running out until the function that it gives is called. */
function hold(store: AskedStore, { key, mine, lockMs }: Lock): () => void {
  const again = { from: mine, to: mine, ttlMs: lockMs };
  const timer = setInterval(() => void store.ask((to) => to.swap(key, again)), lockMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}

async function release(store: AskedStore, { key, mine }: Lock): Promise<void> {
  await store.ask((to) => to.swap(key, { from: mine }));
}

function replay(record: EndedRecord, codec: AnswerCodec): Answer {
  if (record.state === 'unkept')
    throw defaultErrors.Conflict('The call was answered already, with what cannot be given twice');
  const answer = codec.read(record.text);
  if (record.state === 'done') return answer;
  const { status, name, message, meta } = answer as ToldError;
  throw defineError(status, message, name)(message, meta);
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

type Result = { readonly ok: true; readonly value: Answer } | { readonly ok: false; readonly thrown: unknown };

async function settle(call: () => MaybePromise<Answer>): Promise<Result> {
  try {
    return { ok: true, value: await call() };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}

/** The record of a call that has ended; undefined for one that may be made again: it failed with 5xx or 429. */
function toEndedRecord(result: Result, print: string, codec: AnswerCodec): EndedRecord | undefined {
  if (result.ok) {
    const text = codec.write(result.value);
    return text === undefined ? { state: 'unkept', print } : { state: 'done', print, text };
  }
  const { thrown } = result;
  if (!isFrameworkError(thrown) || thrown.status >= 500 || thrown.status === 429) return undefined;
  const { status, name, message, meta } = thrown;
  const told: ToldError = { status, name, message, meta };
  const text = codec.write(told) ?? codec.write({ ...told, meta: toWritten(meta) });
  return text === undefined ? undefined : { state: 'refused', print, text };
}

type ToldError = Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta'>;

/** A meta that no text can hold, as its caller was told; undefined for one that JSON cannot hold either. */
function toWritten(meta: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(meta, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)));
  } catch {
    return undefined;
  }
}

/** The key of a call: a string of structured fields, `"8e03978e-40d5"`, or without quotes. @throws BadRequest */
function expectIdempotencyKey(ctx: unknown): string {
  const text = String(findCallRequest(ctx)?.headers['idempotency-key']).trim();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const key = quoted ?? text;
  if (/^[\x20-\x7e]{1,255}$/.test(key) && (quoted !== undefined || !/["\\,\s]/.test(key))) return key;
  throw defaultErrors.BadRequest(
    'The header Idempotency-Key must be a quoted text of 1 to 255 visible characters, such as "8e03978e-40d5"',
  );
}

/**
 * A digest of what a caller sent: equal for equal fields and equal bytes of files. A file that is read as it arrives is
 * told by its name, its type and the length of the request. What hides its content is like nothing else.
 */
function toSentDigest(sent: unknown, contentLength = ''): string {
  const tellInstance: TellInstance = (instance, tell) => {
    const { name } = instance.constructor;
    if (instance instanceof Uint8Array) return `bytes ${toDigest(instance)}`;
    if (instance instanceof Map || instance instanceof Set) return `${name} ${tell([...instance])}`;
    if (isNodeStream(instance) || isWebStream(instance)) return `stream ${contentLength}`;
    const { toJSON } = instance as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function') return `${name} ${tell(toJSON.call(instance))}`;
    return Object.keys(instance).length === 0 ? randomUUID() : name + tellFields(instance, tell);
  };
  return toDigest(toPartsText(sent, tellInstance) ?? randomUUID());
}
