// Boundary: pages of other sites. Promise: check says which changes a link can ask for.
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';

test('check has an error for a change at a stated route of GET, and none for a query', async () => {
  const { capix } = await openProject({
    'src/capabilities.ts': `
import { capability } from 'capix';
const change = capability(() => 1, 'mutation');
export const capabilities = {
  items: {
    wipe: change.route('GET', '/wipe'),
    purge: change,
    both: change.route('POST', '/both').route('GET', '/both'),
    callback: capability(() => 1, 'query').route('GET', '/callback'),
    start: change.route('POST', '/start'),
  },
};
export const restOptions = { overrides: { 'items.purge': { method: 'GET', path: '/purge' } } };
`,
  });
  const { stdout, exitCode } = await capix(['check', '--json']);
  const { data } = JSON.parse(stdout) as { data: { problems: { code: string; keys: string[] }[] } };
  const found = data.problems.filter(({ code }) => code === 'change-by-get');
  expect(found.flatMap(({ keys }) => keys)).toEqual(['items.wipe', 'items.purge', 'items.both']);
  expect(exitCode).toBe(1);
});
