import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/capability-curl.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { CallInput } from './run/call-input.ts';
import type { RequestHeaders } from './run/request-headers.ts';

export type CallPane = 'form' | 'answer' | 'history';

type SendAction = 'send' | 'sendAsItIs';
type FormAction = 'edit' | 'editField' | 'undo' | 'redo' | 'clear' | 'save';
type CallAction = 'target' | 'history' | 'curl' | 'json';

const sendBindings: readonly KeyBinding<SendAction>[] = [
  { action: 'send', keys: ['enter'], help: 'Call it', hint: 'send' },
  { action: 'sendAsItIs', keys: ['ctrl+s'], help: 'Call it, also with what the schema refuses' },
];
const formBindings: readonly KeyBinding<FormAction>[] = [
  {
    action: 'edit',
    keys: ['ctrl+x e'],
    help: 'Edit the whole input in $EDITOR, as JSON with comments',
    hint: 'editor',
  },
  { action: 'editField', keys: ['ctrl+x f', 'alt+e'], help: 'Edit this field in $EDITOR' },
  { action: 'undo', keys: ['ctrl+z', 'ctrl+x u'], help: 'Undo the last change' },
  { action: 'redo', keys: ['ctrl+x r', 'alt+z'], help: 'Redo' },
  { action: 'clear', keys: ['ctrl+x l', 'alt+l'], help: 'Clear the form, but keep the headers' },
  { action: 'save', keys: ['ctrl+x s', 'alt+s'], help: 'Save the call, for capix call @name' },
];
const callBindings: readonly KeyBinding<CallAction>[] = [
  { action: 'target', keys: ['ctrl+t'], help: 'In this process, or on the running server', hint: 'target' },
  { action: 'history', keys: ['ctrl+r'], help: 'The saved and the last calls', hint: 'history' },
  { action: 'curl', keys: ['ctrl+y'], help: 'Copy the call as curl', hint: 'curl' },
  { action: 'json', keys: ['ctrl+x j', 'alt+y'], help: 'Copy the input as JSON' },
];
const toAnswer: readonly KeyBinding<'pane'>[] = [
  { action: 'pane', keys: ['ctrl+o'], help: 'Go to the answer', hint: 'answer' },
];
const toForm: readonly KeyBinding<'pane'>[] = [
  { action: 'pane', keys: ['ctrl+o', 'tab', 'shift+tab'], help: 'Go to the form', hint: 'form' },
];
const cancelBindings: readonly KeyBinding<'cancel'>[] = [
  { action: 'cancel', keys: ['esc'], help: 'Cancel the call', hint: 'cancel' },
];

export interface CallKeysOptions {
  /** `prompt`: a question has the keys. */
  readonly pane: CallPane | 'prompt';
  readonly setPane: (pane: CallPane) => void;
  readonly isRunning: boolean;
  readonly on: Readonly<Record<SendAction | FormAction | 'next' | 'target' | 'history' | 'cancel', () => void>>;
  /** The text that is copied. */
  readonly copied: {
    readonly capability: ManifestCapability;
    readonly baseUrl: string;
    readonly filled: unknown;
    readonly input: CallInput;
    readonly headers: RequestHeaders;
  };
}

/** The keys of a call that are none of a field: none of them is a letter. */
export function useCallKeys({ pane, setPane, isRunning, on, copied }: CallKeysOptions): void {
  const { copy } = useScreen();
  const isOpen = pane === 'form' || pane === 'answer';
  const { capability, baseUrl, filled, input, headers } = copied;
  useKeys<SendAction>({
    title: 'Call',
    bindings: sendBindings,
    priority: keyPriority.field + 3,
    isActive: pane === 'form',
    // Nobody sends a text by pasting it.
    onAction: (action, key) => (key === 'enter inside' ? on.next() : on[action]()),
  });
  useKeys<FormAction>({
    title: 'Call',
    bindings: formBindings,
    priority: keyPriority.field + 1,
    isActive: pane === 'form',
    onAction: (action) => on[action](),
  });
  useKeys({
    title: 'Call',
    bindings: pane === 'form' ? toAnswer : toForm,
    priority: keyPriority.field + 1,
    isActive: isOpen,
    onAction: () => setPane(pane === 'form' ? 'answer' : 'form'),
  });
  useKeys<CallAction>({
    title: 'Call',
    bindings: callBindings,
    // After the keys of the row and the form in the key line.
    priority: keyPriority.screen,
    isActive: isOpen,
    onAction: (action) => {
      if (action === 'target') on.target();
      else if (action === 'history') on.history();
      else if (action === 'json') copy(JSON.stringify(filled ?? null, undefined, 2), 'the input');
      else
        copy(
          toCapabilityCurl(capability, { baseUrl, input: input.json, files: input.files, headers }),
          'the call as curl',
        );
    },
  });
  useKeys({
    title: 'Call',
    bindings: cancelBindings,
    priority: keyPriority.field + 4,
    isActive: isRunning,
    onAction: on.cancel,
  });
}
