import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Row } from '../kit/row.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useProject } from './use-screen.ts';

/** The time for which a change stays marked, milliseconds. */
const MARKED_MS = 2500;

const none: ReadonlySet<string> = new Set();

/** The keys that the last load brought or changed, until they have been seen for a moment. */
export function useMarks({ changedKeys }: Pick<ProjectState, 'changedKeys'>): ReadonlySet<string> {
  const keys = useMemo(
    () => (changedKeys.length === 0 ? undefined : new Set(changedKeys)),
    [changedKeys],
  );
  return useForMoment(keys, MARKED_MS) ?? none;
}

/** The ids of the rows whose text the last load of the project brought or changed, for a moment. */
export function useMarkedRows<R extends Row>(
  rows: readonly R[],
  toText: (row: R) => string,
): ReadonlySet<string> {
  const { manifest: version } = useProject().project;
  const all = useMemo(() => toAllRows(rows), [rows]);
  const [seen, setSeen] = useState(() => ({
    version,
    texts: new Set(all.map(toText)),
    marked: none,
  }));
  if (version !== seen.version) {
    const isNew = (row: R): boolean => seen.version !== undefined && !seen.texts.has(toText(row));
    const marked = new Set(all.filter(isNew).map(({ id }) => id));
    setSeen({ version, texts: new Set(all.map(toText)), marked });
  }
  return useForMoment(seen.marked, MARKED_MS) ?? none;
}

function toAllRows<R extends Row>(rows: readonly R[]): readonly R[] {
  return rows.flatMap((row) => [row, ...toAllRows((row.children ?? []) as readonly R[])]);
}

/** The time for which a notice is shown, milliseconds. */
const SHOWN_MS = 3000;

/** A text that goes away by itself. */
export function useNotice(): readonly [string | undefined, (text: string) => void] {
  const [notice, setNotice] = useState<{ readonly text: string }>();
  return [
    useForMoment(notice, SHOWN_MS)?.text,
    useCallback((text: string) => setNotice({ text }), []),
  ];
}

/** A value until it was there for some time; each new object is another one. */
export function useForMoment<T extends object>(value: T | undefined, ms: number): T | undefined {
  const [expired, setExpired] = useState<T>();
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = setTimeout(() => setExpired(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value === expired ? undefined : value;
}
