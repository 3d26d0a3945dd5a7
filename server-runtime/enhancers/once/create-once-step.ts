import { randomUUID } from 'node:crypto';
import type { Answer, Next, SentStep } from '../../capability/enhancer.ts';
import { findCallRequest } from '../../capability/middleware/call-request.ts';
import { defaultErrors } from '../../errors/default-errors.ts';
import type { MaybePromise } from '../../errors/outcome.ts';
import { findSignal } from '../find-signal.ts';
import type { AnswerCodec } from '../state/load-answer-codec.ts';
import { toStoreKey } from '../state/to-store-key.ts';
import { createKeyStore, type KeyStoreOptions, type TakenKey } from './create-key-store.ts';
import { expectIdempotencyKey } from './expect-idempotency-key.ts';
import { type EndedRecord, type KeyedResult, type OnceRecord, toEndedRecord, toSameError } from './once-record.ts';
import { pause } from './pause.ts';
import { toSentDigest } from './to-sent-digest.ts';

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
   * Holds the key for as long as the call runs, also when its caller has left: the next one with the key waits for it. A
   * change that was made is remembered whoever waits for its answer; what failed lets go of the key.
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
