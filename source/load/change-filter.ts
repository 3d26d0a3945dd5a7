import { type BuildInputs, isBuildInput } from './bundle/build-inputs.ts';

/** Finds the changes that may make the next build another: code, what says how it is built, and what was missing; not data, logs and notes. */
export interface ChangeFilter {
  /** Those of the files that count. */
  readonly pick: (files: readonly string[]) => readonly string[];
  /** A build begins: what it depends on is known at its end only. */
  readonly begin: () => void;
  /** A build has ended. Gives the files that changed meanwhile and, as is known now, count. */
  readonly end: () => readonly string[];
}

/** `inputs` gives those of the last build; `others` are further files that count, as absolute paths. */
export function createChangeFilter(inputs: () => BuildInputs, others: readonly string[] = []): ChangeFilter {
  let passed: Set<string> | undefined;
  const counts = (file: string): boolean => isBuildInput(file, inputs(), others);
  return {
    pick: (files) => {
      for (const file of files) if (!counts(file)) passed?.add(file);
      return files.filter(counts);
    },
    begin: () => {
      passed = new Set();
    },
    end: () => {
      const late = [...(passed ?? [])].filter(counts);
      passed = undefined;
      return late;
    },
  };
}
