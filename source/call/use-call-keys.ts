import { toFormBindings } from '../kit/keys/actions.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Listed } from '../manifest/listed.ts';
import { toCapabilityCurl } from '../record/capability-curl.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { CallInput } from './run/call-input.ts';
import type { RequestHeaders } from './run/request-headers.ts';

export type CallPane = 'form' | 'answer' | 'history';

type FormAction = 'edit' | 'editField' | 'undo' | 'redo' | 'clear' | 'write';

const sendBindings = toFormBindings(['go', 'send'], { go: { help: 'Call it', hint: 'send' } });
const formBindings = toFormBindings(['edit', 'editField', 'undo', 'redo', 'clear', 'write'], {
  edit: { help: 'Edit the whole input in $EDITOR, as JSON with comments', hint: 'editor' },
  clear: { help: 'Clear the form, but keep the headers', hint: undefined },
  write: { help: 'Save the call, for capix call @name', hint: undefined },
});
const callBindings = toFormBindings(['target', 'history', 'curl', 'copy'], {
  curl: { help: 'Copy the call as curl' },
  copy: { help: 'Copy the input as JSON', hint: undefined },
});
const toAnswer = toFormBindings(['answer']);
const toForm = toFormBindings(['answer', 'pane'], {
  answer: { help: 'Go to the form', hint: 'form' },
  pane: { help: 'Go to the form', hint: undefined },
});
const cancelBindings = toFormBindings(['back'], { back: { help: 'Cancel the call', hint: 'cancel' } });

export interface CallKeysOptions {
  /** `prompt`: a question has the keys. */
  readonly pane: CallPane | 'prompt';
  readonly setPane: (pane: CallPane) => void;
  readonly isRunning: boolean;
  readonly on: Readonly<Record<FormAction | 'go' | 'send' | 'next' | 'target' | 'history' | 'cancel', () => void>>;
  /** The text that is copied. */
  readonly copied: {
    readonly capability: Listed;
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
  useKeys<'go' | 'send'>({
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
  useKeys<'answer' | 'pane'>({
    title: 'Call',
    bindings: pane === 'form' ? toAnswer : toForm,
    priority: keyPriority.field + 1,
    isActive: isOpen,
    onAction: () => setPane(pane === 'form' ? 'answer' : 'form'),
  });
  useKeys<'target' | 'history' | 'curl' | 'copy'>({
    title: 'Call',
    bindings: callBindings,
    // After the keys of the row and the form in the key line.
    priority: keyPriority.screen,
    isActive: isOpen,
    onAction: (action) => {
      if (action === 'target') on.target();
      else if (action === 'history') on.history();
      else if (action === 'copy') copy(JSON.stringify(filled ?? null, undefined, 2), 'the input');
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
