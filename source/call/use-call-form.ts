import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { useAnimation } from 'ink';
import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { toOperationSecrets } from '../document/operations/secret-check.ts';
import { typeIntoRow } from '../form/edit-form.ts';
import type { FormRow } from '../form/form-rows.ts';
import { moveFocus } from '../form/form-state.ts';
import { toAbsolutePath } from '../invoke/call-input.ts';
import type { KnownServers } from '../invoke/call-target.ts';
import { toCallField } from '../invoke/request-headers.ts';
import { toAloneText } from '../invoke/saved/plan-call.ts';
import { toCallFile, toSafeName, toSavedFileText } from '../invoke/saved/read-saved-calls.ts';
import type { KeyHandlers } from '../kit/actions.ts';
import { useMemory } from '../kit/use-ui.ts';
import type { Listed, Manifest } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/curl.ts';
import { toPreview } from '../record/preview.ts';
import { useNavigation, useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { attempt } from '../values/attempt.ts';
import { createCallMemory } from './call-memory.ts';
import { CallStore } from './call-store.ts';
import { editInput } from './edit-input.ts';
import { parseStart } from './typed-call.ts';

export interface CallFormOptions {
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly servers: KnownServers;
}

export type CallFormUse = ReturnType<typeof useCallForm>;

/** The store of the call of a screen, which of its panes is open, and the keys that are none of a field. */
export function useCallForm(options: CallFormOptions) {
  const { capability, manifest } = options;
  const { root } = manifest.project;
  const services = useServices();
  const { notify, copy } = services;
  const store = useCallStore(options);
  const [pane, setPane] = useMemory<CallPane>('pane', 'form');
  const { time: runningMs } = useAnimation({ isActive: store.state.kind === 'running' });
  const write = useSaveCall(store, capability, root);
  const { typed } = store;
  const { formRows } = typed;
  const toggle = (): void => setPane(pane === 'form' ? 'answer' : 'form');
  const toNextRow = (): void => store.change((now) => moveFocus(formRows, now, 1));
  const curl = (): void => {
    const { input, headers } = store.typed;
    const call = { baseUrl: store.serverUrl, input: input.json, files: input.files, headers };
    copy(toCapabilityCurl(capability, call), 'the call as curl');
  };
  const isRunning = store.state.kind === 'running';
  const everywhere: KeyHandlers = {
    target: () => {
      void store.findTargets();
      setPane('targets');
    },
    history: () => {
      void store.readSaved();
      setPane('history');
    },
    curl: { help: 'Copy the call as curl', run: curl },
    copy: {
      help: 'Copy the input as JSON',
      hint: undefined,
      run: () => copy(JSON.stringify(typed.filled ?? null, undefined, 2), 'the input'),
    },
    back: isRunning ? { help: 'Cancel the call', hint: 'cancel', run: store.cancel } : undefined,
  };
  const inForm: KeyHandlers = {
    go: { help: 'Call it', hint: 'send', run: () => void store.send(false) },
    send: () => void store.send(true),
    edit: {
      help: 'Edit the whole input in $EDITOR, as JSON with comments',
      hint: 'editor',
      run: () => void editInput(store, services, true),
    },
    editField: () => void editInput(store, services, false),
    undo: () => store.undo(),
    redo: () => store.redo(),
    clear: {
      help: 'Clear the form, but keep the headers',
      hint: undefined,
      run: () => {
        store.fill({ input: undefined });
        notify('Cleared. Ctrl-Z brings it back.');
      },
    },
    write: { help: 'Save the call, for capix call @name', hint: undefined, run: write },
    answer: toggle,
  };
  const inAnswer: KeyHandlers = {
    answer: { help: 'Go to the form', hint: 'form', run: toggle },
    pane: { help: 'Go to the form', hint: undefined, run: toggle },
  };
  const actions = { ...(pane === 'form' ? inForm : inAnswer), ...everywhere };
  /** Completes the path in a row; where nothing can follow, goes to the next one. */
  const onComplete = (row: FormRow): void => {
    const { added, choice } = completePath(row.text ?? '', root);
    if (added !== '') store.change((now) => typeIntoRow(now, row, added));
    else if (choice.length < 2) toNextRow();
    else notify(choice.join('  '));
  };
  const { form: state, isTried, change: onState } = store;
  const problems = store.problems();
  const form = { state, formRows, isTried, problems, onState, onComplete };
  return { store, form, actions, pane, setPane, runningMs, onKeep: write };
}

/** The store of the screen, which loads code anew when the project does. */
function useCallStore({ capability, manifest, servers }: CallFormOptions): CallStore {
  const services = useServices();
  const { entry } = useNavigation();
  const [store] = useState(() => {
    const memory = services.share(createCallMemory, undefined);
    const start = parseStart(entry.route, toCallField(capability), manifest.project.root);
    return new CallStore({ services, memory, capability, manifest, servers, start });
  });
  useSyncExternalStore(store.watch, store.version);
  useLayoutEffect(() => store.load(capability, manifest), [store, capability, manifest]);
  useEffect(() => () => store.close(), [store]);
  // An input on the command line is a request to call at once. A screen that leads here only fills the form in.
  const [isSent, setIsSent] = useMemory('isSent', false);
  const startsAtOnce = entry.id === 0 && 'input' in entry.route && entry.route.input !== undefined;
  const sendAtStart = useEffectEvent(() => {
    if (isSent || !startsAtOnce) return;
    setIsSent(true);
    void store.send(true);
  });
  useEffect(() => sendAtStart(), []);
  return store;
}

type CallPane = 'form' | 'answer' | 'history' | 'targets';

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
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
}

/** Gives a function that asks for a name, and saves the call of the form under it, with its answer if it has one. */
function useSaveCall(store: CallStore, capability: Listed, root: string): () => void {
  const { terminal, notify } = useServices();
  return useWriteFile({
    label: 'Save as',
    toText: () => {
      const { state, typed, target } = store;
      const { filled: input, headers } = typed;
      const { environment } = target;
      const isSecret = toOperationSecrets(capability);
      const saved = { call: capability.key, input, headers, environment, expect: undefined };
      if (state.kind !== 'answered') return toSavedFileText(saved, isSecret);
      const { status } = state.result;
      const body = toPreview(state.result.body, isSecret);
      const changes = capability.method !== 'GET';
      return toAloneText({ ...saved, key: saved.call, status, body, isSecret, changes });
    },
    path: capability.name,
    toFile: (name) => relative(terminal.workingDirectory(), join(root, toCallFile(name))),
    note: `capix call @name makes it again; secrets are written as variables`,
    root,
    onWritten: (name) => notify(`Wrote ${toCallFile(name)}: capix call @${toSafeName(name)}`),
  });
}
