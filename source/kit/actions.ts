import { type KeyBinding, type KeyName, LEADER } from './key-binding.ts';
import { signs } from './theme.ts';

interface KeyAction {
  readonly keys: readonly KeyName[];
  /** The effect, for the help; a screen may say it in its own words. */
  readonly help: string;
  /** The name in the key line; without one, it is only in the help. */
  readonly hint?: string;
  readonly shown?: string;
  readonly isPinned?: boolean;
}

/**
 * Every action of the application that has keys: the same key for the same thing on every screen. Where letters are
 * text, an action has another key. docs/screens.md has a table of those before `backspace`.
 */
export const actions = {
  // In lists, trees and long texts; in forms from field to field.
  up: { keys: ['up', 'k'], help: 'Up' },
  down: { keys: ['down', 'j'], help: 'Down', hint: 'move', shown: signs.up + signs.down },
  pageUp: { keys: ['pageup', 'ctrl+b', 'ctrl+u'], help: 'A page up' },
  pageDown: { keys: ['pagedown', 'ctrl+f', 'ctrl+d'], help: 'A page down' },
  first: { keys: ['g', 'home'], help: 'To the first' },
  last: { keys: ['G', 'end'], help: 'To the last' },
  toggle: { keys: ['space'], help: 'Open or close', hint: 'fold' },
  open: { keys: ['right', 'l'], help: 'Open' },
  close: { keys: ['left', 'h'], help: 'Close it, or go to its parent' },
  more: { keys: ['+'], help: 'Open all, of many the first' },
  less: { keys: ['-'], help: 'Close all' },
  filter: { keys: ['/', '$'], help: 'Show only the rows that have some words', hint: 'filter' },
  // With what is selected.
  go: { keys: ['enter'], help: 'Open what is selected', hint: 'open', isPinned: true },
  back: { keys: ['esc'], help: 'Back', hint: 'back' },
  show: { keys: ['s'], help: 'Show the capability', hint: 'show' },
  call: { keys: ['c'], help: 'Call the capability', hint: 'call' },
  copy: { keys: ['y', 'ctrl+x j', 'alt+y'], help: 'Copy what is selected', hint: 'copy' },
  curl: { keys: ['u', 'ctrl+y'], help: 'Copy it as a curl command', hint: 'curl' },
  edit: { keys: ['e', 'ctrl+x e', 'ctrl+g'], help: 'Open its source in $EDITOR', hint: 'edit' },
  differences: { keys: ['d'], help: 'See what differs from the last commit', hint: 'diff' },
  insert: { keys: ['i', 'ctrl+x i', 'alt+i'], help: 'Make a new one', hint: 'new' },
  write: { keys: ['w', 'ctrl+x s', 'alt+s'], help: 'Write it to a file', hint: 'write' },
  keep: { keys: ['K'], help: 'Keep it as a saved call', hint: 'keep' },
  test: { keys: ['T'], help: 'Write it as a test', hint: 'test' },
  outside: { keys: ['o'], help: 'Open it in another program' },
  again: { keys: ['a'], help: 'Do it again: send a request, try a job', hint: 'again' },
  reload: { keys: ['r'], help: 'Load it again', hint: 'reload' },
  aside: {
    keys: ['A'],
    help: 'Accept a breaking change; in dev fold those there are, or show them',
  },
  clear: { keys: ['x', 'ctrl+x l', 'alt+l'], help: 'Clear it', hint: 'clear' },
  // Between the parts of a screen.
  pane: { keys: ['tab', 'shift+tab'], help: 'Go to the other pane', hint: 'pane' },
  views: {
    keys: ['1', '2', '3', '4'],
    help: 'The view of that number in dev: routes, requests, log, jobs',
  },
  table: { keys: ['t'], help: 'As a table, or as a tree', hint: 'tree' },
  sort: { keys: ['S'], help: 'Sort the table', hint: 'sort' },
  zoom: { keys: ['z'], help: 'This view alone, or all together', hint: 'zoom' },
  // On every screen.
  help: {
    keys: ['?', 'ctrl+p'],
    help: 'Every key, screen and capability',
    hint: 'help',
    isPinned: true,
  },
  leave: { keys: ['q'], help: 'Leave', hint: 'leave', isPinned: true },
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
  line: { keys: ['ctrl+x enter', 'alt+enter'], help: 'Begin a new line' },
  undo: { keys: ['ctrl+z', 'ctrl+x u'], help: 'Undo the last change' },
  redo: { keys: ['ctrl+x r', 'alt+z'], help: 'Redo' },
  // In a form.
  send: {
    keys: ['ctrl+s'],
    help: 'Call it, also with what the schema refuses; in dev all saved calls',
  },
  nothing: { keys: ['ctrl+n'], help: 'Make it null or empty, or leave it out', hint: 'null' },
  target: {
    keys: ['ctrl+t'],
    help: 'Choose where it is called: here, or on a server',
    hint: 'target',
  },
  history: { keys: ['ctrl+r'], help: 'The saved and the last calls', hint: 'history' },
  answer: { keys: ['ctrl+o'], help: 'Go to the answer, or back to the form', hint: 'answer' },
  editField: { keys: ['ctrl+x f', 'alt+e'], help: 'Edit this field in $EDITOR' },
  remove: { keys: ['ctrl+x d', 'alt+d'], help: 'Remove this item', hint: 'remove item' },
  // In a question.
  yes: { keys: ['y'], help: 'Yes', hint: 'yes' },
  no: { keys: ['n', 'esc', 'q'], help: 'No', hint: 'no' },
} as const satisfies Readonly<Record<string, KeyAction>>;

export type ActionName = keyof typeof actions;

type Run = (key: KeyName) => void;

/** What a view does for an action, in its own words where it has better ones. */
export interface KeyHandler extends Partial<Pick<KeyBinding, 'help' | 'hint' | 'keys' | 'shown'>> {
  readonly run: Run;
  /** Why it does nothing now: the reason is shown when the key is pressed. */
  readonly off?: string | undefined;
}

/** The actions of a view with their handlers, in the order of the key line. */
export type KeyHandlers = { readonly [Name in ActionName]?: KeyHandler | Run | undefined };

/** Actions that one function takes. */
export function toHandlers<Name extends ActionName>(
  names: readonly Name[],
  run: (action: Name) => void,
): Readonly<Record<Name, Run>> {
  const handlers = names.map((name) => [name, () => run(name)]);
  return Object.fromEntries(handlers) as Record<Name, Run>;
}

/** The key table of a view. Where letters are text, an action has only its keys that type none. */
export function toBindings(handlers: KeyHandlers, isForm: boolean): readonly KeyBinding[] {
  const isUsed = (key: KeyName): boolean =>
    isForm ? key.length > 1 : !key.startsWith(`${LEADER} `);
  return (Object.keys(handlers) as ActionName[]).flatMap((action) => {
    const handler = handlers[action];
    if (handler === undefined) return [];
    const { keys, ...rest }: KeyAction = actions[action];
    const own = typeof handler === 'function' ? { run: handler } : handler;
    return [{ action, ...rest, keys: keys.filter(isUsed), ...own }];
  });
}
