import { type ActionName, toFormBindings } from '../kit/actions.ts';
import type { KeyBinding, KeyName } from '../kit/key-binding.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { useKeys } from '../kit/use-keys.ts';

export type CallPane = 'form' | 'answer' | 'history';

const sendBindings = toFormBindings(['go', 'send'], { go: { help: 'Call it', hint: 'send' } });
const formBindings = toFormBindings(['edit', 'editField', 'undo', 'redo', 'clear', 'write', 'answer'], {
  edit: { help: 'Edit the whole input in $EDITOR, as JSON with comments', hint: 'editor' },
  clear: { help: 'Clear the form, but keep the headers', hint: undefined },
  write: { help: 'Save the call, for capix call @name', hint: undefined },
});
const answerBindings = toFormBindings(['answer', 'pane'], {
  answer: { help: 'Go to the form', hint: 'form' },
  pane: { help: 'Go to the form', hint: undefined },
});
const callBindings = toFormBindings(['target', 'history', 'curl', 'copy'], {
  curl: { help: 'Copy the call as curl' },
  copy: { help: 'Copy the input as JSON', hint: undefined },
});
const cancelBindings = toFormBindings(['back'], { back: { help: 'Cancel the call', hint: 'cancel' } });

export interface CallKeysOptions {
  /** `prompt`: a question has the keys. */
  readonly pane: CallPane | 'prompt';
  readonly isRunning: boolean;
  /** `back` cancels a call that runs. */
  readonly on: Partial<Readonly<Record<ActionName, (key: KeyName) => void>>>;
}

/** The keys of a call that are none of a field: none of them is a letter. */
export function useCallKeys({ pane, isRunning, on }: CallKeysOptions): void {
  const useLayer = (bindings: readonly KeyBinding<ActionName>[], priority: number, isActive: boolean): void =>
    useKeys({ title: 'Call', bindings, priority, isActive, onAction: (action, key) => on[action]?.(key) });
  const isForm = pane === 'form';
  const isOpen = isForm || pane === 'answer';
  useLayer(sendBindings, keyPriority.field + 3, isForm);
  useLayer(isForm ? formBindings : answerBindings, keyPriority.field + 1, isOpen);
  // After the keys of the row and the form in the key line.
  useLayer(callBindings, keyPriority.screen, isOpen);
  useLayer(cancelBindings, keyPriority.field + 4, isRunning);
}
