import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { openPipe } from './open-pipe.ts';

export interface RunOptions {
  /** @default the root of this package */
  readonly cwd?: string;
  /** What the command reads on stdin; nothing by default. */
  readonly input?: string;
  /** Added to an environment without CI and colour settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another built entry than `dist/cli.cjs`. */
  readonly entry?: string;
  /** @default the Node of the tests */
  readonly node?: string;
  /** Runs it as another user, which only root may; its group is the same number. @default the user of the tests */
  readonly uid?: number | undefined;
  /** `sockets`: as a program in Node starts it. @default 'pipes', as a shell does */
  readonly through?: 'pipes' | 'sockets';
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined where a signal ended the process. */
  readonly exitCode: number | undefined;
}

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
export const cliEntry = `${packageRoot}dist/cli.cjs`;

/** Runs the built tool without a terminal, as in a pipe. Output is exact: its last line feed stays. */
export async function runCapix(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const {
    cwd = packageRoot,
    input = '',
    env = {},
    entry = cliEntry,
    uid,
    through = 'pipes',
  } = options;
  const { node = process.execPath } = options;
  const words = [entry, ...args];
  const asUser = uid === undefined ? {} : { uid, gid: uid };
  const common = { cwd, env: { ...cleanEnvironment(), ...env }, ...asUser } as const;
  // Windows has no pipes with names in its file system.
  if (through === 'sockets' || process.platform === 'win32') {
    const ours = { input, extendEnv: false, reject: false, stripFinalNewline: false } as const;
    const { stdout, stderr, exitCode } = await execa(node, words, { ...common, ...ours });
    return { stdout, stderr, exitCode };
  }
  const [out, err] = [openPipe(), openPipe()];
  const child = spawn(node, words, { ...common, stdio: ['pipe', out.writeEnd, err.writeEnd] });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  // A command may end without reading its input.
  child.stdin?.on('error', () => {}).end(input);
  const [[exitCode], stdout, stderr] = await Promise.all([exited, out.readAll(), err.readAll()]);
  return { stdout, stderr, exitCode: exitCode ?? undefined };
}

/** The environment of a user's shell: without what a test runner and a build machine add to it. */
export function cleanEnvironment(): Record<string, string> {
  const foreign =
    /^(CI|NO_COLOR|FORCE_COLOR|COLORTERM|NODE_ENV|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|VITEST.*|CAPIX_.*)$/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !foreign.test(entry[0]),
    ),
  );
}
