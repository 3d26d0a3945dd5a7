import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

it('reads the document while the project changes, and writes it', async () => {
  const project = await openFixture('shop');
  terminal = openTerminal(['openapi', '--title', 'Shop'], { cwd: project.root });
  await terminal.waitFor('info: Shop 0.1.0');
  await terminal.waitFor(/POST +\/carts\/checkout/);

  const file = 'src/capabilities/carts/index.ts';
  const text = await readFile(join(project.root, file), 'utf8');
  await project.write(file, text.replaceAll('checkout', 'settleCart'));
  await terminal.waitFor(/POST +\/carts\/settle-cart/);

  terminal.type('w');
  await terminal.waitFor('Write to openapi.json');
  terminal.type('\r');
  await terminal.waitFor('Wrote openapi.json');
  const written = JSON.parse(await readFile(join(project.root, 'openapi.json'), 'utf8')) as {
    readonly info: unknown;
    readonly paths: Readonly<Record<string, unknown>>;
  };
  expect(written.info).toEqual({ title: 'Shop', version: '0.1.0' });
  expect(Object.keys(written.paths)).toContain('/carts/settle-cart');

  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(terminal.isAlternate()).toBe(false);
});

it('reads the document of a large project, finds what is selected in it, and opens no more than can be drawn', async () => {
  const toCapabilities = (summary: string) => `import { capability } from 'capix';
import * as z from 'zod';
const names = Array.from({ length: 700 }, (_, index) => 'check' + index + 'x');
const input = z.object({ at: z.string() });
export const capabilities = { things: Object.fromEntries(names.map((name) => [name, capability(input, () => null).describe('${summary}')])) };
`;
  const project = await openProject({ 'src/capabilities.ts': toCapabilities('Looks once') });
  terminal = openTerminal(['openapi'], { cwd: project.root, columns: 120, rows: 40 });
  await terminal.waitFor('paths: {700}');
  terminal.type('/check699x\r');
  await terminal.waitFor(/ 1 found[^]*\n/);
  terminal.type('js');
  await terminal.waitFor('show ▸ things.check699x');
  terminal.type('\u001B');
  await terminal.waitFor(/❯ +▸ POST +\/things\/check699x/);
  terminal.type('+');
  await terminal.waitFor('operationId: "things_check699x"');
  await project.write('src/capabilities.ts', toCapabilities('Looks twice'));
  await terminal.waitFor('summary: "Looks twice"');
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
});

it('writes at once to a file that the command line names, also in a terminal', async () => {
  const project = await openFixture('shop');
  terminal = openTerminal(['openapi', '--output', 'api.json'], { cwd: project.root });
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toContain('Wrote api.json');
  expect(JSON.parse(await readFile(join(project.root, 'api.json'), 'utf8'))).toHaveProperty(
    'openapi',
    '3.1.0',
  );
});
