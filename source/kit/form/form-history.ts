import { type FormState, isSameForm } from './form-state.ts';

/** A form, and what it was before each change that can be undone. */
export interface FormHistory {
  /** The last one last. */
  readonly past: readonly FormState[];
  readonly present: FormState;
  /** The states that were undone, the last one first. */
  readonly future: readonly FormState[];
  /** Changes of one run, such as the letters of a word, are undone as one. */
  readonly run: string | undefined;
}

/** The number of changes that can be undone. */
const MAX_PAST = 500;

export function toFormHistory(present: FormState): FormHistory {
  return { past: [], present, future: [], run: undefined };
}

/** The form after a change. A move of the focus is not a change of the form, and ends the run. */
export function addStep(history: FormHistory, next: FormState, run?: string): FormHistory {
  const { past, present } = history;
  if (isSameForm(present, next)) return { ...history, present: next, run: undefined };
  const continues = run !== undefined && run === history.run;
  return { past: continues ? past : [...past, present].slice(-MAX_PAST), present: next, future: [], run };
}

/** The history before the last change; itself where there is none. */
export function undoChange({ past, present, future }: FormHistory): FormHistory {
  const before = past.at(-1);
  return before === undefined
    ? { past, present, future, run: undefined }
    : { past: past.slice(0, -1), present: before, future: [present, ...future], run: undefined };
}

/** The history before the last undo. */
export function redoChange({ past, present, future }: FormHistory): FormHistory {
  const [next, ...rest] = future;
  return next === undefined
    ? { past, present, future, run: undefined }
    : { past: [...past, present], present: next, future: rest, run: undefined };
}
