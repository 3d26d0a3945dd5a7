import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readCallDraft, writeCallDraft } from '../files/write-call-draft.ts';
import { addStep, type FormHistory, redoChange, toFormHistory, undoChange } from '../kit/form/form-history.ts';
import type { FormNode } from '../kit/form/form-node.ts';
import { findChildNode } from '../kit/form/form-path.ts';
import type { FormState } from '../kit/form/form-state.ts';
import { parseDraft, toDraft } from '../kit/form/value/draft.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CallField, toCallNode } from './call-field.ts';
import { recallHeaders, rememberHeaders } from './run/remember-headers.ts';
import { type RequestHeaders, toRequestHeaders } from './run/request-headers.ts';

/** The forms that are filled in for each capability, by terminal, until the application ends. */
const historiesOf = new WeakMap<Terminal, Map<string, FormHistory>>();

export interface CallHistoryOptions {
  readonly field: CallField;
  readonly capability: ManifestCapability;
  readonly manifest: Manifest;
  /** The call that the command line, or a screen, has already given; undefined is what it has not given. */
  readonly start: { readonly input: unknown; readonly headers?: RequestHeaders | undefined };
}

/** Makes a step of a form; what has waited for something gives a function of the form as it is by then. `run`: steps of one run are undone together. */
export type ChangeForm = (next: FormState | ((now: FormState) => FormState), run?: string) => void;

/** The forms of a capability, now and before: nothing of them is lost with the screen, or with the process. */
export function useCallHistory({ field, capability: { key }, manifest, start }: CallHistoryOptions) {
  const { terminal } = useScreen();
  const { root } = manifest.project;
  const [history, setHistory] = useState(() => toFirstHistory({ terminal, key, field, start }));
  // What waited for a file or an answer comes between a key and its drawing: the drawn form lacks that key.
  const latest = useRef(history);
  const keep = (next: FormHistory): void => {
    const known = historiesOf.get(terminal) ?? new Map<string, FormHistory>();
    historiesOf.set(terminal, known.set(key, next));
    // The headers of a recorded request are somebody else's: no other call takes them along.
    if (start.headers === undefined)
      rememberHeaders(terminal, toRequestHeaders(field.headers, findChildNode(next.present.root, 'headers')));
    latest.current = next;
    setHistory(next);
  };
  useStoredDraft({
    root,
    key,
    input: findChildNode(history.present.root, 'input'),
    isKnown: history.past.length > 0 || historiesOf.get(terminal)?.has(key) === true,
    onDraft: (draft) => {
      const stored = {
        root: toCallNode(field, { draft, headers: start.headers ?? recallHeaders(terminal) }),
        focus: undefined,
      };
      // Whoever has typed meanwhile, or has come with an input, finds it by undo.
      const now = latest.current;
      const isUntouched = start.input === undefined && now.past.length === 0;
      keep(isUntouched ? toFormHistory(stored) : { ...now, past: [stored, ...now.past] });
    },
  });
  const change: ChangeForm = (next, run) =>
    keep(addStep(latest.current, next instanceof Function ? next(latest.current.present) : next, run));
  return {
    form: { field: field.whole, state: history.present },
    change,
    undo: (): void => keep(undoChange(latest.current)),
    redo: (): void => keep(redoChange(latest.current)),
  };
}

function toFirstHistory({
  terminal,
  key,
  field,
  start,
}: Omit<CallHistoryOptions, 'capability' | 'manifest'> & {
  readonly terminal: Terminal;
  readonly key: string;
}): FormHistory {
  const known = historiesOf.get(terminal)?.get(key);
  const headers = start.headers ?? recallHeaders(terminal);
  if (known !== undefined && start.input === undefined) {
    // The headers may have been changed for another capability.
    const draft = findChildNode(known.present.root, 'input');
    return { ...known, present: { ...known.present, root: toCallNode(field, { draft, headers }) } };
  }
  const present = { root: toCallNode(field, { input: start.input, headers }), focus: undefined };
  return known === undefined ? toFormHistory(present) : addStep(known, present);
}

interface StoredDraftOptions {
  readonly root: string;
  readonly key: string;
  readonly input: FormNode | undefined;
  /** Whether something was filled in since the application began. */
  readonly isKnown: boolean;
  readonly onDraft: (draft: FormNode) => void;
}

/** The time after the last change until it is written, milliseconds. */
const WRITE_MS = 200;

/** Reads what was being filled in when the tool last ended, and keeps it in its file from then on. */
function useStoredDraft({ root, key, input, isKnown, onDraft }: StoredDraftOptions): void {
  const { onClose } = useScreen();
  const onRead = useEffectEvent((draft: FormNode | undefined) => {
    if (draft !== undefined) onDraft(draft);
  });
  const wasKnown = useRef(isKnown);
  const written = useRef(input);
  useEffect(() => {
    if (wasKnown.current) return;
    void readCallDraft(root, key).then((draft) => onRead(parseDraft(draft)));
  }, [root, key]);
  const write = useEffectEvent((): void | Promise<void> => {
    if (input === undefined || input === written.current) return undefined;
    written.current = input;
    return writeCallDraft(root, key, toDraft(input));
  });
  useEffect(() => {
    const timer = setTimeout(() => void write(), WRITE_MS);
    return () => clearTimeout(timer);
  }, [input]);
  const writeAtEnd = useEffectEvent(() => onClose(() => write()));
  useEffect(() => {
    writeAtEnd();
    return () => void write();
  }, []);
}
