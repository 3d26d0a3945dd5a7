import { expect, test } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { cliEntry } from '../helpers/run-capix.ts';

/** A project whose capabilities file imports `src/stuck.ts`. */
function open(stuck: readonly string[]) {
  return openProject({
    'src/stuck.ts': stuck.join('\n'),
    'src/capabilities.ts': [
      "import './stuck.js';",
      "import { capability } from 'capix';",
      'export const items = { listItems: capability(() => []) };',
    ].join('\n'),
    'old/capabilities.ts':
      "import { capability } from 'capix';\nexport const items = { listItems: capability(() => []) };",
  });
}

const loop = [
  'interface Unused {',
  '  readonly a: string;',
  '}',
  'export const unused: Unused[] = [];',
  'for (;;) unused.at(0);',
];
const env = { CAPIX_LOAD_TIMEOUT: '0.2' };
const hint =
  'Move such code out of the files that declare capabilities. CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.';

test.each([
  [['list']],
  [['check']],
  [['show', 'items.listItems']],
  [['openapi']],
  [['docs']],
  [['client']],
  [['ai-context']],
  [['sync-ai-context']],
  [['diff', 'old/capabilities.ts', 'src/capabilities.ts']],
  [['call', 'items.listItems']],
  [['mcp']],
])('capix %j ends an endless loop at import, and says where it is', async (args) => {
  const { capix } = await open(loop);
  const { stdout, stderr, exitCode } = await capix(args, { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(
    /^error: src\/stuck\.ts:5:\d+: The project's code was not done after 0\.2 seconds while it was loaded\.\n/,
  );
  expect(stderr).toContain('  > 5 | for (;;) unused.at(0);\n');
  expect(stderr.trimEnd().endsWith(hint)).toBe(true);
});

test('an endless loop at import is one JSON document with --json', async () => {
  const { capix } = await open(loop);
  const { stdout, stderr, exitCode } = await capix(['list', '--json'], { env });
  expect([stderr, exitCode]).toEqual(['', 1]);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    error: {
      code: 'ImportFailed',
      message: expect.stringContaining("The project's code was not done after 0.2 seconds while it was loaded."),
      hint,
    },
  });
});

test.each([
  ['that nothing catches', ['try { for (;;); } finally { console.log("never"); }'], 1],
  ['beside a top-level await', ['await null;', 'for (;;);'], 2],
  ['of awaits', ['for (;;) await null;'], 1],
  ['before a top-level await', ['const spin = () => { for (;;); };', 'spin();', 'await null;'], 1],
])('a loop %s is ended too', async (_kind, lines, line) => {
  const { capix } = await open(lines);
  const { stdout, stderr, exitCode } = await capix(['list'], { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(new RegExp(`^error: src/stuck\\.ts:${line}:`));
  expect(stderr).toContain('was not done after 0.2 seconds');
  expect(stderr).not.toContain('debugger');
});

test('a loop without a line to stop at, as that of a regular expression, is ended too, with its place where it can be told', async () => {
  const { capix } = await open(["export const isSlow = /^(a+)+$/.test(`${'a'.repeat(60)}!`);"]);
  const { stdout, stderr, exitCode } = await capix(['list'], { env });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(
    /^error: (src\/stuck\.ts:1:\d+: )?The project's code was not done after 0\.2 seconds while it was loaded\.\n/,
  );
});

test('code that waits too long while it is loaded is given up, although something keeps the process alive', async () => {
  const { capix } = await open(['await new Promise((resolve) => setTimeout(resolve, 600_000));']);
  const { stdout, stderr, exitCode } = await capix(['list'], { env });
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '',
    stderr: `error: The project's code was not done after 0.2 seconds while it was loaded.\n${hint}\n`,
    exitCode: 1,
  });
});

test('code that takes its time within the limit is loaded', async () => {
  const { capix } = await open(['const end = Date.now() + 700;', 'while (Date.now() < end);']);
  expect(await capix(['list'], { env: { CAPIX_LOAD_TIMEOUT: '20' } })).toMatchObject({ stderr: '', exitCode: 0 });
});

test('only what the code does counts, not the time that it takes Node to read and link it', async () => {
  const { capix, write } = await open(["import 'large';"]);
  await write('node_modules/large/package.json', '{ "type": "module", "exports": "./large.js" }');
  // It is parsed for longer than the limit, and done at once.
  await write('node_modules/large/large.js', `export const large = () => [${'{},'.repeat(2_500_000)}];`);
  expect(await capix(['list'], { env: { CAPIX_LOAD_TIMEOUT: '0.5' } })).toMatchObject({ stderr: '', exitCode: 0 });
});

// The code that loops is in the process that gets the signal, or in one that this one ends.
test.each([
  ['list', undefined],
  ['mcp', 130],
])('Ctrl-C ends capix %s in the middle of an endless loop at import', async (command, exitCode) => {
  const { root } = await open(['process.stderr.write("looping\\n");', 'for (;;);']);
  const running = startInBackground([process.execPath, cliEntry, command], { cwd: root });
  await running.waitFor(/looping/);
  expect(await running.stop('SIGINT')).toEqual({ exitCode });
});
