import type { SeenChange } from '../../system/watch/gather-changes.ts';
import { type CodeInputs, isBuildInput } from './code-inputs.ts';

/** Finds the changes that may make the next build another: code, what says how it is built, and what was missing; not data, logs and notes. */
export interface ChangeFilter {
  /** The changes that count. */
  readonly pick: (changes: readonly SeenChange[]) => readonly SeenChange[];
  /** A build begins: what it depends on is known at its end only. */
  readonly begin: () => void;
  /** A build has ended. Gives the changes of meanwhile that count, as is known now. */
  readonly end: () => readonly SeenChange[];
}

/** `inputs` gives those of the last build; `others` are further files that count, as absolute paths. */
export function createChangeFilter(inputs: () => CodeInputs, others: readonly string[] = []): ChangeFilter {
  let passed: SeenChange[] | undefined;
  const counts = ({ file }: SeenChange): boolean => isBuildInput(file, inputs(), (other) => others.includes(other));
  return {
    pick: (changes) => {
      for (const change of changes) if (!counts(change)) passed?.push(change);
      return changes.filter(counts);
    },
    begin: () => {
      passed = [];
    },
    end: () => {
      const late = (passed ?? []).filter(counts);
      passed = undefined;
      return late;
    },
  };
}
