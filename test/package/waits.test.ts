import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** The files of the built library that are loaded from one on, at once or later. */
function findLoaded(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;
  for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(imports))
    findLoaded(join(dirname(file), to), found);
  return found;
}

it('only tests and the tool load what listens to the clients of databases', () => {
  const loadsWaits = (entry: string): boolean =>
    [...findLoaded(join(packageRoot, 'dist/server-runtime', entry))].some((file) =>
      readFileSync(file, 'utf8').includes('mysql2:query'),
    );
  expect(loadsWaits('testing/test-server.js')).toBe(true);
  expect(
    ['index.js', 'queue/index.js', 'graphql/index.js', 'mcp/index.js'].filter(loadsWaits),
  ).toEqual([]);
});
