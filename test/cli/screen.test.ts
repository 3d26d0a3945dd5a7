import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';
import { buildApp } from './build-app.ts';

let app: Awaited<ReturnType<typeof buildApp>>;
let terminal: OpenTerminal;
beforeAll(async () => {
  app = await buildApp();
});
afterEach(() => terminal.close());
afterAll(() => app.remove());

async function look(options: TerminalOptions = {}, ...words: readonly string[]): Promise<void> {
  terminal = openTerminal(['look', ...words], { ...options, entry: app.entry });
  await terminal.waitFor(/A screen of its own|"ok": true/);
}

it('fills the alternate screen, and leaves only its message and its exit code', async () => {
  await look();
  expect(terminal.isAlternate()).toBe(true);
  terminal.type('q');
  expect(await terminal.ended).toMatchObject({ exitCode: 3 });
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toBe('See you\nclosed');
});

it('ends with 130 on Ctrl-C, after the tasks of the screen', async () => {
  await look();
  terminal.type('\u0003');
  expect(await terminal.ended).toMatchObject({ exitCode: 130 });
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toBe('closed');
});

it.each([
  ['an error that it ends with', 'e', 'error: It went away.', 2],
  ['an error in the view', 'b', 'error: The view broke', 1],
  ['an error in a timer', 't', 'error: The timer broke', 1],
  ['a promise that nobody awaits', 'p', 'error: The promise broke', 1],
])('puts the terminal back and reports %s', async (_, key, message, exitCode) => {
  await look();
  terminal.type(key);
  expect(await terminal.ended).toMatchObject({ exitCode });
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.screen()).toContain(message);
});

it('puts the terminal back when it is terminated', async () => {
  await look();
  terminal.kill('SIGTERM');
  await terminal.ended;
  expect(terminal.isAlternate()).toBe(false);
});

it.each([
  ['--json', {}, ['--json']],
  ['--plain', {}, ['--plain']],
  ['continuous integration', { CI: 'true' }, []],
  ['a dumb terminal', { TERM: 'dumb' }, []],
])('prints text without escape sequences with %s', async (_, env, words) => {
  await look({ env }, ...words);
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(terminal.output()).not.toContain('\u001B');
});

it('draws in colour', async () => {
  await look();
  expect(terminal.output()).toContain('\u001B[31m');
});

it('draws without colour where NO_COLOR is set', async () => {
  await look({ env: { NO_COLOR: '1' } });
  expect(terminal.output()).not.toContain('\u001B[31m');
});
