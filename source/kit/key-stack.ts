import { findAction, type KeyLayer, type KeyName, LEADER, toTypedText } from './key-binding.ts';

export interface ActiveLayer extends KeyLayer {
  /** Higher ones get a key first. Among equals it is the one that was added first, which in React is the innermost. */
  readonly priority: number;
  readonly isModal: boolean;
  readonly onAction: (action: string, key: KeyName) => void;
  /** Takes text that is typed or pasted and bound to no action of this layer. */
  readonly onText?: ((text: string) => void) | undefined;
}

export type Stroke = { readonly keys: readonly KeyName[] } | { readonly text: string };

export type KeyStack = ReturnType<typeof createKeyStack>;

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

/** The keys that lead out of a load that does not end. */
const leadingKeys: ReadonlySet<KeyName> = new Set(['esc', 'ctrl+p']);

/** Knows which layers there are, and gives them the keys. */
export function createKeyStack() {
  const { current, ...layers } = createLayers();
  const queue: Stroke[] = [];
  let holds = 0;
  /** Whether the next key is the second stroke of one. */
  let isLed = false;

  /** Gives the keys that are left. */
  const pressFirst = (keys: readonly KeyName[]): readonly KeyName[] => {
    const [first = '', ...rest] = keys;
    const active = current();
    const typed = isLed ? [] : toTypedRun(active, keys);
    if (typed.length > 1) {
      typed[0]?.onText(typed.map(({ text }) => text).join(''));
      return keys.slice(typed.length);
    }
    if (first === LEADER && !isLed && active.some(isLeading)) {
      isLed = true;
      return rest;
    }
    const key = isLed ? `${LEADER} ${first.replace(/^ctrl\+/, '')}` : first;
    isLed = false;
    dispatchKey(active, key, first === 'enter' && rest.length > 0 ? 'enter inside' : first);
    return rest;
  };

  return {
    ...layers,
    send: (stroke: Stroke): void => void queue.push(stroke),
    /**
     * Presses the first of the keys that were sent, or all at its start that came at once and type text into one place;
     * gives whether there was one. An Enter that has more behind it is pressed as `enter inside`, where a key table
     * asks for the key that was pressed: a line end of a pasted text.
     */
    pressNext: (): boolean => {
      const isLeaving = (stroke: Stroke): boolean =>
        'keys' in stroke && leadingKeys.has(stroke.keys[0] ?? '');
      const index = holds > 0 ? queue.findIndex(isLeaving) : 0;
      // A user who leaves before the load has ended wanted nothing of what was typed before.
      const stroke = index === -1 ? undefined : queue.splice(0, index + 1).at(-1);
      if (stroke === undefined) return false;
      if ('text' in stroke) {
        const taker = current().find(({ onText }) => onText);
        taker?.onText?.(stroke.text);
        return true;
      }
      const keys = pressFirst(stroke.keys);
      if (keys.length > 0) queue.unshift({ keys });
      return true;
    },
    /** Has keys wait, but those that lead out, until the returned function is called. */
    hold: () => {
      holds++;
      return () => {
        holds--;
        layers.changed();
      };
    },
    /** Forgets the keys that wait. */
    drop: (): void => void queue.splice(0),
  };
}

function createLayers() {
  const added: { readonly current: ActiveLayer }[] = [];
  const watchers = new Set<() => void>();
  let cached: readonly ActiveLayer[] | undefined;
  const changed = (): void => {
    cached = undefined;
    for (const watcher of watchers) watcher();
  };
  const current = (): readonly ActiveLayer[] =>
    untilModal(added.map((layer) => layer.current).sort((a, b) => b.priority - a.priority));
  return {
    add: (layer: { readonly current: ActiveLayer }) => {
      added.push(layer);
      changed();
      return () => {
        added.splice(added.indexOf(layer), 1);
        changed();
      };
    },
    changed,
    current,
    /** The layers in the order in which they get a key; the same array until something changes. */
    layers: () => {
      cached ??= current();
      return cached;
    },
    watch: (onChange: () => void): (() => void) => {
      watchers.add(onChange);
      return () => void watchers.delete(onChange);
    },
  };
}

function isLeading({ bindings }: ActiveLayer): boolean {
  return bindings.some(({ keys }) => keys.some((key) => key.startsWith(`${LEADER} `)));
}

/** Gives a key to the first layer that takes it, with the name that the key has for that layer. */
function dispatchKey(layers: readonly ActiveLayer[], key: KeyName, pressedAs: KeyName): void {
  for (const { bindings, onAction, onText } of layers) {
    const action = findAction(bindings, key);
    if (action !== undefined) return onAction(action, pressedAs);
    const text = toTypedText(key);
    if (onText && text !== undefined) return onText(text);
  }
}

/** The keys at the start that type text into one place. */
function toTypedRun(layers: readonly ActiveLayer[], keys: readonly KeyName[]) {
  const run: { readonly text: string; readonly onText: (text: string) => void }[] = [];
  for (const key of keys) {
    const text = toTypedText(key);
    const taker = layers.find(
      ({ bindings, onText }) => findAction(bindings, key) !== undefined || onText,
    );
    if (
      text === undefined ||
      taker?.onText === undefined ||
      findAction(taker.bindings, key) !== undefined
    )
      break;
    if (run[0] !== undefined && run[0].onText !== taker.onText) break;
    run.push({ text, onText: taker.onText });
  }
  return run;
}

function untilModal(layers: readonly ActiveLayer[]): readonly ActiveLayer[] {
  const modal = layers.findIndex(({ isModal }) => isModal);
  return modal === -1 ? layers : layers.slice(0, modal + 1);
}
