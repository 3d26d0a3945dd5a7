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
  isFrameworkError,
} from '../errors/define-error.ts';
import { expectInteger, expectKnownOptions } from '../errors/expect-options.ts';
import { isByteStream } from '../resources/item-source.ts';
import { type AnswerCodec, loadAnswerCodec } from './answer-text.ts';
import {
  type By,
  createCallerOf,
  enhancerStateOf,
  findSignal,
  toDigest,
  toStoreKey,
  whenLoaded,
} from './enhancer-state.ts';
import { createHeldKey, findRecord, type HeldKey, type OnceRecord } from './held-key.ts';

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
  const known = { ttlMs: true, lockMs: true, required: true, by: true };
  expectKnownOptions('withIdempotency', options, known);
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
    const hold = createHeldKey(store, { key, print, owner, ...options });
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
  hold: HeldKey,
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

function readAnswer(codec: AnswerCodec, text: string): Answer {
  try {
    return codec.read(text);
  } catch {
    throw Conflict(UNREADABLE);
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
  return toDigest(toKey(request?.sent, { Bytes, Stream }) ?? crypto.randomUUID());
}
