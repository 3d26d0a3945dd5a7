import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ProjectState } from '../load/project-state.ts';
import { useScreen } from './use-screen.ts';

/** The time for which a change stays marked, milliseconds. */
const MARKED_MS = 2500;

const none: ReadonlySet<string> = new Set();

/** The keys that the last load brought or changed, until they have been seen for a moment. */
export function useMarks({
  changedKeys,
  loadedAt,
}: Pick<ProjectState, 'changedKeys' | 'loadedAt'>): ReadonlySet<string> {
  const [settledAt, setSettledAt] = useState<number>();
  useEffect(() => {
    if (changedKeys.length === 0) return undefined;
    const timer = setTimeout(() => setSettledAt(loadedAt), MARKED_MS);
    return () => clearTimeout(timer);
  }, [changedKeys, loadedAt]);
  const isSettled = changedKeys.length === 0 || settledAt === loadedAt;
  return useMemo(() => (isSettled ? none : new Set(changedKeys)), [isSettled, changedKeys]);
}

/**
 * Marks what the last load of the project brought or changed among the items of a screen, for a moment, as `toText`
 * says it: of items whose line comes from the project alone, their line; of others, their key.
 */
export function useMarkedItems<Item>(items: readonly Item[], toText: (item: Item) => string): ReadonlySet<string> {
  const { manifest: version } = useScreen().project;
  const [seen, setSeen] = useState(() => ({ version, texts: new Set(items.map(toText)), marked: none }));
  if (version !== seen.version) {
    const texts = items.map(toText);
    const changed = seen.version === undefined ? none : new Set(texts.filter((text) => !seen.texts.has(text)));
    setSeen({ version, texts: new Set(texts), marked: changed });
  }
  const { marked } = seen;
  useEffect(() => {
    if (marked.size === 0) return undefined;
    const timer = setTimeout(() => setSeen((state) => ({ ...state, marked: none })), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);
  return marked;
}

/** The time for which a notice is shown, milliseconds. */
const SHOWN_MS = 3000;

/** A text that goes away by itself. */
export function useNotice(): readonly [string | undefined, (text: string) => void] {
  const [notice, setNotice] = useState<{ readonly text: string }>();
  useEffect(() => {
    if (notice === undefined) return undefined;
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice?.text, useCallback((text: string) => setNotice({ text }), [])];
}
