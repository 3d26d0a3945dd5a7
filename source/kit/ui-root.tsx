import { useInput, usePaste } from 'ink';
import { type ReactNode, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type KeyName, toKeyNames } from './key-binding.ts';
import { createKeyStack, type KeyStack } from './key-stack.ts';
import { KeyContext } from './use-keys.ts';
import { UiContext } from './use-ui.ts';

export interface UiRootProps {
  readonly terminal: Terminal;
  readonly children: ReactNode;
}

/**
 * Around everything that a screen draws: gives the keys to those who asked for them. A root inside another one has no
 * effect.
 */
export function UiRoot(props: UiRootProps) {
  const outer = useContext(UiContext);
  return outer ? props.children : <OutermostRoot {...props} />;
}

function OutermostRoot({ terminal, children }: UiRootProps) {
  const ui = useMemo(() => ({ terminal }), [terminal]);
  const stack = useMemo(() => createKeyStack(), []);
  return (
    <UiContext value={ui}>
      <KeyContext value={stack}>
        <Keyboard stack={stack} />
        {children}
      </KeyContext>
    </UiContext>
  );
}

function Keyboard({ stack }: { readonly stack: KeyStack }) {
  const send = useKeyQueue(stack);
  useInput((input, key) => {
    send([{ keys: toKeyNames(input, key) }]);
  });
  usePaste((text) => send([{ text }]));
  return null;
}

/** Keys that came at once, or a text that was pasted. */
type Stroke = { readonly keys: readonly KeyName[] } | { readonly text: string };

/** Keys that arrive together wait until what the ones before opened is drawn, and while the stack holds them. */
function useKeyQueue(stack: KeyStack): (strokes: readonly Stroke[]) => void {
  const queue = useRef<Stroke[]>([]);
  const isDrawing = useRef(false);
  const [pressed, setPressed] = useState(0);
  const pressNext = useCallback(() => {
    const isLeading = (stroke: Stroke): boolean => 'keys' in stroke && leadingKeys.has(stroke.keys[0] ?? '');
    const index = stack.isHeld() ? queue.current.findIndex(isLeading) : 0;
    // Who leaves before the load has ended wanted nothing of what comes.
    const stroke = index === -1 ? undefined : queue.current.splice(0, index + 1).at(-1);
    isDrawing.current = stroke !== undefined;
    if (stroke === undefined) return;
    if ('keys' in stroke) {
      const keys = stack.pressFirst(stroke.keys);
      if (keys.length > 0) queue.current.unshift({ keys });
    } else stack.paste(stripControl(stroke.text));
    // Drawn together with what the key has changed.
    setPressed((count) => count + 1);
  }, [stack]);
  useLayoutEffect(() => {
    const next = setImmediate(pressNext);
    return () => clearImmediate(next);
  }, [pressed, pressNext]);
  useLayoutEffect(
    () =>
      stack.onRelease((isKept) => {
        if (!isKept) queue.current = [];
        setPressed((count) => count + 1);
      }),
    [stack],
  );
  return (strokes) => {
    queue.current.push(...strokes);
    if (!isDrawing.current) pressNext();
  };
}

/** The keys that lead out of a load that does not end. */
const leadingKeys: ReadonlySet<KeyName> = new Set(['esc', 'ctrl+p']);
