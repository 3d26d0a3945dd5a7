import type { Key } from 'ink';
import { textWidth, toCharacters } from './text.ts';
import { signs } from './theme.ts';

/** A key as the key tables name it: `'a'`, `'G'`, `'enter'`, `'ctrl+p'`, `'shift+tab'`. */
export type KeyName = string;

/** Begins the keys of two strokes, as in readline: `ctrl+x e` is Ctrl-X Ctrl-E, and Ctrl-X E. */
export const LEADER = 'ctrl+x';

/** The keys in an input of the terminal: fast typing arrives as one text. Pasted text takes another way. */
export function toKeyNames(input: string, key: Key): readonly KeyName[] {
  const named = toNamedKey(key);
  if (named !== undefined) return [named];
  if (key.ctrl)
    return input === '' ? [] : [input === '`' || input === ' ' ? 'ctrl+space' : `ctrl+${input}`];
  if (key.meta) return input === '' ? [] : [`alt+${input}`];
  return toCharacters(input).flatMap(toTypedKey);
}

/** The text that a key types, undefined where it types none. */
export function toTypedText(name: KeyName): string | undefined {
  if (name === 'space') return ' ';
  return name.length > 1 && /^[\u0020-\u007E]+$/.test(name) ? undefined : name;
}

function toNamedKey(key: Key): KeyName | undefined {
  const name = namedKeys.find(([flag]) => key[flag])?.[1];
  if (name === undefined) return undefined;
  const modifiers = [
    key.ctrl && 'ctrl+',
    key.meta && name !== 'esc' && 'alt+',
    key.shift && 'shift+',
  ];
  return modifiers.filter(Boolean).join('') + name;
}

const namedKeys = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
] as const satisfies readonly (readonly [keyof Key, string])[];

const typedKeys: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  ' ': 'space',
  '\u007F': 'backspace',
  '\b': 'backspace',
};

function toTypedKey(character: string): readonly KeyName[] {
  const name = typedKeys[character];
  if (name !== undefined) return [name];
  const code = character.charCodeAt(0);
  if (code > 0 && code < 27) return [`ctrl+${String.fromCharCode(code + 96)}`];
  return code < 32 ? [] : [character];
}

/** One line of a key table: the same data finds the handler, and draws the key line and the help. */
export interface KeyBinding {
  readonly action: string;
  /** The first one is shown. */
  readonly keys: readonly KeyName[];
  readonly help: string;
  /** The name in the key line: `'show'`. Left out, it is only in the help. */
  readonly hint?: string | undefined;
  /** Instead of the first key, where several belong together. */
  readonly shown?: string;
  /** Whether the key line keeps it when room is short. @default where Esc or `?` reaches it */
  readonly isPinned?: boolean;
  /** Why it does nothing now. */
  readonly off?: string | undefined;
  readonly run: (key: KeyName) => void;
}

/** Keys that work together: those of a pane, a dialog, the shell. */
export interface KeyLayer {
  readonly bindings: readonly KeyBinding[];
  /** Whether its keys only move what is selected. @default false */
  readonly isMovement?: boolean | undefined;
  /** There where it takes text: keys that type some do not reach the layers around it. */
  readonly onText?: unknown;
}

export function findBinding(
  bindings: readonly KeyBinding[],
  name: KeyName,
): KeyBinding | undefined {
  return bindings.find(({ keys }) => keys.includes(name));
}

/** The hints that fit into one line of `width` columns, three between them. The pinned ones are left out last. */
export function toKeyLine(layers: readonly KeyLayer[], width: number) {
  let hints = toUsableLayers(layers)
    .flatMap(({ bindings }) => bindings)
    .flatMap(({ hint, ...binding }) =>
      hint === undefined
        ? []
        : [
            {
              key: binding.shown ?? toKeyText(binding.keys[0] ?? ''),
              hint,
              isPinned: isPinned(binding),
              isOff: binding.off !== undefined,
            },
          ],
    );
  while (hints.length > 0 && toLineWidth(hints) > width) {
    const last = hints.findLastIndex((each) => !each.isPinned);
    hints = hints.toSpliced(last === -1 ? 0 : last, 1);
  }
  return hints.map(({ key, hint, isOff }) => ({ key, hint, isOff }));
}

function isPinned(binding: Pick<KeyBinding, 'isPinned' | 'keys'>): boolean {
  return binding.isPinned ?? binding.keys.some((key) => key === 'esc' || key === '?');
}

/**
 * The layers with the keys of each binding that reach it: a key belongs to the first layer that has it, and one that
 * types text belongs to the first that takes some. Those that only move come last.
 */
export function toUsableLayers(layers: readonly KeyLayer[]): readonly KeyLayer[] {
  const usable = layers.map((layer, depth) => {
    const inner = layers.slice(0, depth);
    const isTyped = inner.some(({ onText }) => onText !== undefined);
    const isTaken = (key: KeyName): boolean =>
      inner.some(({ bindings }) => findBinding(bindings, key) !== undefined) ||
      (isTyped && toTypedText(key) !== undefined);
    const bindings = layer.bindings
      .map((binding) => ({ ...binding, keys: binding.keys.filter((key) => !isTaken(key)) }))
      .filter(({ keys }) => keys.length > 0);
    return { ...layer, bindings };
  });
  return usable.toSorted(
    (one, other) => Number(one.isMovement ?? false) - Number(other.isMovement ?? false),
  );
}

function toLineWidth(hints: readonly { readonly key: string; readonly hint: string }[]): number {
  return hints.reduce((sum, { key, hint }) => sum + textWidth(key) + 1 + textWidth(hint) + 3, -3);
}

/** A key as it is shown: `Ctrl-O`. */
export function toKeyText(key: KeyName): string {
  const [first = key, second] = key.split(' ');
  if (second !== undefined) return `${toKeyText(first)} ${toKeyText(second)}`;
  const parts = key.split(/\+(?=.)/);
  return parts.map((part) => keyNames[part] ?? toCapital(part, parts.length > 1)).join('-');
}

const keyNames: Readonly<Record<string, string>> = {
  up: signs.up,
  down: signs.down,
  left: signs.left,
  right: signs.right,
  pageup: 'PgUp',
  pagedown: 'PgDn',
  delete: 'Del',
};

/** `Ctrl`, `Enter`; a letter alone is as it is typed. */
function toCapital(part: string, isCombined: boolean): string {
  return part.length > 1 || isCombined ? part.charAt(0).toUpperCase() + part.slice(1) : part;
}
