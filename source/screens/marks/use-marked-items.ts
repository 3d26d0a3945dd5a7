import { useEffect, useState } from 'react';
import { useScreen } from '../use-screen.ts';
import { MARKED_MS } from './use-marks.ts';

const none: ReadonlySet<string> = new Set();

/**
 * Marks what the last load of the project brought or changed among the items of a screen, for a moment, as `toText` says it: of items whose line
 * comes from the project alone, their line; of others, their key.
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
