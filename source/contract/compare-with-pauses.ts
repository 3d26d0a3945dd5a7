import { setImmediate } from 'node:timers/promises';
import type { ContractDiff } from './changes/contract-change.ts';
import { type CompareOptions, compareInSteps } from './compare.ts';
import type { CompareProgress } from './compare-sides.ts';

export interface PauseOptions extends CompareOptions {
  /** Ends the comparison at its next pause. */
  readonly signal?: AbortSignal | undefined;
  /** Called at each pause. */
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

/** The time that a comparison of large documents takes between two pauses, in milliseconds. */
const SLICE_MS = 40;

/**
 * Compares two documents with pauses, in which the process handles signals and keys, and a screen draws. Rejects with
 * the reason of `signal` once that is aborted.
 */
export async function compareWithPauses(
  before: object,
  after: object,
  { today, signal, onProgress }: PauseOptions = {},
): Promise<ContractDiff> {
  signal?.throwIfAborted();
  const steps = compareInSteps(before, after, { today });
  let resumedAtMs = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - resumedAtMs < SLICE_MS) continue;
    onProgress?.(step.value);
    await setImmediate();
    signal?.throwIfAborted();
    resumedAtMs = performance.now();
  }
}
