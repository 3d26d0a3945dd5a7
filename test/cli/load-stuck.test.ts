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
  });
}

const env = { CAPIX_LOAD_TIMEOUT: '0.2' };
const hint =
  'Move such code out of the files that declare capabilities. CAPIX_LOAD_TIMEOUT=<seconds> gives it more time.';

test('code that waits too long while it is loaded is given up, although something keeps the process alive', async () => {
  const { capix } = await open(['await new Promise((resolve) => setTimeout(resolve, 600_000));']);
  const { stdout, stderr, exitCode } = await capix(['list'], { env });
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: '',
    stderr: `error: The project's code was not done after 0.2 seconds while it was loaded.\n${hint}\n`,
    exitCode: 1,
  });
});

test('code that waits too long is one JSON document with --json', async () => {
  const { capix } = await open(['await new Promise((resolve) => setTimeout(resolve, 600_000));']);
  const { stdout, stderr, exitCode } = await capix(['list', '--json'], { env });
  expect([stderr, exitCode]).toEqual(['', 1]);
  const message = "The project's code was not done after 0.2 seconds while it was loaded.";
  expect(JSON.parse(stdout)).toEqual({ ok: false, error: { code: 'ImportFailed', message, hint } });
});

test.each([
  ['computes', ['const end = Date.now() + 700;', 'while (Date.now() < end);']],
  ['waits', ['await new Promise((resolve) => setTimeout(resolve, 700));']],
])('code that %s within the limit is loaded', async (_, lines) => {
  const { capix } = await open(lines);
  expect(await capix(['list'], { env: { CAPIX_LOAD_TIMEOUT: '20' } })).toMatchObject({
    stderr: '',
    exitCode: 0,
  });
});

test.each(['list', 'mcp'])(
  'Ctrl-C ends capix %s in the middle of an endless loop at import',
  async (command) => {
    const { root } = await open(['process.stderr.write("looping\\n");', 'for (;;);']);
    const running = startInBackground([process.execPath, cliEntry, command], { cwd: root });
    await running.waitFor(/looping/);
    expect(await running.stop('SIGINT')).toEqual({ exitCode: 130 });
  },
);
