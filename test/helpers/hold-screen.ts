import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openProject } from './fixture-project.ts';
import { type OpenTerminal, openTerminal, type TerminalOptions } from './open-terminal.ts';
import { cliEntry } from './run-capix.ts';

export interface HeldTerminal extends OpenTerminal {
  /** Absolute path of the project. */
  readonly root: string;
  /** Has the import of Ink go on, or fail with a message. Resolves when the process has heard of it. */
  readonly release: (failure?: string) => Promise<void>;
  readonly load: () => Promise<void>;
}

const capabilities = `
import { capability } from 'capix';
export const capabilities = { users: { getUser: capability(() => ({})), listUsers: capability(() => ({})) } };
`;

/** Waits before the tool imports Ink, until the pipe has had a writer. Processes that it starts do not wait. */
const files = {
  'hold.mjs': `
import { register } from 'node:module';
import { basename } from 'node:path';
if (basename(process.argv[1] ?? '') === 'cli.cjs') register('./hold-hooks.mjs', import.meta.url);
`,
  'hold-hooks.mjs': `
import { readFile } from 'node:fs/promises';
export async function resolve(specifier, context, next) {
  if (/\\/open-screen-\\w+\\.js$/.test(specifier)) {
    const failure = await readFile(new URL('held', import.meta.url), 'utf8');
    if (failure !== '') throw new Error(failure);
  }
  return next(specifier, context);
}
`,
  // As a shell does: its terminal outlives the tool. It hands signals on, and has no other part in it.
  'shell.mjs': `
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const tool = spawn(process.execPath, [${JSON.stringify(cliEntry)}, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => tool.kill(name));
tool.on('exit', (code, signal) => {
  writeFileSync('ended.json', JSON.stringify({ code, signal, stty: execFileSync('stty', ['-a'], { stdio: ['inherit', 'pipe', 'inherit'], encoding: 'utf8' }) }));
});
`,
} as const;

export interface HeldOptions extends TerminalOptions {
  /** Whether the tool runs in a terminal that outlives it. How it has ended, and how the terminal stands then, is in `ended.json`. @default false */
  readonly isInShell?: boolean;
  /** Whether the code of the project is loaded only once `load` is called: Ink's first frame is then one of a load, too. @default false */
  readonly waitsToLoad?: boolean;
}

/** Code that is not loaded before a file `go` is there. */
const waiting = `
import { existsSync } from 'node:fs';
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20));
`;

/** Opens a screen on a project of two capabilities, and holds the moment before its first frame of Ink open. */
export async function holdScreen(words: readonly string[], options: HeldOptions = {}): Promise<HeldTerminal> {
  const { isInShell = false, waitsToLoad = false, ...given } = options;
  const code = { 'src/capabilities.ts': `${waitsToLoad ? waiting : ''}${capabilities}` };
  const { root } = await openProject({ ...files, ...code });
  const pipe = join(root, 'held');
  execFileSync('mkfifo', [pipe]);
  const env = { NODE_OPTIONS: `--import=${join(root, 'hold.mjs')}`, NODE_NO_WARNINGS: '1', ...given.env };
  const entry = isInShell ? { entry: join(root, 'shell.mjs') } : {};
  const terminal = openTerminal(words, { background: '0000/0000/0000', ...given, ...entry, cwd: root, env });
  const load = () => writeFile(join(root, 'go'), '');
  return { ...terminal, root, load, release: (failure = '') => writeFile(pipe, failure) };
}

/** As `stty` says how the terminal of a process stands: `'… -icanon … -echo …'`. */
export function readStty(pid: number): string {
  const name = execFileSync('ps', ['-o', 'tty=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return execFileSync('sh', ['-c', `stty -a < /dev/${name}`], { encoding: 'utf8' });
}
