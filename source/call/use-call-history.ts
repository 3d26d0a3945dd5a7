import { useRef, useState } from 'react';
import { addStep, type FormHistory, redoChange, toFormHistory, undoChange } from '../kit/form/form-history.ts';
import { type FormState, findValueAt } from '../kit/form/form-state.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CallField, headersPath, toCallForm } from './call-field.ts';
import { type RequestHeaders, toRequestHeaders } from './run/request-headers.ts';

/** Inputs that were filled in since the application began, by terminal: it is written nowhere. */
const historiesOf = new WeakMap<Terminal, ReadonlyMap<string, FormHistory>>();
/** The headers that were filled in last, which each call begins with. */
const headersOf = new WeakMap<Terminal, RequestHeaders>();

export interface CallHistoryOptions {
  readonly field: CallField;
  readonly capabilityKey: string;
  /** The call that the command line, or a screen, has already given; undefined is what it has not given. */
  readonly start: { readonly input: unknown; readonly headers?: RequestHeaders | undefined };
}

/** Makes a step of a form. Work that ends later gives a function of the form as it is then; `run` undoes as one. */
export type ChangeForm = (next: FormState | ((now: FormState) => FormState), run?: string) => void;

/** The forms of a capability, now and before: nothing of them is lost with the screen. */
export function useCallHistory({ field, capabilityKey, start }: CallHistoryOptions) {
  const { terminal } = useScreen();
  const [history, setHistory] = useState(() => {
    const headers = start.headers ?? headersOf.get(terminal) ?? {};
    const known = historiesOf.get(terminal)?.get(capabilityKey);
    const isFilled = known !== undefined && start.input === undefined;
    // The headers may have been changed for another capability.
    const draft = isFilled ? known.present : undefined;
    const present = toCallForm(field, { draft, input: start.input, headers });
    if (isFilled) return { ...known, present };
    return known === undefined ? toFormHistory(present) : addStep(known, present);
  });
  // What waited for a file or an answer comes between a key and its drawing: the drawn form lacks that key.
  const latest = useRef(history);
  const keep = (next: FormHistory): void => {
    historiesOf.set(terminal, new Map(historiesOf.get(terminal)).set(capabilityKey, next));
    // The headers of a recorded request are somebody else's: no other call takes them along.
    if (start.headers === undefined)
      headersOf.set(terminal, toRequestHeaders(findValueAt(next.present.value, headersPath)));
    latest.current = next;
    setHistory(next);
  };
  const change: ChangeForm = (next, run) =>
    keep(addStep(latest.current, next instanceof Function ? next(latest.current.present) : next, run));
  return {
    form: { field: field.whole, state: history.present },
    change,
    undo: (): void => keep(undoChange(latest.current)),
    redo: (): void => keep(redoChange(latest.current)),
  };
}
