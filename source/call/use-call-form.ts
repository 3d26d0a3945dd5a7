import { useAnimation } from 'ink';
import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { typeIntoRow } from '../form/edit-form.ts';
import type { FormRow } from '../form/form-rows.ts';
import { moveFocus } from '../form/form-state.ts';
import type { KnownServers } from '../invoke/call-target.ts';
import { toCallField } from '../invoke/request-headers.ts';
import { type ActionName, toFormBindings } from '../kit/actions.ts';
import type { KeyBinding, KeyName } from '../kit/key-binding.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useMemory } from '../kit/use-memory.ts';
import type { Listed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/curl.ts';
import { useNavigation, useServices } from '../screens/use-screen.ts';
import { createCallMemory } from './call-memory.ts';
import { CallStore } from './call-store.ts';
import { completePath } from './complete-path.ts';
import { editInput } from './edit-input.ts';
import { parseStart } from './typed-call.ts';
import { useSaveCall } from './use-save-call.ts';

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
  const { question } = store.live;
  useCallKeys({
    pane: question === undefined ? pane : 'prompt',
    isRunning: store.state.kind === 'running' && question === undefined,
    on: {
      // A line end inside a pasted text must not send the form.
      go: (key) => (key === 'enter inside' ? toNextRow() : void store.send(false)),
      send: () => void store.send(true),
      back: store.cancel,
      edit: () => void editInput(store, services, true),
      editField: () => void editInput(store, services, false),
      undo: () => store.undo(),
      redo: () => store.redo(),
      clear: () => {
        store.fill({ input: undefined });
        notify('Cleared. Ctrl-Z brings it back.');
      },
      write,
      target: () => void store.nextTarget(),
      history: () => {
        void store.readSaved();
        setPane('history');
      },
      answer: toggle,
      pane: toggle,
      copy: () => copy(JSON.stringify(typed.filled ?? null, undefined, 2), 'the input'),
      curl: () => {
        const { input, headers } = store.typed;
        const call = { baseUrl: store.serverUrl, input: input.json, files: input.files, headers };
        copy(toCapabilityCurl(capability, call), 'the call as curl');
      },
    },
  });
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
  return { store, form, pane, setPane, runningMs };
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
