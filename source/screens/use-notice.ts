import { useCallback, useEffect, useState } from 'react';

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
