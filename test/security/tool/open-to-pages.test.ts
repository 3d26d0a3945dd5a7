// Boundary: pages of other sites. Promise: check says once that every page may read, where the code says nothing of it.
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';

const code = (options: string) => `
import { capability } from 'capix';
export const items = { listItems: capability(() => [], 'query') };
export const restOptions = ${options};
`;

test('check notes shared options without cors, and fails for none', async () => {
  const { capix, write } = await openProject({
    'src/capabilities.ts': code("{ urlCase: 'snake' }"),
  });
  const open = await capix(['check', '--strict']);
  expect(open.exitCode).toBe(0);
  expect(open.stderr.match(/every site may read/g)).toHaveLength(1);
  for (const cors of ["{ origin: '*' }", "{ origin: 'https://shop.test' }", 'false']) {
    await write('src/capabilities.ts', code(`{ cors: ${cors} }`));
    expect((await capix(['check', '--strict'])).stderr).toBe('');
  }
});
