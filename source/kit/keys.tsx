import {
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { type KeyHandlers, toBindings } from './actions.ts';
import type { KeyBinding, KeyLayer } from './key-binding.ts';
import { type ActiveLayer, createKeyStack, type KeyStack } from './key-stack.ts';

export const KeyContext = createContext<KeyStack>(createKeyStack());

const PlaceContext = createContext({ depth: 0, isReached: true });

export interface KeysProps extends Pick<KeyLayer, 'isMovement'> {
  readonly actions?: KeyHandlers | undefined;
  readonly onText?: ((text: string) => void) | undefined;
  readonly onLineEnd?: (() => void) | undefined;
  /** Whether letters are text here. @default false */
  readonly isForm?: boolean;
  readonly isActive?: boolean;
  /** Whether it takes its keys before all that is inside, in place of after. @default false */
  readonly isFirst?: boolean;
  /** What is inside gets a key first. */
  readonly children?: ReactNode;
}

/** Takes the keys of its actions for as long as it is drawn and active, after all that is inside of it. */
export function Keys(props: KeysProps) {
  const {
    actions = {},
    isMovement,
    isForm = false,
    isActive = true,
    isFirst = false,
    children,
  } = props;
  const stack = useContext(KeyContext);
  const { depth, isReached } = useContext(PlaceContext);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const takesText = props.onText !== undefined;
  const takesLineEnd = props.onLineEnd !== undefined;
  // Handlers are others with each draw; the layer is another one where its help would be.
  const table = JSON.stringify(toBindings(actions, isForm));
  const layer = useMemo((): ActiveLayer => {
    const bindings = (JSON.parse(table) as Omit<KeyBinding, 'run'>[]).map((binding) => ({
      ...binding,
      run: (key: string) => {
        const handler = latest.current.actions?.[binding.action as keyof KeyHandlers];
        if (typeof handler === 'function') handler(key);
        else handler?.run(key);
      },
    }));
    return {
      depth: isFirst ? Number.POSITIVE_INFINITY : depth,
      bindings,
      isMovement,
      onText: takesText ? (text) => latest.current.onText?.(text) : undefined,
      onLineEnd: takesLineEnd ? () => latest.current.onLineEnd?.() : undefined,
    };
  }, [table, depth, isFirst, isMovement, takesText, takesLineEnd]);
  // In the layout phase, so that the key after the one that opened a pane already goes to it.
  useLayoutEffect(
    () => (isActive && isReached ? stack.add(layer) : undefined),
    [stack, layer, isActive, isReached],
  );
  const place = useMemo(() => ({ depth: depth + 1, isReached }), [depth, isReached]);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** What is inside gets no keys while something stands before it. */
export function Reachable({
  isReached,
  children,
}: {
  readonly isReached: boolean;
  readonly children: ReactNode;
}) {
  const outer = useContext(PlaceContext);
  const isAll = outer.isReached && isReached;
  const place = useMemo(() => ({ ...outer, isReached: isAll }), [outer, isAll]);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** The layers that take keys now, for the key line and the help. */
export function useKeyLayers(): readonly ActiveLayer[] {
  const stack = useContext(KeyContext);
  return useSyncExternalStore(stack.watch, stack.layers);
}

/** Has a function show why a key does nothing. */
export function useKeyReasons(show: (reason: string) => void): void {
  const stack = useContext(KeyContext);
  useLayoutEffect(() => stack.explainBy(show), [stack, show]);
}

/** Has keys wait for what comes in place of the component. Where it `hasFailed`, they are lost. */
export function useHeldKeys({ hasFailed }: { readonly hasFailed: boolean }): void {
  const stack = useContext(KeyContext);
  useLayoutEffect(() => (hasFailed ? stack.drop() : stack.hold()), [stack, hasFailed]);
}
