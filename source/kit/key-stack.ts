import { findAction, type KeyLayer, type KeyName, LEADER, toTypedText } from './key-binding.ts';

/** A layer that takes keys now. */
export interface ActiveLayer extends KeyLayer {
  /** Higher ones are asked first; among equals the one that came first, which in React is the innermost. */
  readonly priority: number;
  /** Whether layers below it get nothing. */
  readonly isModal: boolean;
  readonly onAction: (action: string, key: KeyName) => void;
  /** Takes text that is typed or pasted and bound to no action of this layer. */
  readonly onText?: ((text: string) => void) | undefined;
}

/** Which layers there are, and who gets a key. */
export interface KeyStack {
  readonly add: (layer: { readonly current: ActiveLayer }) => () => void;
  /** Tells the watchers that the bindings of a layer have changed. */
  readonly changed: () => void;
  readonly press: (key: KeyName) => void;
  /**
   * Presses the first of the keys that came at once, or all at its start that type text into one place, and gives those
   * that are left. An Enter with more behind it is pressed as `enter inside`, where a key table asks for the key that
   * was pressed: a line end of a pasted text.
   */
  readonly pressFirst: (keys: readonly KeyName[]) => readonly KeyName[];
  readonly paste: (text: string) => void;
  /** The layers from the first asked to the last; the same array until something changes. */
  readonly layers: () => readonly ActiveLayer[];
  readonly watch: (onChange: () => void) => () => void;
  /** Has keys wait, but those that lead out, until the returned function is called. `isKept`: they count then. */
  readonly hold: () => (isKept: boolean) => void;
  readonly isHeld: () => boolean;
  /** Calls `onRelease` whenever keys that have waited may go on. */
  readonly onRelease: (onRelease: (isKept: boolean) => void) => () => void;
}

export const keyPriority = {
  shell: 0,
  /** Around the views of a screen. */
  around: 5,
  screen: 10,
  pane: 20,
  failure: 25,
  field: 30,
  filter: 40,
  overlay: 100,
  tooSmall: 200,
} as const;

export function createKeyStack(): KeyStack {
  const added: { readonly current: ActiveLayer }[] = [];
  const watchers = new Set<() => void>();
  /** Whether the next key is the second stroke of one. */
  let isLed = false;
  let asked: readonly ActiveLayer[] | undefined;

  const changed = (): void => {
    asked = undefined;
    for (const watcher of watchers) watcher();
  };
  const current = (): readonly ActiveLayer[] =>
    untilModal(added.map((layer) => layer.current).sort((a, b) => b.priority - a.priority));

  const press = (pressed: KeyName, told = pressed): void => {
    const layers = current();
    if (pressed === LEADER && !isLed && layers.some(isLeading)) {
      isLed = true;
      return;
    }
    const key = isLed ? `${LEADER} ${pressed.replace(/^ctrl\+/, '')}` : pressed;
    isLed = false;
    for (const { bindings, onAction, onText } of layers) {
      const action = findAction(bindings, key);
      if (action !== undefined) return onAction(action, told);
      const text = toTypedText(key);
      if (onText && text !== undefined) return onText(text);
    }
  };

  return {
    add: (layer) => {
      added.push(layer);
      changed();
      return () => {
        added.splice(added.indexOf(layer), 1);
        changed();
      };
    },
    changed,
    press,
    pressFirst: (keys) => {
      const [first = '', ...rest] = keys;
      const typed = isLed ? [] : toTypedRun(current(), keys);
      if (typed.length > 1) typed[0]?.onText(typed.map(({ text }) => text).join(''));
      else press(first, first === 'enter' && rest.length > 0 ? 'enter inside' : first);
      return keys.slice(Math.max(1, typed.length));
    },
    paste: (text) =>
      current()
        .find(({ onText }) => onText)
        ?.onText?.(text),
    layers: () => (asked ??= current()),
    watch: (onChange) => {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
    ...createHold(),
  };
}

function createHold(): Pick<KeyStack, 'hold' | 'isHeld' | 'onRelease'> {
  const waiting = new Set<(isKept: boolean) => void>();
  let holds = 0;
  return {
    hold: () => {
      holds++;
      return (isKept) => {
        holds--;
        if (holds === 0) for (const release of waiting) release(isKept);
      };
    },
    isHeld: () => holds > 0,
    onRelease: (onRelease) => {
      waiting.add(onRelease);
      return () => void waiting.delete(onRelease);
    },
  };
}

function isLeading({ bindings }: ActiveLayer): boolean {
  return bindings.some(({ keys }) => keys.some((key) => key.startsWith(`${LEADER} `)));
}

interface TypedKey {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The keys at the start that type text into one place. */
function toTypedRun(layers: readonly ActiveLayer[], keys: readonly KeyName[]): readonly TypedKey[] {
  const run: TypedKey[] = [];
  for (const key of keys) {
    const text = toTypedText(key);
    const taker = layers.find(({ bindings, onText }) => findAction(bindings, key) !== undefined || onText);
    if (text === undefined || taker?.onText === undefined || findAction(taker.bindings, key) !== undefined) break;
    if (run[0] !== undefined && run[0].onText !== taker.onText) break;
    run.push({ text, onText: taker.onText });
  }
  return run;
}

function untilModal(layers: readonly ActiveLayer[]): readonly ActiveLayer[] {
  const modal = layers.findIndex(({ isModal }) => isModal);
  return modal === -1 ? layers : layers.slice(0, modal + 1);
}
