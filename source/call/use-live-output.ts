import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PrintedLine } from './run/call-session.ts';
import type { Session } from './use-session.ts';

/** Messages and output of a running call, as they come. */
export interface LiveOutput {
  /** The items of a stream, the last ones. */
  readonly items: readonly unknown[];
  /** All items that came. */
  readonly itemCount: number;
  /** The messages of `ctx.progress` and `ctx.log`. */
  readonly messages: readonly string[];
  /** The lines that the code in this process has printed. */
  readonly printed: readonly PrintedLine[];
}

/** The items, messages and lines that are kept, the last ones. */
const MAX_KEPT = 5000;
/** Items that come without a pause are drawn together, milliseconds. */
const DRAW_MS = 50;

const nothing: LiveOutput = { items: [], itemCount: 0, messages: [], printed: [] };

export function useLiveOutput(session: Session) {
  const [output, setOutput] = useState(nothing);
  const latest = useRef(nothing);
  const timer = useRef<NodeJS.Timeout>(undefined);
  const draw = (): void => {
    timer.current = undefined;
    setOutput(latest.current);
  };
  const change = (next: Partial<LiveOutput>): void => {
    latest.current = { ...latest.current, ...next };
    timer.current ??= setTimeout(draw, DRAW_MS);
  };
  const print = useEffectEvent((lines: readonly PrintedLine[]) =>
    change({ printed: keepLast([...latest.current.printed, ...lines]) }),
  );
  useEffect(() => session.watchOutput((lines) => print(lines)), [session]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    output,
    addItem: (item: unknown): void => {
      const { items, itemCount } = latest.current;
      change({ items: keepLast([...items, item]), itemCount: itemCount + 1 });
    },
    addMessage: (text: string): void => change({ messages: keepLast([...latest.current.messages, text]) }),
    clear: (): void => {
      latest.current = nothing;
      setOutput(nothing);
    },
  };
}

function keepLast<T>(all: readonly T[]): readonly T[] {
  return all.length > MAX_KEPT ? all.slice(-MAX_KEPT) : all;
}
