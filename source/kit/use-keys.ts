import { createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { KeyBinding, KeyName } from './key-binding.ts';
import { type ActiveLayer, createKeyStack, type KeyStack, keyPriority } from './key-stack.ts';

export const KeyContext = createContext<KeyStack>(createKeyStack());

export interface UseKeysOptions<Action extends string> {
  readonly title: string;
  /** A constant: another array is another key line. */
  readonly bindings: readonly KeyBinding<Action>[];
  readonly onAction: (action: Action, key: KeyName) => void;
  readonly onText?: ((text: string) => void) | undefined;
  readonly priority?: number;
  readonly isModal?: boolean;
  readonly isMovement?: boolean;
  readonly isActive?: boolean;
}

/** Takes the keys of a table for as long as the component is drawn and active. */
export function useKeys<Action extends string>(options: UseKeysOptions<Action>): void {
  const {
    priority = keyPriority.screen,
    isModal = false,
    isActive = true,
    bindings,
    onAction,
  } = options;
  const stack = useContext(KeyContext);
  const layer = { ...options, priority, isModal, onAction: onAction as ActiveLayer['onAction'] };
  const latest = useRef<ActiveLayer>(layer);
  useLayoutEffect(() => {
    latest.current = layer;
  });
  // In the layout phase, so that the key after the one that opened a pane already goes to it.
  useLayoutEffect(
    () => (isActive ? stack.add(latest) : undefined),
    [stack, isActive, priority, isModal],
  );
  useLayoutEffect(() => {
    if (isActive) stack.changed();
  }, [stack, isActive, bindings]);
}

/** The layers that take keys now, for the key line and the help. */
export function useKeyLayers(): readonly ActiveLayer[] {
  const stack = useContext(KeyContext);
  return useSyncExternalStore(stack.watch, stack.layers);
}

/** Has keys wait for what comes in place of the component. Where it `hasFailed`, they are lost. */
export function useHeldKeys({ hasFailed }: { readonly hasFailed: boolean }): void {
  const stack = useContext(KeyContext);
  useLayoutEffect(() => (hasFailed ? stack.drop() : stack.hold()), [stack, hasFailed]);
}
