import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallRequest, findCallRequest } from '../capability/context.ts';
import type { CapabilityDefinition, Intent } from '../capability/definition.ts';
import {
  type Answer,
  createEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type Next,
} from '../capability/enhancer.ts';
import {
  defaultErrors,
  defineError,
  type ErrorFactory,
  type FrameworkError,
  isFrameworkError,
} from '../errors/define-error.ts';
import { expectInteger } from '../errors/expect-options.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { isByteStream } from '../resources/item-source.ts';
import type { Store, Swap } from '../stores/store.ts';
import { type AnswerCodec, loadAnswerCodec } from './answer-text.ts';
import {
  AWAY,
  type By,
  createCallerOf,
  enhancerStateOf,
  findSignal,
  type PatientStore,
  storeAway,
  toDigest,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';

export interface IdempotencyOptions<in Input = never, in Ctx = never> {
  /** The time that an answer is remembered, milliseconds. @default 86400000 (a day) */
  readonly ttlMs?: number | undefined;
  /**
   * The owner of a key, by the context that the guards leave; a guarded capability must declare it. @default everybody
   * shares
   */
  readonly by?: By<Input, Ctx> | undefined;
  /** Refuses calls without a key with 400. @default false: they are run as they are */
  readonly required?: boolean | undefined;
  /** The time after which a call whose process has died may run again, milliseconds. @default 30000 */
  readonly lockMs?: number | undefined;
}

const { BadRequest, Conflict, ServiceUnavailable } = defaultErrors;
const reused = 'The idempotency key was used with another input';
const KeyReused: ErrorFactory<'IdempotencyKeyReused', 422> = defineError(
  422,
  reused,
  'IdempotencyKeyReused',
);

/**
 * Runs a change once for each `Idempotency-Key` that callers send: the same key and input get the first answer or
 * refusal, also while it is being made; another input is 422. A call that failed with 5xx may be run again. It stands
 * outside of all middleware, wherever it is declared. While the store is away, calls with a key are 503.
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
      if (findCallRequest(ctx)?.headers['idempotency-key'] !== undefined)
        return callOnce(input, ctx);
      if (required) throw BadRequest('The header Idempotency-Key is missing');
      return next(input, ctx);
    };
  };
  // The type names one error, because the others are those of every server.
  const errors = [BadRequest, Conflict, KeyReused, ServiceUnavailable] as never;
  const settings = { ttlMs, required };
  return createEnhancer(wrap as never, {
    name: 'withIdempotency',
    settings,
    errors,
    kind: 'idempotency',
  });
}

export const KEY_HEADER = 'Idempotency-Key';

/** Whether calls may carry an `Idempotency-Key`, or must; undefined for an operation that takes none. */
export function findKeyRule(operation: {
  readonly intent: Intent;
  readonly definition: Pick<CapabilityDefinition, 'enhancers'>;
}): 'optional' | 'required' | undefined {
  const found = operation.definition.enhancers.filter(({ kind }) => kind === 'idempotency');
  if (operation.intent === 'query' || found.length === 0) return undefined;
  return found.some(({ settings }) => settings['required'] === true) ? 'required' : 'optional';
}

/** The longest text of an answer that is stored: a second call gets 409 in place of a longer one. */
const MAX_ANSWER_LENGTH = 4_194_304;

/** A call with a key, in the store: one with an `owner` runs; the answer of one without outcome cannot be repeated. */
interface OnceRecord {
  readonly print: string;
  readonly owner?: string;
  readonly answer?: string | undefined;
  /** A record of a version before has no headers. */
  readonly error?: Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta' | 'headers'>;
}

type OnceOptions = Readonly<Record<'ttlMs' | 'lockMs', number>> & { readonly by: By | undefined };

async function loadOnce(
  next: Next,
  operation: EnhancedOperation,
  options: OnceOptions,
): Promise<Next> {
  const { claim, open, logger } = enhancerStateOf(operation);
  const space = claim(`once:${operation.key}`);
  const [codec, store] = await Promise.all([loadAnswerCodec(), open(space, 10_000)]);
  const callerOf = createCallerOf(options.by);

  return async (input, ctx) => {
    const request = findCallRequest(ctx);
    const caller = callerOf(input, ctx);
    const parts = [caller, expectIdempotencyKey(request), ...placeOf(request)];
    const key = toStoreKey(space, JSON.stringify(parts));
    // Keys that are everybody's take room by address.
    const owner = options.by === undefined ? `a:${request?.remoteAddress ?? ''}` : caller;
    const print = toSentDigest(request, codec);
    const hold = createHold(store, { key, print, owner, ...options });
    /** Writes the outcome of the call, before it is answered. */
    async function writeOutcome(outcome: OnceRecord): Promise<void> {
      if (await hold.replaceBy(JSON.stringify(outcome))) return;
      logger?.error(
        `[capix] ${operation.key} ${outcome.error ? 'was refused' : 'has succeeded'}, and this could not be stored ` +
          `under its idempotency key (digest ${toDigest(key)}): another call with the key may run it again.`,
        { requestId: request?.requestId },
      );
      throw ServiceUnavailable(
        'The outcome could not be stored; look what became of the call before you repeat it',
      );
    }

    const earlier = await takeOrWait(hold, print, findSignal(ctx));
    if (earlier !== undefined) {
      request?.addHeader?.('idempotency-replayed', 'true');
      return replay(earlier, codec);
    }
    // The call holds the key even after its caller has left: a change that was made must be remembered.
    const holding = setInterval(hold.prolong, options.lockMs / 3);
    holding.unref?.(); // In some runtimes it is a number.
    try {
      const answer = await (async () => next(input, ctx))().catch(async (thrown: unknown) => {
        const error = toRefusal(thrown);
        await (error === undefined ? hold.release() : writeOutcome({ print, error }));
        throw thrown;
      });
      // If this fails, the change has been made, so the key is not released.
      await writeOutcome({ print, answer: toAnswerText(codec, answer) });
      return answer;
    } finally {
      clearInterval(holding);
    }
  };
}

/** Undefined for an answer that no text can hold, or that is too long to be stored. */
function toAnswerText(codec: AnswerCodec, answer: Answer): string | undefined {
  const text = codec.write(answer);
  return text !== undefined && text.length <= MAX_ANSWER_LENGTH ? text : undefined;
}

/** The record of the first call with this key, when that has ended; undefined where this call is the first one. */
async function takeOrWait(
  hold: Pick<ReturnType<typeof createHold>, 'take'>,
  print: string,
  signal: AbortSignal | undefined,
): Promise<OnceRecord | undefined> {
  for (let text = await hold.take(); text !== undefined; text = await hold.take()) {
    const record = findRecord(text);
    if (record === undefined) throw Conflict(UNREADABLE);
    if (record.print !== print) throw KeyReused();
    if (record.owner === undefined) return record;
    await pause(50);
    if (signal?.aborted === true) throw Conflict('The first call with this key has no answer yet');
  }
  return undefined;
}

/** Gives the answer of the first call, or throws its refusal. */
function replay({ answer, error }: OnceRecord, codec: AnswerCodec): Answer {
  if (error !== undefined) {
    const { status, name, message, meta, headers } = error;
    throw defineError(status, message, name)(message, meta, { headers });
  }
  if (answer !== undefined) return readAnswer(codec, answer);
  throw Conflict('The call was answered already, with what cannot be given twice');
}

const UNREADABLE =
  'What is stored under this key cannot be read, so whether the call was made is not known: use another key';

/** The record that a text is; undefined for one that others have written, or another version. */
function findRecord(text: string): OnceRecord | undefined {
  try {
    const { print, owner, answer, error } = Object(JSON.parse(text)) as Partial<
      Record<keyof OnceRecord, unknown>
    >;
    const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
    const isRecord = typeof print === 'string' && isText(owner) && isText(answer);
    return isRecord && (error === undefined || isError(error))
      ? (JSON.parse(text) as OnceRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

function isError(value: unknown): boolean {
  const {
    status,
    name,
    message,
    headers = {},
  } = Object(value) as Readonly<Record<string, unknown>>;
  const isStatus = Number.isInteger(status) && Number(status) >= 400 && Number(status) < 600;
  const hasTexts = typeof name === 'string' && typeof message === 'string';
  return isStatus && hasTexts && isHeaders(headers);
}

function isHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((field: unknown) =>
    [field].flat().every((each) => typeof each === 'string'),
  );
}

function readAnswer(codec: AnswerCodec, text: string): Answer {
  try {
    return codec.read(text);
  } catch {
    throw Conflict(UNREADABLE);
  }
}

type HoldOptions = Omit<OnceOptions, 'by'> & Readonly<Record<'key' | 'print' | 'owner', string>>;

/** A key of the store, for one call, which may take it, hold it while it runs, and leave its outcome there. */
function createHold(store: PatientStore, { key, print, owner, lockMs, ttlMs }: HoldOptions) {
  const mine = JSON.stringify({ print, owner: randomUUID() } satisfies OnceRecord);
  const swapFor = (of: Store, change: Swap) => {
    of.assign?.(key, owner);
    return of.swap(key, change);
  };
  const swap = (change: Swap) => store.ask((of) => swapFor(of, change));
  const release = () => swap({ from: mine });
  return {
    /** Takes the key, or gives the record that it has. */
    take: async (): Promise<string | undefined> => {
      let taking: MaybePromise<string | undefined> = undefined;
      let isSent = false;
      const record = await store.ask((of) => {
        taking = swapFor(of, { to: mine, ttlMs: lockMs });
        isSent = true;
        return taking;
      });
      if (record !== AWAY) return record;
      if (isSent) void releaseOnceTaken(taking);
      throw storeAway();
    },
    prolong: () => void swap({ from: mine, to: mine, ttlMs: lockMs }),
    release,
    /** Gives false where the store does not take it in time, or the key has another record. */
    replaceBy: async (to: string): Promise<boolean> => {
      const lastAt = performance.now() + lockMs / 3;
      let from: string | undefined = mine;
      while (performance.now() <= lastAt) {
        const had = await swap({ from, to, ttlMs });
        // The answer to a former attempt may have been lost, or the hold has run out.
        if (had === from || had === to) return true;
        if (had === AWAY) await pause(50);
        else if (had === undefined) from = undefined;
        else return false;
      }
      return false;
    },
  };

  /** A store that has not answered in time may still take the key, which no call would hold then. */
  async function releaseOnceTaken(taking: MaybePromise<string | undefined>): Promise<void> {
    try {
      if ((await taking) === undefined) await release();
    } catch {
      // The store has not taken the key.
    }
  }
}

/**
 * The facts of an error that a caller gets; undefined for a fault, 5xx or 429, after which the call may be made again.
 */
function toRefusal(thrown: unknown): OnceRecord['error'] {
  if (!isFrameworkError(thrown) || thrown.status >= 500 || thrown.status === 429) return undefined;
  const { status, name, message, meta, headers } = thrown;
  const facts = { status, name, message, headers };
  const toField = (_name: string, field: unknown): unknown =>
    typeof field === 'bigint' ? String(field) : field;
  try {
    return JSON.parse(JSON.stringify({ ...facts, meta }, toField)) as OnceRecord['error'];
  } catch {
    return { ...facts, meta: undefined };
  }
}

/** A key in quotes, or without them where it has no space, quote, comma or backslash. */
const keyPattern =
  /^(?:"(?<quoted>[\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|(?<plain>[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}))$/;

/** Calls of one parent share its key. */
function placeOf(request: CallRequest | undefined): readonly string[] {
  return request?.place === undefined ? [] : [request.place];
}

function expectIdempotencyKey(request: CallRequest | undefined): string {
  const groups = keyPattern.exec(String(request?.headers['idempotency-key']).trim())?.groups;
  const key = groups?.['quoted'] ?? groups?.['plain'];
  if (key !== undefined) return key;
  throw BadRequest(
    'Idempotency-Key must be a quoted text of 1 to 255 visible characters, such as "8e03978e-40d5"',
  );
}

/**
 * A digest of the input: equal for equal fields and equal bytes of files. A file that is read as it arrives counts by
 * its name, its type and the length of the request. A value that hides its content equals no other.
 */
function toSentDigest(request: CallRequest | undefined, { toKey }: AnswerCodec): string {
  const Bytes = (value: unknown): unknown => value instanceof Uint8Array && toDigest(value);
  const Stream = (value: unknown): unknown =>
    isByteStream(value) && [request?.headers['content-length']];
  return toDigest(toKey(request?.sent, { Bytes, Stream }) ?? randomUUID());
}
