import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasItems, isSse, toReplyData } from '../capability/reply.ts';
import { defaultErrors, type ErrorMeta } from '../errors/define-error.ts';
import { type Failure, failure } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import {
  findItemSource,
  type ItemSource,
  isAsyncIterable,
  isByteStream,
  isResponse,
} from '../resources/item-source.ts';
import type { Application } from './application.ts';
import { type CallResult, cancelled, type InvokedCall } from './invoke-operation.ts';
import { readValue } from './read-value.ts';
import { toDataText, toJsonText } from './to-json-text.ts';

/**
 * What a caller is sent: data or an error; of a stream its items, and then its end or an error. JSON can hold it. The
 * answer to a text repeats the `id` of that.
 */
export type AnswerMessage = { readonly id?: unknown; readonly requestId: string } & (
  | { readonly data: unknown }
  | { readonly item: unknown }
  | { readonly isEnd: true }
  | { readonly error: string; readonly message: string; readonly meta?: ErrorMeta | undefined }
);

/** Sends one message. A stream has to make its next item only once the one before has been sent. */
export type SendMessage = (message: AnswerMessage) => unknown;

/**
 * Makes what JSON can hold of a handler's value, as long as the call runs: what it cannot hold is the failure of the
 * call. The items of a stream are looked at one by one, as they are read.
 */
export function toMessageData(
  value: unknown,
  signal: AbortSignal,
  call: InvokedCall,
): MaybePromise<unknown> {
  const data = toReplyData(value);
  const toSayable = (part: unknown): unknown => {
    const plain = isSse(part) ? part.data : part;
    // A copy, of which no getter can throw later: only texts and numbers are left.
    return JSON.parse(toDataText(plain, call.capability));
  };
  const isBytes = data instanceof Uint8Array || isResponse(data) || isByteStream(data);
  if (isBytes) return readText(value, signal).then(toSayable);
  return hasItems(value) ? call.toData(value, toSayable) : toSayable(data);
}

/** Bytes that are a text, or JSON of a `Response`, become data. */
async function readText(value: unknown, signal: AbortSignal): Promise<unknown> {
  const text = await readValue(value, { signal, isText: isUtf8 });
  if (!(text instanceof Uint8Array)) return text;
  throw defaultErrors.UnsupportedMediaType('The answer is bytes, which messages cannot hold');
}

/** The caller of an answer. */
interface Recipient {
  readonly send: SendMessage;
  /** Fires when the caller leaves. */
  readonly signal: AbortSignal | undefined;
  /** Whether the call was ended early: its transport stops, or the call that it is part of has ended. */
  readonly isCancelled: () => boolean;
}

/**
 * Sends what became of a call, one message after the other. Once the caller has left, nothing is sent and nothing is
 * logged. Never rejects.
 */
export async function sendResult(
  { logger, toFailure }: Pick<Application, 'logger' | 'toFailure'>,
  result: CallResult,
  { send, signal, isCancelled }: Recipient,
): Promise<void> {
  const { requestId } = result;
  const items = result.ok ? findItems(result.value) : undefined;
  const refuse = (reason: Failure): unknown =>
    signal?.aborted === true
      ? undefined
      : send({ requestId, ...toErrorMessage(reason, { logger, requestId }) });
  try {
    if (!result.ok) await refuse(result.failure);
    else if (items === undefined) await send({ requestId, data: result.value });
    else await sendItems(items);
  } catch (error) {
    void items?.end();
    if (signal?.aborted === true) return;
    logger.error('[capix] An answer could not be sent', { requestId, error });
    await (async () => refuse(failure(defaultErrors.Internal)))().catch(() => {});
  }

  async function sendItems(source: ItemSource): Promise<void> {
    for (let count = 1; ; count++) {
      let next: IteratorResult<unknown>;
      try {
        next = await source.next();
      } catch (thrown) {
        // The call has logged it.
        await refuse(isCancelled() ? cancelled : toFailure(thrown));
        return;
      }
      if (next.done === true) {
        await send({ requestId, isEnd: true });
        return;
      }
      await send({ requestId, item: next.value });
      // Where neither side ever waits, nobody would learn that the caller has left.
      if (count % ITEMS_IN_A_TURN === 0) await nextTurn();
    }
  }
}

const ITEMS_IN_A_TURN = 64;

function findItems(value: unknown): ItemSource | undefined {
  return isAsyncIterable(value) ? findItemSource(value) : undefined;
}

/** What a caller learns of a failure: neither its cause nor a stack. */
function toErrorMessage(
  { name, message, meta }: Failure,
  { logger, requestId }: Pick<Application, 'logger'> & { readonly requestId: string },
): { readonly error: string; readonly message: string; readonly meta?: ErrorMeta | undefined } {
  try {
    const text = toJsonText(meta);
    return { error: name, message, ...(text !== undefined && { meta: JSON.parse(text) }) };
  } catch (error) {
    const text = `[capix] The meta of ${name} cannot be written as JSON; it was left out.`;
    logger.error(text, { requestId, error });
    return { error: name, message };
  }
}
