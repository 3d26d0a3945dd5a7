import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';

/** No build succeeds with it. */
const withoutEsbuild = { env: { ESBUILD_BINARY_PATH: '/bin/false' } };
const toFile = (path: string) => `
  import { capability } from 'capix';
  import { z } from 'zod';
  export const getItem = capability(z.object({ id: z.string() }), ({ id }) => id).describe('${path}');
`;

it('commands that load a project once compile it once, until it changes', async () => {
  const { root, capix, write } = await openProject({
    'src/capabilities.ts': `import * as items from './items.js';\nexport const capabilities = { items };\n`,
    'src/items.ts': toFile('Reads an item.'),
    'node_modules/.package-lock.json': '{}',
  });
  const programs = join(root, 'node_modules/.cache/capix/programs');
  // Files that were saved less than two seconds ago may be saved again while they are compiled.
  await expect
    .poll(() => capix(['list']).then(() => readdir(programs).catch(() => [])), { timeout: 60_000, interval: 0 })
    .toHaveLength(1);
  for (const words of [['list', '--json'], ['show', 'items.getItem', '--json'], ['check'], ['openapi']]) {
    const kept = await capix(words, withoutEsbuild);
    expect({ words, ...kept }).toMatchObject({ exitCode: 0, stderr: '' });
    await rename(programs, `${programs}-aside`);
    expect(await capix(words)).toEqual(kept);
    await rm(programs, { recursive: true, force: true });
    await rename(`${programs}-aside`, programs);
  }
  await write('src/items.ts', toFile('Finds an item.'));
  expect(await capix(['openapi'], withoutEsbuild)).toMatchObject({ exitCode: 1, stdout: '' });
  expect((await capix(['openapi'])).stdout).toContain('Finds an item');
});
