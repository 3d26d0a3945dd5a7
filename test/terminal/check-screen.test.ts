import { afterEach, expect, it } from 'vitest';
import { openFixture, openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { windowSizes } from '../helpers/window-sizes.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const text = (handler: string): string =>
  `import { capability } from 'capix';\nexport const items = { archive: capability(${handler}) };\n`;

const server = `import { createServer, restTransport } from 'capix';
import * as capabilities from './capabilities.js';

createServer({ capabilities, transports: [restTransport()] }).start();
`;

it.each(windowSizes)(
  'explains each problem in %i x %i, live, and leaves with exit code 1',
  async (columns, rows) => {
    const { root } = await openFixture('flawed');
    terminal = openTerminal(['check'], { cwd: root, columns, rows });
    await terminal.waitFor(/❯ ✗ .*The override of users\.getURL/);
    terminal.type('jj\t');
    await terminal.waitFor(/· ✗ .*users\.listUsers/);
    terminal.type('G');
    await terminal.waitFor('src/capabilities.ts:10');
    terminal.type('q');
    expect(await terminal.ended).toMatchObject({ exitCode: 1 });
  },
);

it.each([
  ['the colours of the terminal', {}, '\u001B[91m✗ ', '\u001B[33m▲ '],
  ['signs alone', { NO_COLOR: '1' }, '✗ ', '▲ '],
])('tells errors from warnings by %s', async (_, env, error, warning) => {
  const { root } = await openFixture('flawed');
  terminal = openTerminal(['check'], { cwd: root, env });
  await terminal.waitFor(/✗ [^]*▲ /);
  expect(terminal.output()).toContain(error);
  expect(terminal.output()).toContain(warning);
});

it.each([
  ['warnings', ['check'], '(input) => input', 0],
  ['warnings where they count', ['check', '--strict'], '(input) => input', 1],
  ['a project that does not load', ['check'], '() => {{', 1],
])('leaves with the exit code of the command: %s', async (_, words, handler, exitCode) => {
  const { root } = await openProject({ 'src/capabilities.ts': text(handler) });
  terminal = openTerminal(words, { cwd: root });
  await terminal.waitFor(/missing-schema|src\/capabilities\.ts:2/);
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode });
});

it('is empty as soon as the problems are accepted or mended, in the header of every screen, too, and then leaves with 0', async () => {
  const project = await openProject({ 'src/capabilities.ts': text('(input) => input') });
  terminal = openTerminal(['check', '--strict'], { cwd: project.root, env: { PORT: '0' } });
  await terminal.waitFor('missing-schema');
  expect(await terminal.waitFor('▲ 1 problem')).toContain('missing-schema');
  const accepted = text('(input) => input').replace(
    '\n',
    '\n// capix-ignore missing-schema: as it comes\n',
  );
  await project.write('src/capabilities.ts', accepted);
  await terminal.waitFor('No problems in 1 capability');
  await terminal.waitFor((screen) => !screen.includes('1 problem'));
  await project.write('src/server.ts', server);
  await project.write('src/capabilities.ts', text('(input) => input'));
  await terminal.waitFor('▲ 1 problem');
  terminal.type('\u0010openapi\r');
  await terminal.waitFor(/ openapi .*▲ 1 problem/);
  terminal.type('\u0010dev\r');
  await terminal.waitFor(/ dev .*▲ 1 problem/);
  terminal.type('\u001B');
  await terminal.waitFor(/ openapi .*▲ 1 problem/);
  terminal.type('\u001B');
  await terminal.waitFor(/ check .*▲ 1 problem/);
  await project.write('src/capabilities.ts', text('() => 1'));
  await terminal.waitFor(/No problems in 1 capability/);
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
});
