import { randomUUID } from 'node:crypto';
import { type CallRequest, findCallRequest } from '../capability/call-request.ts';
import type { Intent } from '../capability/definition.ts';
import {
  type Answer,
  type AnyEnhancer,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { defineError, type ErrorFactory, type FrameworkError, isFrameworkError } from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import type { MaybePromise } from '../errors/failure.ts';
import { isByteStream } from '../resources/item-source.ts';
import { type AnswerCodec, isPlainObject, loadAnswerCodec } from './answer-text.ts';
import {
  type AskedStore,
  AWAY,
  type By,
  createCallerOf,
  type EnhancerState,
  enhancerStateOf,
  findSignal,
  storeAway,
  toDigest,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';

export interface IdempotencyOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is remembered, milliseconds. @default 86400000 (a day) */
  readonly ttlMs?: number | undefined;
  /** Whose keys these are, by the context as guards leave it; a guarded capability must say it. @default everybody's */
  readonly by?: By<Input, Ctx> | undefined;
  /** Refuses calls without a key with 400. @default false: they are run as they are */
  readonly required?: boolean | undefined;
  /** The time after which a call whose process has died may be run again, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
}

const { BadRequest, Conflict, ServiceUnavailable } = defaultErrors;
const reused = 'The idempotency key was used with another input';
const KeyReused: ErrorFactory<'IdempotencyKeyReused', 422> = defineError(422, reused, 'IdempotencyKeyReused');

/**
 * Runs a change once for each `Idempotency-Key` that callers send: the same key and input get the first answer or
 * refusal, also while it is being made; another input is 422. A call that failed with 5xx may be run again. It stands
 * outside of all middleware, wherever it is declared. While the store is away, calls with a key are 503.
 *
 * @throws RangeError for a bad number; when the registry is compiled, TypeError on a guarded capability without `by`
 */
export function withIdempotency<Input, Ctx>(
  options: IdempotencyOptions<Input, Ctx> = {},
): Enhancer<Input, Ctx, unknown, typeof KeyReused> {
  const { ttlMs = 86_400_000, lockMs = 30_000, required = false, by } = options;
  expectInteger('withIdempotency ttlMs', ttlMs, { min: 1 });
  expectInteger('withIdempotency lockMs', lockMs, { min: 100 });
  const wrap = (next: Next, operation: EnhancedOperation): Next => {
    const { key, intent, guarded } = operation;
    if (intent === 'query') return next;
    if (guarded && by === undefined)
      throw new TypeError(
        `withIdempotency on \`${key}\`: the capability is guarded, so one user could get the answer of another. Say ` +
          'whose keys these are: withIdempotency({by: (_input, ctx) => ctx.user.id}).',
      );
    const callOnce = whenLoaded(loadOnce(next, operation, { ttlMs, lockMs, by }));
    return (input, ctx) => {
      if (findCallRequest(ctx)?.headers['idempotency-key'] !== undefined) return callOnce(input, ctx);
      if (required) throw BadRequest('The header Idempotency-Key is missing');
      return next(input, ctx);
    };
  };
  // The type names one error, because the others are those of every server.
  const errors = [BadRequest, Conflict, KeyReused, ServiceUnavailable] as never;
  return createEnhancer<Input, Ctx, Ctx, typeof KeyReused>(
    wrap as never,
    { name: 'withIdempotency', settings: { ttlMs, required }, errors },
    { usesServer: true, kind: 'idempotency' },
  );
}

export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must; undefined for an operation that takes none. */
export function findKeyRule(operation: {
  readonly intent: Intent;
  readonly definition: { readonly enhancers: readonly AnyEnhancer[] };
}): 'optional' | 'required' | undefined {
  const found = operation.definition.enhancers.filter(({ kind }) => kind === 'idempotency');
  if (operation.intent === 'query' || found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}

/** A call with a key, as the store has it: one with an `owner` runs; one without outcome cannot be given twice. */
interface OnceRecord {
  readonly print: string;
  readonly owner?: string | undefined;
  readonly answer?: string | undefined;
  readonly error?: Refusal | undefined;
}

interface OnceOptions extends Readonly<Record<'ttlMs' | 'lockMs', number>> {
  readonly by: By | undefined;
}

async function loadOnce(next: Next, operation: EnhancedOperation, options: OnceOptions): Promise<Next> {
  const { claim, open, logger } = enhancerStateOf(operation);
  const space = claim(`once:${operation.key}`);
  const [codec, store] = await Promise.all([loadAnswerCodec(), open(space, 10_000)]);
  const parts = { ...options, capability: operation.key, codec, store, logger };
  const callerOf = createCallerOf(options.by);
  return async (input, ctx) => {
    const request = findCallRequest(ctx);
    const key = toStoreKey(space, JSON.stringify([callerOf(input, ctx), expectIdempotencyKey(request)]));
    const call = new KeyedCall(parts, key, request);
    for (;;) {
      const kept = await call.take();
      if (kept === undefined) return call.run(async () => next(input, ctx));
      const record = JSON.parse(kept) as OnceRecord;
      if (record.print !== call.print) throw KeyReused();
      if (record.owner === undefined) return call.replay(record);
      await pause();
      if (findSignal(ctx)?.aborted === true) throw Conflict('The first call with this key has no answer yet');
    }
  };
}

interface OnceParts extends OnceOptions, Pick<EnhancerState, 'logger'> {
  readonly capability: string;
  readonly codec: AnswerCodec;
  readonly store: AskedStore;
}

class KeyedCall {
  readonly print: string;
  readonly #parts: OnceParts;
  readonly #key: string;
  readonly #request: CallRequest | undefined;
  readonly #mine: string;

  constructor(parts: OnceParts, key: string, request: CallRequest | undefined) {
    this.#parts = parts;
    this.#key = key;
    this.#request = request;
    this.print = toSentDigest(request, parts.codec);
    this.#mine = JSON.stringify({ print: this.print, owner: randomUUID() } satisfies OnceRecord);
  }

  async take(): Promise<string | undefined> {
    const { store, lockMs } = this.#parts;
    let late: MaybePromise<string | undefined> = this.#mine;
    const found = await store.ask((to) => (late = to.add(this.#key, this.#mine, lockMs)));
    if (found !== AWAY) return found;
    // The store may still take the key, which nobody would hold.
    const letGo = (had: string | undefined): void => void (had === undefined && this.#swap());
    Promise.resolve(late).then(letGo, () => {});
    throw storeAway();
  }

  /**
   * Holds the key for as long as the call runs, also when its caller has left: the next one with the key waits.
   * A change that was made is remembered whoever waits for its answer; what failed lets go of the key.
   */
  async run(next: () => Promise<Answer>): Promise<Answer> {
    const { codec, lockMs } = this.#parts;
    const { print } = this;
    const holding = setInterval(() => void this.#swap(this.#mine, lockMs), lockMs / 3);
    holding.unref();
    try {
      const answer = await next().catch(async (thrown: unknown) => {
        const error = toRefusal(thrown);
        await (error === undefined ? this.#swap() : this.#keep({ print, error }));
        throw thrown;
      });
      await this.#keep({ print, answer: codec.write(answer) });
      return answer;
    } finally {
      clearInterval(holding);
    }
  }

  replay({ answer, error }: OnceRecord): Answer {
    this.#request?.addHeader?.('idempotency-replayed', 'true');
    if (error !== undefined) throw defineError(error.status, error.message, error.name)(error.message, error.meta);
    if (answer === undefined) throw Conflict('The call was answered already, with what cannot be given twice');
    return this.#parts.codec.read(answer);
  }

  /** Replaces the record of this call while it runs; without another one, the key is let go of. */
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
    logger?.error(
      `[capix] ${capability} ${record.error ? 'was refused' : 'has succeeded'}, and this could not be stored under ` +
        `its idempotency key (digest ${toDigest(this.#key)}): another call with the key may run it again.`,
      { requestId: this.#request?.requestId },
    );
    const message = 'The outcome of the call could not be stored; look what became of it before you repeat it';
    throw ServiceUnavailable(message);
  }
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

type Refusal = Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta'>;

/** An error as its caller is told of it; undefined for a fault, 5xx or 429, after which the call may be made again. */
function toRefusal(thrown: unknown): Refusal | undefined {
  if (!isFrameworkError(thrown) || thrown.status >= 500 || thrown.status === 429) return undefined;
  const { status, name, message, meta } = thrown;
  const toField = (_name: string, field: unknown): unknown => (typeof field === 'bigint' ? String(field) : field);
  try {
    return JSON.parse(JSON.stringify({ status, name, message, meta }, toField)) as Refusal;
  } catch {
    return { status, name, message, meta: undefined };
  }
}

/** A key in quotes, or without them where it has no space, quote, comma or backslash. */
const keyPattern = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}))$/;

function expectIdempotencyKey(request: CallRequest | undefined): string {
  const [, quoted, plain] = keyPattern.exec(String(request?.headers['idempotency-key']).trim()) ?? [];
  const key = quoted ?? plain;
  if (key !== undefined) return key;
  throw BadRequest(
    'The header Idempotency-Key must be a quoted text of 1 to 255 visible characters, such as "8e03978e-40d5"',
  );
}

/**
 * A digest of what a caller sent: equal for equal fields and equal bytes of files. A file that is read as it arrives is
 * told by its name, its type and the length of the request. What hides its content is like nothing else.
 */
function toSentDigest(request: CallRequest | undefined, { toKey }: AnswerCodec): string {
  const Instance = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || isPlainObject(value)) return undefined;
    if (Array.isArray(value) || value instanceof Map || value instanceof Set) return undefined;
    if (value instanceof Uint8Array) return ['bytes', toDigest(value)];
    if (isByteStream(value)) return ['stream', request?.headers['content-length']];
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function') return [value.constructor.name, toJSON.call(value)];
    return Object.keys(value).length === 0 ? [randomUUID()] : [value.constructor.name, { ...value }];
  };
  return toDigest(toKey(request?.sent, { Instance }) ?? randomUUID());
}
