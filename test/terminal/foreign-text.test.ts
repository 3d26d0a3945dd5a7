import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { expectToLeaveByException, throwOnSignal } from '../helpers/open-bookshop.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

/** As it is written in a file: sets the title of the window, turns text red, goes to the corner, turns the direction of text. */
const evil = String.raw`\u001b]0;owned\u0007\u001b[41mE\u009b1;1HV\r\u202eIL`;

/** Each is two columns for some terminals, and eight for that of this test. */
const families = '👨‍👩‍👧‍👦'.repeat(40);

const capabilities = `import { capability } from 'capix';
import * as z from 'zod';

const getNote = capability(
  z.object({ id: z.string().min(3, 'short ${evil}').describe('the id ${evil}'), kind: z.enum(['a', '${evil}']).default('${evil}') }),
  ({ id }) => ({ id, text: 'text ${evil}' }),
).describe('Gives a note ${evil} ${families}');
const failNote = capability(() => { throw new Error('failed ${evil}'); });
const markNote = capability(z.object({ id: z.string(), 'tags ${evil}': z.map(z.string(), z.string()).optional() }), () => null);
export const capabilities = { notes: { getNote, failNote, markNote } };
`;

const server = `import { createServer, restTransport } from 'capix';
import { capabilities } from './capabilities.js';
console.log('started ${evil}');
await createServer({ capabilities, transports: [restTransport({ port: Number(process.env.PORT) })] }).start();
console.log('ready');
`;

/** What a screen shows, and the keys that make it show more. */
const screens = [
  ['home', [], 'notes.getNote', ''],
  ['list', ['list'], 'Gives a note', ''],
  ['show', ['show', 'notes.getNote'], 'Gives a note', ''],
  ['check', ['check'], 'tags E', ''],
  ['call', ['call', 'notes.getNote', '{"id":"abc"}'], 'text ', ''],
  ['call, refused', ['call', 'notes.getNote', '{"id":"a"}'], 'short ', ''],
  ['call, failed', ['call', 'notes.failNote', '{}'], 'failed ', ''],
  ['generate', ['generate', 'capability'], 'group', 'notes\t'],
  ['openapi', ['openapi'], '/notes', '+'],
  ['diff', ['diff', 'old/src/capabilities.ts', 'src/capabilities.ts'], 'notes.getNote', ''],
  ['dev', ['dev'], 'Started in', '3'],
] as const;

describe('escape sequences of others do not reach the terminal', () => {
  it.each(screens)('on the screen %s, left by an exception', async (_, words, shown, keys) => {
    const { root } = await openProject({
      'package.json': `{ "name": "demo", "type": "module", "description": "about ${evil.replaceAll('\\u009b', '')}" }`,
      'src/capabilities.ts': capabilities,
      'src/server.ts': server,
      'throw-on-signal.mjs': throwOnSignal,
    });
    await cp(join(root, 'src'), join(root, 'old/src'), { recursive: true });
    await writeFile(
      join(root, 'old/src/capabilities.ts'),
      capabilities.replace("z.enum(['a', ", "z.enum(['a', 'b', "),
    );
    await mkdir(join(root, 'node_modules/.cache/capix'), { recursive: true });
    await writeFile(
      join(root, 'node_modules/.cache/capix/calls.json'),
      `[{"key":"notes.getNote","input":{"id":"${evil}"},"status":200,"at":1}]`,
    );
    const stderrFile = join(root, 'stderr.txt');
    const env = { PORT: '0', NODE_OPTIONS: '--import=./throw-on-signal.mjs' };
    terminal = openTerminal(words, { cwd: root, columns: 160, rows: 40, env, stderrFile });
    await terminal.waitFor(shown);
    // The name of the project may come after what the screen shows of it.
    await terminal.waitFor(/ capix {2}demo /);
    terminal.type(keys);
    if (words[0] === 'dev') await terminal.waitFor('started E');
    await writeFile(
      join(root, 'src/capabilities.ts'),
      `throw new Error('broken ${evil}');\nexport const capabilities = {};\n`,
    );
    const broken = await terminal.waitFor(/broken E ?VI?L?/);
    expect(broken, 'rows that are wider than the window push no others out of it').toMatch(
      /^ capix {2}demo .*\n─+\n/,
    );
    const readError = (): Promise<string> => readFile(stderrFile, 'utf8');
    await expectToLeaveByException({ terminal, readError });
    const output = terminal.output() + (await readError());
    expect(output).not.toContain('\u001B]0;owned');
    expect(output).not.toContain('\u001B[41m');
    expect(output).not.toMatch(/[\u0080-\u009F\u202E]/);
  });
});
