import { textWidth } from '../text/text-width.ts';
import { signs } from '../theme/tokens.ts';
import { type KeyName, toTypedText } from './key-name.ts';

/** One line of a key table: the same data finds the action, and draws the key line and the help. */
export interface KeyBinding<Action extends string = string> {
  readonly action: Action;
  /** The first one is shown. */
  readonly keys: readonly KeyName[];
  /** The effect, for the help: `'Show the capability'`. */
  readonly help: string;
  /** The name in the key line: `'show'`. Left out, it is only in the help. */
  readonly hint?: string | undefined;
  /** Instead of the first key, where several belong together: `'arrows'`. */
  readonly shown?: string;
  /** Whether the key line keeps it when room is short. @default where Esc or `?` reaches it */
  readonly isKept?: boolean;
}

/** Keys that work together: those of a pane, a dialog, the shell. */
export interface KeyLayer {
  /** The title in the help: `'List'`. */
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
  /** Whether its keys only move what is selected. @default false */
  readonly isMovement?: boolean;
  /** There where it takes text: keys that type some do not reach the layers below. */
  readonly onText?: unknown;
}

export function findAction(bindings: readonly KeyBinding[], name: KeyName): string | undefined {
  return bindings.find((binding) => binding.keys.includes(name))?.action;
}

export interface KeyHint {
  /** As it is shown: `'Ctrl-O'`. */
  readonly key: string;
  readonly hint: string;
}

/** The hints that fit into one line of `width` columns, three between them. Those that are kept go last. */
export function toKeyLine(layers: readonly KeyLayer[], width: number): readonly KeyHint[] {
  let hints = toUsableBindings(layers).flatMap(({ hint, ...binding }) =>
    hint === undefined ? [] : [{ key: toShownKey(binding), hint, isKept: isKept(binding) }],
  );
  while (hints.length > 0 && toLineWidth(hints) > width) {
    const last = hints.findLastIndex((each) => !each.isKept);
    hints = hints.toSpliced(last === -1 ? 0 : last, 1);
  }
  return hints.map(({ key, hint }) => ({ key, hint }));
}

function isKept({ isKept: said, keys }: Pick<KeyBinding, 'isKept' | 'keys'>): boolean {
  return said ?? keys.some((key) => key === 'esc' || key === '?');
}

/**
 * The bindings that can be reached, outermost last, each with the keys that reach it: a key belongs to the first layer
 * that has it, and one that types text belongs to the first that takes some.
 */
function toUsableBindings(layers: readonly KeyLayer[]): readonly KeyBinding[] {
  return toUsableLayers(layers).flatMap(({ bindings }) => bindings);
}

/** The layers with the keys of each binding that reach it. */
export function toUsableLayers(layers: readonly KeyLayer[]): readonly KeyLayer[] {
  return layers.map((layer, depth) => {
    const inner = layers.slice(0, depth);
    const isTyped = inner.some(({ onText }) => onText !== undefined);
    const isTaken = (key: KeyName): boolean =>
      inner.some(({ bindings }) => findAction(bindings, key) !== undefined) ||
      (isTyped && toTypedText(key) !== undefined);
    const bindings = layer.bindings
      .map((binding) => ({ ...binding, keys: binding.keys.filter((key) => !isTaken(key)) }))
      .filter(({ keys }) => keys.length > 0);
    return { ...layer, bindings };
  });
}

function toLineWidth(hints: readonly KeyHint[]): number {
  return hints.reduce((sum, { key, hint }) => sum + textWidth(key) + 1 + textWidth(hint) + 3, -3);
}

/** The key that is named where there is room for one. */
function toShownKey({ shown, keys }: Pick<KeyBinding, 'shown' | 'keys'>): string {
  if (shown === 'arrows') return signs.up + signs.down;
  return shown ?? toKeyText(keys[0] ?? '');
}

/** A key as it is shown: `Ctrl-O`. */
export function toKeyText(key: KeyName): string {
  const [first = key, second] = key.split(' ');
  if (second !== undefined) return `${toKeyText(first)} ${toKeyText(second)}`;
  const names: Readonly<Record<string, string>> = {
    up: signs.up,
    down: signs.down,
    left: signs.left,
    right: signs.right,
    enter: 'Enter',
    esc: 'Esc',
    tab: 'Tab',
    space: 'Space',
    pageup: 'PgUp',
    pagedown: 'PgDn',
    home: 'Home',
    end: 'End',
    delete: 'Del',
    backspace: 'Backspace',
  };
  const parts = key.split(/\+(?=.)/);
  return parts
    .map((part) => names[part] ?? modifiers[part] ?? (parts.length > 1 ? part.toUpperCase() : part))
    .join('-');
}

const modifiers: Readonly<Record<string, string>> = { ctrl: 'Ctrl', shift: 'Shift', alt: 'Alt' };
