import {
  findBinding,
  type KeyBinding,
  type KeyLayer,
  type KeyName,
  LEADER,
  toTypedText,
} from './key-binding.ts';

export interface ActiveLayer extends KeyLayer {
  /** The number of layers around it: the inner one gets a key first. */
  readonly depth: number;
  /** Takes text that is typed or pasted and bound to no action of this layer. */
  readonly onText?: ((text: string) => void) | undefined;
  /** Takes an Enter that more follows at once: a line end of a pasted text. */
  readonly onLineEnd?: (() => void) | undefined;
}

export type Stroke = { readonly keys: readonly KeyName[] } | { readonly text: string };

export type KeyStack = ReturnType<typeof createKeyStack>;

/** The keys that lead out of a load that does not end. */
const leadingKeys: ReadonlySet<KeyName> = new Set(['esc', 'ctrl+p']);

/** Knows which layers there are, and gives them the keys. */
export function createKeyStack() {
  const layers = createLayers();
  const queue: Stroke[] = [];
  let holds = 0;
  /** Whether the next key is the second stroke of one. */
  let isLed = false;
  let explain: (reason: string) => void = () => {};

  const press = (key: KeyName): void => {
    const taker = findTaker(layers.layers(), key);
    if (taker === undefined) return;
    if ('text' in taker) taker.onText(taker.text);
    else if (taker.off === undefined) taker.run(key);
    else explain(taker.off);
  };

  /** Gives the keys that are left. */
  const pressFirst = (keys: readonly KeyName[]): readonly KeyName[] => {
    const [first = '', ...rest] = keys;
    const active = layers.layers();
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
    const takeLineEnd = rest.length > 0 ? findLineEnd(active, key) : undefined;
    if (takeLineEnd === undefined) press(key);
    else takeLineEnd();
    return rest;
  };

  return {
    ...layers,
    send: (stroke: Stroke): void => void queue.push(stroke),
    /**
     * Presses the first of the keys that were sent, or all at its start that came at once and type text into one place;
     * gives whether there was one.
     */
    pressNext: (): boolean => {
      const isLeaving = (stroke: Stroke): boolean =>
        'keys' in stroke && leadingKeys.has(stroke.keys[0] ?? '');
      const index = holds > 0 ? queue.findIndex(isLeaving) : 0;
      // A user who leaves before the load has ended wanted nothing of what was typed before.
      const stroke = index === -1 ? undefined : queue.splice(0, index + 1).at(-1);
      if (stroke === undefined) return false;
      if ('text' in stroke) {
        const taker = layers.layers().find(({ onText }) => onText);
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
    /** Has a function show why a key does nothing. */
    explainBy: (show: (reason: string) => void): void => {
      explain = show;
    },
  };
}

/** What takes the end of a line in keys that came at once. */
function findLineEnd(active: readonly ActiveLayer[], key: string): (() => void) | undefined {
  if (key !== 'enter') return undefined;
  return active.find(({ onLineEnd }) => onLineEnd)?.onLineEnd;
}

function createLayers() {
  const added: ActiveLayer[] = [];
  const watchers = new Set<() => void>();
  let sorted: readonly ActiveLayer[] | undefined;
  const changed = (): void => {
    sorted = undefined;
    for (const watcher of watchers) watcher();
  };
  return {
    add: (layer: ActiveLayer) => {
      added.push(layer);
      changed();
      return () => {
        added.splice(added.indexOf(layer), 1);
        changed();
      };
    },
    changed,
    /** The layers in the order in which they get a key; the same array until something changes. */
    layers: (): readonly ActiveLayer[] => {
      sorted ??= added.toSorted((one, other) => other.depth - one.depth);
      return sorted;
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

interface TypedText {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The first layer's binding of a key, or the place that takes it as text. */
function findTaker(
  layers: readonly ActiveLayer[],
  key: KeyName,
): KeyBinding | TypedText | undefined {
  const text = toTypedText(key);
  for (const { bindings, onText } of layers) {
    const binding = findBinding(bindings, key);
    if (binding !== undefined) return binding;
    if (onText && text !== undefined) return { text, onText };
  }
  return undefined;
}

/** The keys at the start that type text into one place. */
function toTypedRun(layers: readonly ActiveLayer[], keys: readonly KeyName[]) {
  const run: TypedText[] = [];
  for (const key of keys) {
    const taker = findTaker(layers, key);
    if (taker === undefined || !('text' in taker)) break;
    if (run[0] !== undefined && run[0].onText !== taker.onText) break;
    run.push(taker);
  }
  return run;
}
