import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ManifestSource } from './manifest.ts';

/**
 * Gives a reader of the name that a capability was declared with: `authCap` of `export const getMe = authCap(handler)`, read from the source
 * at the place of the declaration. Each file is read once. The reader gives undefined where the place is not a call by name.
 */
export function createFactoryNameReader(root: string): (source: ManifestSource | undefined) => string | undefined {
  const linesOf = new Map<string, readonly string[]>();
  return (source) => {
    if (source === undefined) return undefined;
    const lines = linesOf.get(source.file) ?? readLines(resolve(root, source.file));
    linesOf.set(source.file, lines);
    const line = lines[source.line - 1] ?? '';
    const start = source.column - 1;
    // Some engines point at the name, some at its last part in `factories.authCap(…)`.
    return /^[\w$.]*?([\w$]+)\s*[(<]/.exec(line.slice(start))?.[1];
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r\n|\n/);
  } catch {
    return [];
  }
}
