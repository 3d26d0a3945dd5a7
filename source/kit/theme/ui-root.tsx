import { useInput, usePaste } from 'ink';
import { type ReactNode, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { stripControl } from '../../terminal/control/strip-control.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type KeyName, toKeyNames } from '../keys/key-name.ts';
import { createKeyStack, type KeyStack } from '../keys/key-stack.ts';
import { KeyContext } from '../keys/use-keys.ts';
import { toUi, UiContext } from './use-ui.ts';

export interface UiRootProps {
  readonly terminal: Terminal;
  readonly children: ReactNode;
}

/** Around everything that a screen draws: gives the keys to those who asked for them, and the signs that the terminal can draw. One inside another is none. */
export function UiRoot({ terminal, children }: UiRootProps) {
  const outer = useContext(UiContext);
  return outer ? children : <OutermostRoot terminal={terminal}>{children}</OutermostRoot>;
}

function OutermostRoot({ terminal, children }: UiRootProps) {
  const ui = useMemo(() => toUi(terminal), [terminal]);
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
  const press = useKeyQueue(stack);
  useInput((input, key) => press(toKeyNames(input, key)));
  usePaste((text) => stack.paste(stripControl(text)));
  return null;
}

/** Fast keys arrive together; each is pressed when what the one before it opened is drawn. */
function useKeyQueue(stack: KeyStack): (keys: readonly KeyName[]) => void {
  const queue = useRef<KeyName[]>([]);
  const isDrawing = useRef(false);
  const [pressed, setPressed] = useState(0);
  const pressNext = useCallback(() => {
    const key = queue.current.shift();
    isDrawing.current = key !== undefined;
    if (key === undefined) return;
    stack.press(key);
    // Drawn together with what the key has changed.
    setPressed((count) => count + 1);
  }, [stack]);
  useLayoutEffect(() => {
    const next = setImmediate(pressNext);
    return () => clearImmediate(next);
  }, [pressed, pressNext]);
  return (keys) => {
    queue.current.push(...keys);
    if (!isDrawing.current) pressNext();
  };
}
