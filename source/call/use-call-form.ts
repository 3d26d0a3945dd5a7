import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { useEffect, useMemo, useState } from 'react';
import { typeIntoRow } from '../kit/form/edit-form.ts';
import { type FormRow, toFormRows } from '../kit/form/form-rows.ts';
import { type FormState, findValueAt, moveFocus } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { toRowProblems } from '../kit/form/to-row-problems.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { Listed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { CallRouteOptions, Location } from '../screens/location.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type CallField, headersPath, inputPath, toCallField, toCallForm } from './call-field.ts';
import { toCallInput } from './run/call-input.ts';
import { findHeaderProblems, type RequestHeaders, toRequestHeaders } from './run/request-headers.ts';
import { useSavedCalls } from './saved/use-saved-calls.ts';
import { asksFirst, type CallTarget, type KnownServers, toQuestion } from './target/call-target.ts';
import { useTarget } from './target/use-target.ts';
import { type CallUse, useCall } from './use-call.ts';
import { useCallHistory } from './use-call-history.ts';
import { type CallPane, useCallKeys } from './use-call-keys.ts';
import { useEditedInput } from './use-edited-input.ts';

export interface CallFormOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly servers: KnownServers;
}

/** The state of the screen of a call, and its keys. */
export function useCallForm({ capability, manifest, servers }: CallFormOptions) {
  const { terminal, entry, notify } = useScreen();
  const [pane, setPane] = useKept<CallPane>('pane', 'form');
  const start = useMemo(() => parseStart(entry.route), [entry.route]);
  const { target, next: nextTarget, serverUrl } = useTarget(servers, start.server);
  const field = useMemo(() => toCallField(capability), [capability]);
  const { form, change, undo, redo } = useCallHistory({ field, capabilityKey: capability.key, start });
  const said = toSaid(field, { state: form.state, workingDirectory: terminal.workingDirectory() });
  const { filled, input, headers } = said;
  const call = useCall({ capability, manifest, filled, input, headers, target });
  const problems = new Map([...toRowProblems(said.inputRows, call.problems), ...said.problems]);
  const formRows = [...said.inputRows, ...said.headerRows];
  const screen = useScreen();
  const confirm: Confirm = (text) => screen.confirm({ text, yes: 'send it', no: 'do not' });
  const { isTried, send } = useSend({
    said,
    call,
    formRows,
    capability,
    target,
    confirm: confirm,
    onFocus: (focus) => change((now) => ({ ...now, focus })),
  });
  useSendAtStart(() => send(true));
  const fill = (next: { readonly input?: unknown; readonly headers?: RequestHeaders }): void =>
    change(toCallForm(field, { headers, ...next }));
  const saved = useSavedCalls({ capability, manifest, filled, headers, target, call, fill, confirm: confirm });
  const editInput = useEditedInput({ field: field.input, form, formRows, problems, change });
  useCallKeys({
    pane: call.question !== undefined ? 'prompt' : pane,
    setPane,
    isRunning: call.state.kind === 'running' && call.question === undefined,
    on: {
      go: () => void send(false),
      send: () => void send(true),
      next: () => change((now) => moveFocus(formRows, now, 1)),
      cancel: call.cancel,
      edit: () => void editInput('whole'),
      editField: () => void editInput('field'),
      undo,
      redo,
      clear: () => {
        fill({ input: undefined });
        saved.forget();
        notify('Cleared. Ctrl-Z brings it back.');
      },
      write: saved.write,
      target: nextTarget,
      history: () => {
        saved.look();
        setPane('history');
      },
    },
    copied: { capability, baseUrl: serverUrl, filled, input, headers },
  });
  const hasInput = said.inputRows.length > 0;
  const complete = usePathCompletion({ formRows, change });
  const shown = { form, formRows, complete, hasInput, problems, isTried };
  return { ...shown, filled, change, fill, saved, pane, setPane, target, call };
}

export type CallFormUse = ReturnType<typeof useCallForm>;

/** Completes the path in a row; where nothing can follow, goes to the next one. */
function usePathCompletion({
  formRows,
  change,
}: Pick<ReturnType<typeof useCallHistory>, 'change'> & { readonly formRows: readonly FormRow[] }) {
  const { terminal, notify } = useScreen();
  return (row: FormRow): void => {
    const { text = '' } = row;
    const { names, added } = completePath(text, terminal.workingDirectory());
    const isWhole = text === '' || names.length < 2 || names.includes(text.split('/').at(-1) ?? '');
    if (added !== '') change((now) => typeIntoRow(now, row, added));
    else if (isWhole) change((now) => moveFocus(formRows, now, 1));
    else notify(names.join('  '));
  };
}

interface SendOptions {
  readonly said: Said;
  readonly call: CallUse;
  readonly formRows: readonly FormRow[];
  readonly capability: Listed;
  readonly target: CallTarget;
  readonly confirm: Confirm;
  /** Changes the row with that id. */
  readonly onFocus: (id: string) => void;
}

/** Sends what can be sent; where it cannot, or the schema refuses it, goes to the first row that is wrong. */
function useSend({ said, call, formRows, capability, target, confirm, onFocus }: SendOptions) {
  const { notify } = useScreen();
  const [isTried, setIsTried] = useState(false);
  const goTo = (ids: Iterable<string>): void => {
    const wrong = new Set(ids);
    const first = formRows.find(({ id, isEditable }) => isEditable && wrong.has(id));
    if (first !== undefined) onFocus(first.id);
    setIsTried(true);
  };
  const send = async (isAsItIs: boolean): Promise<void> => {
    if (call.state.kind === 'running') return;
    if (said.problems.size > 0) {
      notify('The marked fields cannot be sent.');
      return goTo(said.problems.keys());
    }
    if (asksFirst(target, capability.facts) && !(await confirm(toQuestion(target, capability)))) return;
    const wrong = await call.send({ isChecked: !isAsItIs });
    if (wrong.size === 0) return;
    notify('Ctrl-S sends it as it is.');
    goTo(toRowProblems(said.inputRows, wrong).keys());
  };
  return { isTried, send };
}

/** Asks a question of yes or no. */
export type Confirm = (text: string) => Promise<boolean>;

interface Said {
  readonly inputRows: readonly FormRow[];
  readonly headerRows: readonly FormRow[];
  /** As the form has it: files are paths. */
  readonly filled: unknown;
  readonly input: ReturnType<typeof toCallInput>;
  readonly headers: ReturnType<typeof toRequestHeaders>;
  /** The problems of what cannot be sent, by the ids of rows. */
  readonly problems: ReadonlyMap<string, string>;
}

/** The input that a form makes. */
function toSaid(
  field: CallField,
  { state, workingDirectory }: { readonly state: FormState; readonly workingDirectory: string },
): Said {
  const { value, problems } = toFormValue(field.input, state, inputPath);
  const headerRows = toFormRows(field.headers, state, { path: headersPath });
  return {
    inputRows: toFormRows(field.input, state, { path: inputPath }),
    headerRows,
    filled: value,
    input: toCallInput(field.input, value, workingDirectory),
    headers: toRequestHeaders(findValueAt(state.value, headersPath)),
    problems: new Map([...problems, ...findHeaderProblems(headerRows)]),
  };
}

interface StartedCall extends Omit<CallRouteOptions, 'input'> {
  readonly input: unknown;
}

/** Who gave the input on the command line has asked for the call. */
function useSendAtStart(send: () => Promise<void>): void {
  const { entry } = useScreen();
  const [isSent, setIsSent] = useKept('isSent', false);
  useEffect(() => {
    // A past call, that a screen leads to, is only filled in.
    if (isSent || entry.id > 0 || !('input' in entry.route) || entry.route.input === undefined) return;
    setIsSent(true);
    void send();
  });
}

function parseStart(route: Location): StartedCall {
  if (route.screen !== 'call') return { input: undefined };
  const { headers, server, input } = route;
  return { input: parseInput(input), headers, server };
}

function parseInput(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}

/** The files and folders that a path which is being typed may become, and the text that all of them go on with. */
interface PathCompletion {
  readonly names: readonly string[];
  readonly added: string;
}

/**
 * Completes a path as a shell does: it is from `folder`, `~` is the user's folder. At once, since the keys that come
 * next are for what it leads to.
 */
function completePath(text: string, folder: string): PathCompletion {
  const at = text.lastIndexOf('/') + 1;
  const start = text.slice(at);
  const place = resolve(folder, text.slice(0, at).replace(/^~(?=\/)/, homedir()));
  const names = readEntries(place)
    .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted();
  const [first = '', last = ''] = [names[0], names.at(-1)];
  let length = start.length;
  while (length < first.length && first[length] === last[length]) length += 1;
  return { names, added: names.length === 0 ? '' : first.slice(start.length, length) };
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
