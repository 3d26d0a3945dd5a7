import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSortedJson, toSortedText } from '../document/schema-json.ts';
import { editDocument, valueKeywords } from '../document/to-published.ts';

export const LOCK_FILE = 'capix.lock.json';

/** A document of the tool as the text of a lock file, sorted, so that the same contract is the same text. */
export function toLockText(document: object): string {
  return `${JSON.stringify(toSorted({ ...document, 'x-generator': 'capix lock' }), undefined, 2)}\n`;
}

/** Whether the lock file of a project is what `toLockText` makes of it now; text for people does not count. */
export function findLockState(root: string, document: object): 'fresh' | 'stale' | 'missing' {
  const file = join(root, LOCK_FILE);
  if (!existsSync(file)) return 'missing';
  try {
    const locked = toContractText(readFileSync(file, 'utf8'));
    return locked === toContractText(toLockText(document)) ? 'fresh' : 'stale';
  } catch {
    return 'stale';
  }
}

function toContractText(text: string): string {
  const document: unknown = JSON.parse(text);
  return JSON.stringify(
    toSorted(
      editDocument(document, (entries, isMap) =>
        entries.filter(([name]) => isMap || !prose.has(name)),
      ),
    ),
  );
}

/** Texts that people read, and places in files. */
const prose: ReadonlySet<string> = new Set(
  'description example examples externalDocs info servers source summary title'.split(' '),
);

/** Lists whose order means nothing. */
const unordered: ReadonlySet<string> = new Set(['enum', 'parameters', 'required', 'tags']);

function toSorted(document: unknown): unknown {
  return editDocument(document, (entries, isMap) =>
    entries
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => {
        if (isMap) return [name, inner];
        const sorted = valueKeywords.has(name) ? toSortedJson(inner) : inner;
        if (!Array.isArray(sorted) || !unordered.has(name)) return [name, sorted];
        return [name, sorted.toSorted((a, b) => (toSortedText(a) < toSortedText(b) ? -1 : 1))];
      }),
  );
}
