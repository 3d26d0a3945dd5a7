import { toReplyData } from '../../capability/reply.ts';
import { MAX_TIMEOUT_MS } from '../../enhancers/with-timeout.ts';
import type { Outcome } from '../../errors/failure.ts';
import { findItemSource, untilAborted } from '../../resources/item-source.ts';
import type { Application } from '../application.ts';
import { type Invocation, invokeOperation } from './invoke-operation.ts';

/**
 * Runs one attempt at a job as a call, without a time limit unless its capability declares one. A stream is read to its
 * end. Fulfils when the handler has ended, also one that outlives its timeout. Never rejects.
 */
export async function invokeJob(app: Application, invocation: Invocation): Promise<Outcome> {
  let onEnd = (): void => {};
  const ended = new Promise<void>((resolve) => (onEnd = resolve));
  const door = { transport: 'queue', timeoutMs: MAX_TIMEOUT_MS, finish: readToEnd, onEnd };
  const outcome = await invokeOperation(app, invocation, door);
  await ended;
  return outcome;
}

async function readToEnd(value: unknown, signal: AbortSignal): Promise<void> {
  const source = findItemSource(toReplyData(value));
  if (source === undefined) return;
  try {
    while ((await untilAborted(source.next(), signal)).done !== true);
  } finally {
    await source.end();
  }
}
