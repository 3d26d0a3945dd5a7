import { readdirSync } from 'node:fs';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ActionName, toFormBindings } from '../kit/actions.ts';
import { typeIntoRow } from '../kit/form/edit-form.ts';
import { type FormRow, toFormRows, toRowProblems } from '../kit/form/form-rows.ts';
import {
  addStep,
  type FormHistory,
  type FormState,
  moveFocus,
  redoChange,
  toFormHistory,
  undoChange,
} from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import type { KeyBinding, KeyName } from '../kit/key-binding.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useMemory } from '../kit/use-memory.ts';
import type { Listed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/curl.ts';
import type { CallRouteOptions, Location } from '../screens/location.ts';
import { useNavigation, useServices } from '../screens/use-screen.ts';
import { toCount } from '../values/count.ts';
import { findValueAt } from '../values/json.ts';
import { toAbsolutePath, toCallInput, withPathsFrom } from './run/call-input.ts';
import type { CallTarget, KnownServers } from './run/call-target.ts';
import type { RequestHeaders } from './run/perform-call.ts';
import {
  type CallField,
  findHeaderProblems,
  headersPath,
  inputPath,
  toCallField,
  toCallForm,
  toRequestHeaders,
} from './run/request-headers.ts';
import { type CallUse, MISSING, memoryOf, useCall } from './use-call.ts';
import { useEditedInput } from './use-edited-input.ts';
import { useSavedCalls } from './use-saved-calls.ts';
import { useTarget } from './use-target.ts';

export interface CallFormOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly servers: KnownServers;
}

export type CallFormUse = ReturnType<typeof useCallForm>;

export function useCallForm({ capability, manifest, servers }: CallFormOptions) {
  const { notify, copy } = useServices();
  const { entry } = useNavigation();
  const { root } = manifest.project;
  const [pane, setPane] = useMemory<CallPane>('pane', 'form');
  const field = useMemo(() => toCallField(capability), [capability]);
  const start = useMemo(() => parseStart(entry.route, field, root), [entry, field, root]);
  const { target, next: nextTarget, serverUrl } = useTarget(root, servers, start.server);
  const { state, change, undo, redo } = useFormHistory(field, capability.key, start);
  const typedCall = toTypedCall(field, state, root);
  const { filled, input, headers, inputRows, formRows } = typedCall;
  const call = useCall({ capability, manifest, filled, input, headers, target });
  const problems = new Map([...toRowProblems(inputRows, call.problems), ...typedCall.problems]);
  const isSure = useIsSure(target);
  const { isTried, send } = useSend({ typedCall, call, change, isSure: () => isSure(capability) });
  useSendAtStart(() => send(true));
  const fill = (next: { readonly input?: unknown; readonly headers?: RequestHeaders }): void =>
    change(toCallForm(field, { headers, ...next }));
  const { environment } = target;
  const saved = useSavedCalls({
    capability,
    manifest,
    filled,
    headers,
    environment,
    call,
    fill,
    isSure,
  });
  const edit = useEditedInput({ inputField: field.input, state, formRows, problems, change });
  const toggle = (): void => setPane(pane === 'form' ? 'answer' : 'form');
  const curlOptions = { baseUrl: serverUrl, input: input.json, files: input.files, headers };
  useCallKeys({
    pane: call.question !== undefined ? 'prompt' : pane,
    isRunning: call.state.kind === 'running' && call.question === undefined,
    on: {
      // Nobody sends a text by pasting it.
      go: (key) =>
        key === 'enter inside' ? change((now) => moveFocus(formRows, now, 1)) : void send(false),
      send: () => void send(true),
      back: call.cancel,
      edit: () => void edit(true),
      editField: () => void edit(false),
      undo,
      redo,
      clear: () => {
        fill({ input: undefined });
        notify('Cleared. Ctrl-Z brings it back.');
      },
      write: saved.write,
      target: () => void nextTarget(),
      history: () => {
        saved.look();
        setPane('history');
      },
      answer: toggle,
      pane: toggle,
      copy: () => copy(JSON.stringify(filled ?? null, undefined, 2), 'the input'),
      curl: () => copy(toCapabilityCurl(capability, curlOptions), 'the call as curl'),
    },
  });
  /** Completes the path in a row; where nothing can follow, goes to the next one. */
  const complete = (row: FormRow): void => {
    const { added, choice } = completePath(row.text ?? '', root);
    if (added !== '') change((now) => typeIntoRow(now, row, added));
    else if (choice.length < 2) change((now) => moveFocus(formRows, now, 1));
    else notify(choice.join('  '));
  };
  const form = { state, formRows, isTried, problems, onState: change, onComplete: complete };
  return { form, hasInput: inputRows.length > 0, filled, fill, saved, pane, setPane, target, call };
}

type CallPane = 'form' | 'answer' | 'history';

const sendBindings = toFormBindings(['go', 'send'], { go: { help: 'Call it', hint: 'send' } });
const formBindings = toFormBindings(
  ['edit', 'editField', 'undo', 'redo', 'clear', 'write', 'answer'],
  {
    edit: { help: 'Edit the whole input in $EDITOR, as JSON with comments', hint: 'editor' },
    clear: { help: 'Clear the form, but keep the headers', hint: undefined },
    write: { help: 'Save the call, for capix call @name', hint: undefined },
  },
);
const answerBindings = toFormBindings(['answer', 'pane'], {
  answer: { help: 'Go to the form', hint: 'form' },
  pane: { help: 'Go to the form', hint: undefined },
});
const callBindings = toFormBindings(['target', 'history', 'curl', 'copy'], {
  curl: { help: 'Copy the call as curl' },
  copy: { help: 'Copy the input as JSON', hint: undefined },
});
const cancelBindings = toFormBindings(['back'], {
  back: { help: 'Cancel the call', hint: 'cancel' },
});

interface CallKeysOptions {
  /** `prompt`: a question has the keys. */
  readonly pane: CallPane | 'prompt';
  readonly isRunning: boolean;
  /** `back` cancels a call that runs. */
  readonly on: Partial<Readonly<Record<ActionName, (key: KeyName) => void>>>;
}

/** The keys of a call that are none of a field: none of them is a letter. */
function useCallKeys({ pane, isRunning, on }: CallKeysOptions): void {
  const useLayer = (
    bindings: readonly KeyBinding<ActionName>[],
    priority: number,
    isActive: boolean,
  ): void =>
    useKeys({
      title: 'Call',
      bindings,
      priority,
      isActive,
      onAction: (action, key) => on[action]?.(key),
    });
  const isForm = pane === 'form';
  const isOpen = isForm || pane === 'answer';
  useLayer(sendBindings, keyPriority.field + 3, isForm);
  useLayer(isForm ? formBindings : answerBindings, keyPriority.field + 1, isOpen);
  // After the keys of the row and the form in the key line.
  useLayer(callBindings, keyPriority.screen, isOpen);
  useLayer(cancelBindings, keyPriority.field + 4, isRunning);
}

/** Asks whether a call that changes data is made, but in this process and in dev; `why`: the call that needs it. */
function useIsSure({ asksFirst, text: name }: CallTarget) {
  const { confirm } = useServices();
  return async ({ method, path, facts: { intent } }: Listed, why = ''): Promise<boolean> => {
    if (!asksFirst || intent === 'query') return true;
    return confirm({
      text: `${why}${method} ${path} on ${name} may change data.`,
      yes: 'send it',
      no: 'do not',
    });
  };
}

interface SendOptions {
  readonly typedCall: ReturnType<typeof toTypedCall>;
  readonly call: CallUse;
  readonly change: ChangeForm;
  readonly isSure: () => Promise<boolean>;
}

/** Sends what can be sent; where it cannot, or the schema refuses it, goes to the first row that is wrong. */
function useSend({ typedCall, call, change, isSure }: SendOptions) {
  const { notify } = useServices();
  const [isTried, setIsTried] = useState(false);
  const refuse = (notice: string, wrong: ReadonlyMap<string, string>): void => {
    notify(notice);
    setIsTried(true);
    const first = typedCall.formRows.find(({ id, isEditable }) => isEditable && wrong.has(id));
    if (first !== undefined) change((now) => ({ ...now, focus: first.id }));
  };
  const send = async (isAsItIs: boolean): Promise<void> => {
    if (call.state.kind === 'running') return;
    if (typedCall.problems.size > 0)
      return refuse('The marked fields cannot be sent.', typedCall.problems);
    if (!(await isSure())) return;
    notify(''); // What was wrong with the call before is over.
    const wrong = await call.send(!isAsItIs);
    if (wrong.size > 0) refuse(toRefusal(wrong), toRowProblems(typedCall.inputRows, wrong));
  };
  return { isTried, send };
}

/** `2 fields are missing, 1 is wrong. Ctrl-S sends all the same.` */
function toRefusal(wrong: ReadonlyMap<string, string>): string {
  const missing = [...wrong.values()].filter((message) => message === MISSING).length;
  const parts = [
    { count: missing, words: 'missing' },
    { count: wrong.size - missing, words: 'wrong' },
  ].filter(({ count }) => count > 0);
  const texts = parts.map(({ count, words }, index) => {
    const subject = index === 0 ? toCount(count, 'field') : `${count}`;
    return `${subject} ${count === 1 ? 'is' : 'are'} ${words}`;
  });
  return `${texts.join(', ')}. Ctrl-S sends all the same.`;
}

/** An input on the command line is a request to call at once. A screen that leads here only fills the form in. */
function useSendAtStart(send: () => Promise<void>): void {
  const { entry } = useNavigation();
  const [isSent, setIsSent] = useMemory('isSent', false);
  useEffect(() => {
    if (isSent || entry.id > 0 || !('input' in entry.route) || entry.route.input === undefined)
      return;
    setIsSent(true);
    void send();
  });
}

/** The input that a form makes. Paths of files are from the project. */
function toTypedCall(field: CallField, state: FormState, root: string) {
  const { value, problems } = toFormValue(field.input, state, inputPath);
  const inputRows = toFormRows(field.input, state, { path: inputPath });
  const headerRows = toFormRows(field.headers, state, { path: headersPath, label: 'headers' });
  return {
    inputRows,
    formRows: [...inputRows, ...headerRows],
    /** As the form has it: files are paths. */
    filled: value,
    input: toCallInput(field.input, value, root),
    headers: toRequestHeaders(findValueAt(state.value, headersPath)),
    /** The problems of what cannot be sent, by the ids of rows. */
    problems: new Map([...problems, ...findHeaderProblems(headerRows)]),
  };
}

/** The call that the command line, or another screen, has filled in. */
interface StartedCall extends Omit<CallRouteOptions, 'input'> {
  readonly input?: unknown;
}

function parseStart(place: Location, field: CallField, root: string): StartedCall {
  const { input, folder, ...route } = place.screen === 'call' ? place : ({} as CallRouteOptions);
  try {
    const parsed = JSON.parse(input ?? '') as unknown;
    return {
      ...route,
      input: withPathsFrom(field.input, parsed, { from: folder ?? root, to: root }),
    };
  } catch {
    return route;
  }
}

/** Makes a step of a form. Work that ends later gives a function of the form as it is then; `run` undoes as one. */
export type ChangeForm = (next: FormState | ((now: FormState) => FormState), run?: string) => void;

/** The forms of a capability, now and before: nothing of them is lost with the screen. */
function useFormHistory(field: CallField, key: string, start: StartedCall) {
  const { terminal } = useServices();
  const [history, setHistory] = useState(() => {
    const { forms, lastHeaders } = memoryOf(terminal);
    const headers = start.headers ?? lastHeaders;
    const known = forms.get(key);
    const started = toCallForm(field, { input: start.input, headers });
    if (known === undefined) return toFormHistory(started);
    if (start.input !== undefined) return addStep(known, started);
    // The headers may have been changed for another capability.
    return { ...known, present: toCallForm(field, { draft: known.present, headers }) };
  });
  // What waited for a file or an answer comes between a key and its drawing: the drawn form lacks that key.
  const latest = useRef(history);
  const keep = (next: FormHistory): void => {
    const memory = memoryOf(terminal);
    memory.forms.set(key, next);
    // The headers of a recorded request are somebody else's: no other call takes them along.
    if (!start.headers)
      memory.lastHeaders = toRequestHeaders(findValueAt(next.present.value, headersPath));
    latest.current = next;
    setHistory(next);
  };
  const change: ChangeForm = (next, run) =>
    keep(
      addStep(latest.current, next instanceof Function ? next(latest.current.present) : next, run),
    );
  const undo = (): void => keep(undoChange(latest.current));
  const redo = (): void => keep(redoChange(latest.current));
  return { state: history.present, change, undo, redo };
}

/**
 * Completes a path as a shell does: the names that may follow where there is a choice, and the text that all of them go
 * on with. At once, since the next keys are for what it leads to.
 */
function completePath(
  text: string,
  folder: string,
): { readonly choice: readonly string[]; readonly added: string } {
  const at = text.lastIndexOf('/') + 1;
  const start = text.slice(at);
  const isMeant = (name: string): boolean =>
    name.startsWith(start) && (start !== '' || !name.startsWith('.'));
  const names = readNames(toAbsolutePath(text.slice(0, at), folder))
    .filter(isMeant)
    .toSorted();
  let common = names[0] ?? '';
  while (!names.every((name) => name.startsWith(common))) common = common.slice(0, -1);
  return {
    choice: text === '' || names.includes(start) ? [] : names,
    added: common.slice(start.length),
  };
}

function readNames(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch {
    return [];
  }
}
