import { findAction, type KeyLayer } from './key-binding.ts';
import { type KeyName, toTypedText } from './key-name.ts';

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
  readonly paste: (text: string) => void;
  /** The layers from the first asked to the last; the same array until something changes. */
  readonly layers: () => readonly ActiveLayer[];
  readonly watch: (onChange: () => void) => () => void;
  /** Has keys wait for what comes, but those that lead out, until the returned function is called. `isKept`: whether they are pressed then. */
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
  const waiting = new Set<(isKept: boolean) => void>();
  let holds = 0;
  let asked: readonly ActiveLayer[] | undefined;

  const changed = (): void => {
    asked = undefined;
    for (const watcher of watchers) watcher();
  };
  const current = (): readonly ActiveLayer[] =>
    untilModal(added.map((layer) => layer.current).sort((a, b) => b.priority - a.priority));

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
    press: (key) => {
      for (const { bindings, onAction, onText } of current()) {
        const action = findAction(bindings, key);
        if (action !== undefined) return onAction(action, key);
        const text = toTypedText(key);
        if (onText && text !== undefined) return onText(text);
      }
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

function untilModal(layers: readonly ActiveLayer[]): readonly ActiveLayer[] {
  const modal = layers.findIndex(({ isModal }) => isModal);
  return modal === -1 ? layers : layers.slice(0, modal + 1);
}
