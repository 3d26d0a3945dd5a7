import { setTimeout as pause } from 'node:timers/promises';
import type { FrameworkError } from '../errors/define-error.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import type { Store, Swap } from '../stores/store.ts';
import { AWAY, type PatientStore, storeAway } from './enhancer-state.ts';

/** A call with a key, in the store: one with an `owner` runs; the answer of one without outcome cannot be repeated. */
export interface OnceRecord {
  readonly print: string;
  readonly owner?: string;
  readonly answer?: string | undefined;
  /** A record of a version before has no headers. */
  readonly error?: Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta' | 'headers'>;
}

interface HeldKeyOptions {
  readonly key: string;
  /** A digest of the input. */
  readonly print: string;
  /** The caller whose share of the store the key takes. */
  readonly owner: string;
  /** The time after which another call may take a key that is not prolonged, milliseconds. */
  readonly lockMs: number;
  /** The time for which the outcome stays, milliseconds. */
  readonly ttlMs: number;
}

/** A key of the store, for one call, which may take it, hold it while it runs, and leave its outcome there. */
export interface HeldKey {
  /** Takes the key, or gives the record that it has. Rejects where the store is away. */
  take(): Promise<string | undefined>;
  /** Holds it for `lockMs` from now. */
  prolong(): void;
  /** Lets another call take it. */
  release(): MaybePromise<unknown>;
  /** Leaves the outcome. False where the store does not take it in time, or the key has another record. */
  replaceBy(outcome: string): Promise<boolean>;
}

/** The key of a call, which has not taken it yet. */
export function createHeldKey(
  store: PatientStore,
  { key, print, owner, lockMs, ttlMs }: HeldKeyOptions,
): HeldKey {
  const mine = JSON.stringify({ print, owner: crypto.randomUUID() } satisfies OnceRecord);
  const swapFor = (of: Store, change: Swap) => {
    of.assign?.(key, owner);
    return of.swap(key, change);
  };
  const swap = (change: Swap) => store.ask((of) => swapFor(of, change));
  const release = () => swap({ from: mine });
  return {
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

/** The record that a text is; undefined for one that others have written, or another version. */
export function findRecord(text: string): OnceRecord | undefined {
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
