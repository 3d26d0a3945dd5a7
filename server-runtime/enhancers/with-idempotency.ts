import { randomUUID } from 'node:crypto';
import { type CallRequest, findCallRequest } from '../capability/call-request.ts';
import type { Intent } from '../capability/definition.ts';
import {
  type Answer,
  type AnyEnhancer,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  innerPartsOf,
  type Next,
} from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory, type FrameworkError, isFrameworkError } from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { isNodeStream, isWebStream } from '../resources/item-source.ts';
import { type AnswerCodec, type InstanceText, loadAnswerCodec, toFieldsText, toPartsText } from './answer-text.ts';
import {
  type AskedStore,
  AWAY,
  type By,
  createCallerOf,
  enhancerStateOf,
  findSignal,
  type StateLogger,
  storeAway,
  toDigest,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';

/** The options of `withIdempotency`: how long an answer is remembered, and for whom. */
export interface IdempotencyOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is remembered, milliseconds. @default 86400000 (a day) */
  readonly ttlMs?: number | undefined;
  /** Whose keys these are, by the context as guards leave it; a guarded capability must say it. @default everybody's */
  readonly by?: By<Input, Ctx> | undefined;
  /** Refuses calls without a key with 400. @default false: they are run as they are */
  readonly required?: boolean | undefined;
  /** The time after which a call whose process has died may be run again, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
  /** Answers that are remembered without a store. @default 10000 */
  readonly maxEntries?: number | undefined;
}

const KeyReused: ErrorFactory<'IdempotencyKeyReused', 422> = defineError(
  422,
  'The idempotency key was used with another input',
  'IdempotencyKeyReused',
);

/** The type names one, because the others are those of every server. */
const errors = [defaultErrors.BadRequest, defaultErrors.Conflict, KeyReused, defaultErrors.ServiceUnavailable];

/**
 * Runs a change once for each `Idempotency-Key` that callers send: the same key and input get the first answer or
 * refusal, also while it is being made; another input is 422. A call that failed with 5xx may be run again. It stands
 * outside of all middleware, wherever it is declared. While the store is away, calls with a key are 503.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a guarded capability without `by`
 *
 * @example
 * ```ts
 * export const createOrder = capability(z.object({ item: z.string() }), ({ item }) => ({ id: '7', item }))
 *   .enhance(withIdempotency({ required: true }));
 * ```
 */
export function withIdempotency<Input, Ctx>(
  options: IdempotencyOptions<Input, Ctx> = {},
): Enhancer<Input, Ctx, unknown, typeof KeyReused> {
  const { ttlMs = 86_400_000, lockMs = 30_000, maxEntries = 10_000, required = false, by } = options;
  expectInteger('withIdempotency ttlMs', ttlMs, { min: 1 });
  expectInteger('withIdempotency lockMs', lockMs, { min: 100 });
  expectInteger('withIdempotency maxEntries', maxEntries, { min: 1, max: 10_000_000 });
  const wrap = (next: Next, operation: EnhancedOperation): Next => {
    if (operation.intent === 'query') return next;
    if (operation.guarded && by === undefined)
      throw new TypeError(
        `withIdempotency on \`${operation.key}\`: the capability is guarded, so one user could get the answer of ` +
          'another. Say whose keys these are: withIdempotency({by: (_input, ctx) => ctx.user.id}).',
      );
    const callOnce = whenLoaded(loadOnce(next, operation, { ttlMs, lockMs, maxEntries, by }));
    return (input, ctx) => {
      if (findCallRequest(ctx)?.headers['idempotency-key'] !== undefined) return callOnce(input, ctx);
      if (required) throw defaultErrors.BadRequest('The header Idempotency-Key is missing');
      return next(input, ctx);
    };
  };
  return createEnhancer<Input, Ctx, Ctx, typeof KeyReused>(
    wrap as never,
    { name: 'withIdempotency', settings: { ttlMs, required }, errors: errors as never },
    { usesServer: true, kind: 'idempotency' },
  );
}

/** The header in which callers send a key. */
export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must. */
export type KeyRule = 'optional' | 'required';

/** The rule of an operation for keys; undefined for one that takes none. */
export function findKeyRule(operation: {
  readonly intent: Intent;
  readonly definition: { readonly enhancers: readonly AnyEnhancer[] };
}): KeyRule | undefined {
  const found = operation.definition.enhancers.filter((each) => innerPartsOf(each).kind === 'idempotency');
  if (operation.intent === 'query' || found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}

/** A call with a key, as the store has it. `print` is a digest of what was sent; `text` the answer, or the error. */
type OnceRecord =
  | { readonly state: 'running'; readonly print: string; readonly owner: string }
  | { readonly state: 'done' | 'refused'; readonly print: string; readonly text: string }
  /** Answered with what no text can hold. */
  | { readonly state: 'unkept'; readonly print: string };

/** The time between two looks at a call that another process runs, and between two attempts to write, milliseconds. */
const AGAIN_MS = 50;

interface LoadedOptions extends Pick<IdempotencyOptions, 'by'> {
  readonly ttlMs: number;
  readonly lockMs: number;
  readonly maxEntries: number;
}

/** A step that runs the first call with a key; every later one gets what became of that. */
async function loadOnce(next: Next, operation: EnhancedOperation, options: LoadedOptions): Promise<Next> {
  const { open, claim, logger } = enhancerStateOf(operation);
  const space = claim(`once:${operation.key}`);
  const [codec, store] = await Promise.all([loadAnswerCodec(), open(space, options.maxEntries)]);
  const parts = { ...options, capability: operation.key, codec, store, logger };
  const callerOf = createCallerOf(options.by);
  return (input, ctx) => {
    const request = findCallRequest(ctx);
    const key = toStoreKey(space, JSON.stringify([callerOf(input, ctx), expectIdempotencyKey(request)]));
    return new KeyedCall(parts, key, request).answer(async () => next(input, ctx), findSignal(ctx));
  };
}

interface Remembering extends LoadedOptions {
  readonly capability: string;
  readonly codec: AnswerCodec;
  readonly store: AskedStore;
  readonly logger: StateLogger | undefined;
}

class KeyedCall {
  readonly #parts: Remembering;
  readonly #key: string;
  readonly #request: CallRequest | undefined;
  readonly #print: string;
  /** The record of the call while it runs, as it stands in the store. */
  readonly #mine: string;

  constructor(parts: Remembering, key: string, request: CallRequest | undefined) {
    this.#parts = parts;
    this.#key = key;
    this.#request = request;
    this.#print = toSentDigest(request);
    this.#mine = JSON.stringify({ state: 'running', print: this.#print, owner: randomUUID() } satisfies OnceRecord);
  }

  async answer(run: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    for (;;) {
      const kept = await this.#take();
      if (kept === undefined) return this.#run(run);
      const record = JSON.parse(kept) as OnceRecord;
      if (record.print !== this.#print) throw KeyReused();
      if (record.state !== 'running') return this.#replay(record);
      await pause();
      if (signal?.aborted === true) throw defaultErrors.Conflict('The first call with this key has no answer yet');
    }
  }

  /** Takes the key, or gives the record that it has. */
  async #take(): Promise<string | undefined> {
    const { store, lockMs } = this.#parts;
    let late: MaybePromise<string | undefined> = this.#mine;
    const kept = await store.ask((to) => (late = to.add(this.#key, this.#mine, lockMs)));
    if (kept !== AWAY) return kept;
    // The store may still take the key, which nobody would hold.
    const letGo = (found: string | undefined): void => void (found === undefined && this.#swap());
    Promise.resolve(late).then(letGo, () => {});
    throw storeAway();
  }

  /**
   * Holds the key for as long as the call runs, also when its caller has left: the next one with the key waits for it.
   * A change that was made is remembered whoever waits for its answer; what failed lets go of the key.
   */
  async #run(run: () => Promise<Answer>): Promise<Answer> {
    const { codec, lockMs } = this.#parts;
    const print = this.#print;
    const holding = setInterval(() => void this.#swap(this.#mine, lockMs), lockMs / 3);
    holding.unref();
    try {
      const value = await run().catch(async (thrown: unknown) => {
        if (isFinal(thrown)) await this.#keep({ state: 'refused', print, text: toErrorText(thrown) });
        else await this.#swap();
        throw thrown;
      });
      const text = codec.write(value);
      await this.#keep(text === undefined ? { state: 'unkept', print } : { state: 'done', print, text });
      return value;
    } finally {
      clearInterval(holding);
    }
  }

  /** Replaces the record of the call; without another one, the key is let go of. */
  #swap(to?: string, ttlMs?: number): MaybePromise<boolean | typeof AWAY> {
    return this.#parts.store.ask((of) => of.swap(this.#key, { from: this.#mine, to, ttlMs }));
  }

  /** Writes what became of the call, before it is answered. */
  async #keep(record: OnceRecord): Promise<void> {
    const { capability, store, logger, ttlMs, lockMs } = this.#parts;
    const text = JSON.stringify(record);
    const lastAt = performance.now() + lockMs / 3;
    for (;;) {
      const isWritten = await this.#swap(text, ttlMs);
      if (isWritten === true) return;
      // The answer to a former attempt was lost, or the hold has run out.
      const kept = isWritten === AWAY ? AWAY : await store.ask((to) => to.add(this.#key, text, ttlMs));
      if (kept === undefined || kept === text) return;
      if (kept !== AWAY || performance.now() > lastAt) break;
      await pause();
    }
    const outcome = record.state === 'refused' ? 'was refused' : 'has succeeded';
    logger?.error(
      `[capix] ${capability} ${outcome}, and this could not be stored under its idempotency key (digest ` +
        `${toDigest(this.#key)}): another call with the key may run it again.`,
      { requestId: this.#request?.requestId },
    );
    throw defaultErrors.ServiceUnavailable(
      'The outcome of the call could not be stored; look what became of it before you repeat it',
    );
  }

  #replay(record: Exclude<OnceRecord, { readonly state: 'running' }>): Answer {
    this.#request?.addHeader?.('idempotency-replayed', 'true');
    if (record.state === 'unkept')
      throw defaultErrors.Conflict('The call was answered already, with what cannot be given twice');
    if (record.state === 'done') return this.#parts.codec.read(record.text);
    const { status, name, message, meta } = JSON.parse(record.text) as FrameworkError;
    throw defineError(status, message, name)(message, meta);
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}

/** Whether a call that threw this has ended for good; one that failed with 5xx or 429 may be made again. */
function isFinal(thrown: unknown): thrown is FrameworkError {
  return isFrameworkError(thrown) && thrown.status < 500 && thrown.status !== 429;
}

/** An error as its caller is told of it: without a meta that JSON cannot hold. */
function toErrorText({ status, name, message, meta }: FrameworkError): string {
  const toField = (_name: string, field: unknown): unknown => (typeof field === 'bigint' ? String(field) : field);
  try {
    return JSON.stringify({ status, name, message, meta }, toField);
  } catch {
    return JSON.stringify({ status, name, message });
  }
}

/** The key of a call: a string of structured fields, `"8e03978e-40d5"`, or without quotes. @throws BadRequest */
function expectIdempotencyKey(request: CallRequest | undefined): string {
  const text = String(request?.headers['idempotency-key']).trim();
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
function toSentDigest(request: CallRequest | undefined): string {
  const instanceText: InstanceText = (instance, toText) => {
    const { name } = instance.constructor;
    if (instance instanceof Uint8Array) return `bytes ${toDigest(instance)}`;
    if (instance instanceof Map || instance instanceof Set) return `${name} ${toText([...instance])}`;
    if (isNodeStream(instance) || isWebStream(instance)) return `stream ${String(request?.headers['content-length'])}`;
    const { toJSON } = instance as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function') return `${name} ${toText(toJSON.call(instance))}`;
    return Object.keys(instance).length === 0 ? randomUUID() : name + toFieldsText(instance, toText);
  };
  return toDigest(toPartsText(request?.sent, instanceText) ?? randomUUID());
}
