import type { InputRequiredResult } from '@modelcontextprotocol/server';
import type { CallingClient } from '../capability/context.ts';
import type { Failure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { type Door, invokeOperation } from '../server/invoke/invoke-operation.ts';
import { type AskingLink, isAsking } from './ask/load-asker.ts';
import { expectFits, toTooLarge } from './expect-fits.ts';
import { type ReadContent, readContent } from './read-content.ts';
import type { Caller } from './serve/caller.ts';
import type { Closing } from './serve/closing.ts';

/** One call over the protocol. */
export interface ProtocolCall extends Caller {
  readonly input: Readonly<Record<string, unknown>>;
  /** Fires when the call is cancelled and when the caller leaves. */
  readonly signal: AbortSignal;
  readonly closing: Closing;
  readonly link: AskingLink;
  /** The most text that the result may have, bytes. */
  readonly maxResultBytes: number;
  /** The client as it says of itself. */
  readonly client: CallingClient | undefined;
}

/** The end of a call: its answer, why there is none, or questions to its user that come before. */
export type CallEnd<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'refusal'; readonly failure: Failure }
  | { readonly kind: 'questions'; readonly questions: InputRequiredResult };

/** The capability of a call, and the answer that is made of its value while its time runs. */
export interface OperationOf<Answer> {
  readonly app: Application;
  readonly operation: Operation;
  readonly toAnswer: (content: ReadContent) => Answer;
  /** Looks at the input once the guards have passed. */
  readonly checkInput?: Door['checkInput'];
}

/** Runs a capability, and reads what it gives to its end. */
export async function callOperation<Answer extends object>(
  { app, operation, toAnswer, checkInput }: OperationOf<Answer>,
  { input, headers, remoteAddress, identity, client, closing, link, signal, maxResultBytes }: ProtocolCall,
): Promise<CallEnd<Answer>> {
  const ends = toCallEnds(signal, closing.signal);
  const finish = async (value: unknown, over: AbortSignal): Promise<Answer> => {
    ends.limit();
    const limit = {
      bytes: maxResultBytes,
      toError: () => toTooLarge(operation, undefined, maxResultBytes),
    };
    const content = await readContent(value, { signal: over, limit, onLetGo: (cleaned) => closing.add(cleaned) });
    return expectFits(toAnswer(content), operation, maxResultBytes);
  };
  const outcome = await invokeOperation(
    app,
    { capability: operation.key, input, headers, signal: ends.signal },
    { transport: 'mcp', remoteAddress, identity, client, caller: link, finish, checkInput, isSafe: true },
  );
  ends.release();
  link.end();
  if (outcome.ok) return { kind: 'answer', answer: outcome.value as Answer };
  const questions = isAsking(outcome) ? await link.findPending() : undefined;
  if (questions !== undefined) return { kind: 'questions', questions };
  const { failure } = outcome;
  if (failure.unexpected === true)
    app.logger.error(`[capix] ${operation.key} failed as a tool`, { error: failure.cause });
  return { kind: 'refusal', failure };
}

/** The events that end a call before it has its answer, apart from its timeout. */
interface CallEnds {
  readonly signal: AbortSignal;
  /** The call has a moment left once the conversation ends: what it reads may have no end. */
  readonly limit: () => void;
  /** The call is over. */
  readonly release: () => void;
}

/** The time that a stream is still read when nobody can cancel it any more, milliseconds. */
const MOMENT_MS = 1000;

/** `cancelled` ends the call at once, `closing` a moment later. */
function toCallEnds(cancelled: AbortSignal, closing: AbortSignal): CallEnds {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => controller.abort(cancelled.reason);
  const endSoon = (): void => {
    timer = setTimeout(end, MOMENT_MS);
  };
  if (cancelled.aborted) end();
  else cancelled.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    limit: () => (closing.aborted ? endSoon() : closing.addEventListener('abort', endSoon, { once: true })),
    release: () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', end);
      closing.removeEventListener('abort', endSoon);
    },
  };
}
