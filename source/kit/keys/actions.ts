import type { KeyBinding } from './key-binding.ts';
import type { KeyName } from './key-name.ts';

interface KeyAction {
  readonly keys: readonly KeyName[];
  /** The effect, for the help; a screen may say it in its own words. */
  readonly help: string;
  /** The name in the key line; without one, it is only in the help. */
  readonly hint?: string;
  readonly shown?: string;
  readonly isKept?: boolean;
}

/** Every action of the application that has keys: the same key for the same thing on every screen. */
export const actions = {
  // In lists, trees and long texts.
  up: { keys: ['up', 'k'], help: 'Up' },
  down: { keys: ['down', 'j'], help: 'Down', hint: 'move', shown: 'arrows' },
  pageUp: { keys: ['pageup', 'ctrl+b', 'ctrl+u'], help: 'A page up' },
  pageDown: { keys: ['pagedown', 'ctrl+f', 'ctrl+d'], help: 'A page down' },
  first: { keys: ['g', 'home'], help: 'To the first' },
  last: { keys: ['G', 'end'], help: 'To the last' },
  toggle: { keys: ['space'], help: 'Open or close', hint: 'fold' },
  open: { keys: ['right', 'l'], help: 'Open' },
  close: { keys: ['left', 'h'], help: 'Close it, or go to its parent' },
  openAll: { keys: ['+'], help: 'Open all; of a large tree, all of what is selected' },
  closeAll: { keys: ['-'], help: 'Close all' },
  filter: { keys: ['/'], help: 'Show only what has some words', hint: 'filter' },
  keep: { keys: ['enter', 'tab'], help: 'Back to the list, filtered', hint: 'keep' },
  showAll: { keys: ['esc'], help: 'Show all again', hint: 'show all' },
  // With what is selected.
  go: { keys: ['enter'], help: 'Open what is selected', hint: 'open' },
  show: { keys: ['s'], help: 'Show the capability', hint: 'show' },
  call: { keys: ['c'], help: 'Call the capability', hint: 'call' },
  copy: { keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  curl: { keys: ['u'], help: 'Copy it as a curl command', hint: 'curl' },
  edit: { keys: ['e'], help: 'Open its source in $EDITOR', hint: 'edit' },
  differences: { keys: ['d'], help: 'See what differs', hint: 'diff' },
  insert: { keys: ['i'], help: 'Make a new one', hint: 'new' },
  pane: { keys: ['tab', 'shift+tab'], help: 'Go to the other pane', hint: 'pane' },
  // On every screen.
  help: { keys: ['?', 'ctrl+p'], help: 'Every key, screen and capability', hint: 'help', isKept: true },
  back: { keys: ['esc'], help: 'Back', hint: 'back' },
  leave: { keys: ['q'], help: 'Leave', hint: 'leave', isKept: true },
  editFailure: { keys: ['ctrl+g'], help: 'Open the place of the failure in $EDITOR', hint: 'edit' },
  suspend: { keys: ['ctrl+z'], help: 'Suspend capix; fg in the shell resumes it' },
  // Where text is typed.
  backspace: { keys: ['backspace', 'delete'], help: 'Delete backwards' },
  delete: { keys: ['ctrl+d'], help: 'Delete forwards' },
  left: { keys: ['left', 'ctrl+b'], help: 'Left' },
  right: { keys: ['right', 'ctrl+f'], help: 'Right' },
  start: { keys: ['home', 'ctrl+a'], help: 'To the start' },
  end: { keys: ['end', 'ctrl+e'], help: 'To the end' },
  wordLeft: { keys: ['ctrl+left', 'alt+b', 'alt+left'], help: 'A word left' },
  wordRight: { keys: ['ctrl+right', 'alt+f', 'alt+right'], help: 'A word right' },
  deleteWord: { keys: ['ctrl+w', 'alt+backspace'], help: 'Delete the previous word' },
  deleteLine: { keys: ['ctrl+u'], help: 'Delete everything before' },
  deleteRest: { keys: ['ctrl+k'], help: 'Delete everything after' },
  undo: { keys: ['ctrl+z'], help: 'Undo' },
  // In a question.
  enter: { keys: ['enter'], help: 'Go on', hint: 'go on' },
  cancel: { keys: ['esc'], help: 'Cancel', hint: 'cancel' },
  yes: { keys: ['y'], help: 'Yes', hint: 'yes' },
  no: { keys: ['n', 'esc', 'q'], help: 'No', hint: 'no' },
} as const satisfies Readonly<Record<string, KeyAction>>;

export type ActionName = keyof typeof actions;

/** The words of a view for an action, where it has better ones; fewer keys, where some are text there. */
export type ActionWords = Readonly<{ [Name in ActionName]?: Partial<Pick<KeyBinding, 'help' | 'hint' | 'keys'>> }>;

/** The key table of a view: its actions in the order of the key line. */
export function toBindings<Name extends ActionName>(
  names: readonly Name[],
  words: ActionWords = {},
): readonly KeyBinding<Name>[] {
  return names.map((action) => ({ action, ...(actions[action] as KeyAction), ...words[action] }));
}
