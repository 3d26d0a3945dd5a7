import { useInput, usePaste } from 'ink';
import {
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { stripControl } from '../terminal/strip-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toKeyNames } from './key-binding.ts';
import { createKeyStack, type KeyStack, type Stroke } from './key-stack.ts';
import { KeyContext } from './keys.tsx';
import { UiContext } from './use-ui.ts';

export interface UiRootProps {
  readonly terminal: Terminal;
  readonly children: ReactNode;
}

/**
 * Around everything that a screen draws: gives the keys to the components that listen for them. A root inside another
 * one has no effect.
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

/** Keys that arrive together wait until what the ones before opened is drawn, and while the stack holds them. */
function Keyboard({ stack }: { readonly stack: KeyStack }) {
  const isDrawing = useRef(false);
  const [pressed, setPressed] = useState(0);
  const pressNext = useCallback(() => {
    isDrawing.current = stack.pressNext();
    // Drawn together with what the key has changed.
    if (isDrawing.current) setPressed((count) => count + 1);
  }, [stack]);
  useLayoutEffect(() => {
    const next = setImmediate(pressNext);
    return () => clearImmediate(next);
  }, [pressed, pressNext]);
  // Keys that were held may go on.
  useLayoutEffect(() => stack.watch(() => setPressed((count) => count + 1)), [stack]);
  const send = (stroke: Stroke): void => {
    stack.send(stroke);
    if (!isDrawing.current) pressNext();
  };
  useInput((input, key) => send({ keys: toKeyNames(input, key) }));
  usePaste((text) => send({ text: stripControl(text) }));
  return null;
}
