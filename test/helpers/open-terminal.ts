import { readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PATIENCE_MS } from './patience.ts';
import { cleanEnvironment, cliEntry, packageRoot } from './run-capix.ts';

export interface TerminalOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly entry?: string;
  /** @default 80 */
  readonly columns?: number;
  /** @default 24 */
  readonly rows?: number;
  /** Absolute path of a file that takes what is written to stderr, which else the window shows. */
  readonly stderrFile?: string;
  /** The script of a shell that starts the tool as `"$@"`. @default the tool is what the terminal starts */
  readonly script?: string;
}

export interface OpenTerminal {
  /** Of the tool; the processes that it starts are in its group. */
  readonly pid: number;
  /** Types text or keys, as `'\u0003'` for Ctrl-C. */
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The last whole frame the window showed: one line a row, without blanks at line ends. */
  readonly screen: () => string;
  /** Whether the alternate screen is shown. */
  readonly isAlternate: () => boolean;
  /** Resolves with the screen as soon as it satisfies the condition; rejects with the screen after 60 s. */
  readonly waitFor: (condition: string | RegExp | ((screen: string) => boolean)) => Promise<string>;
  /** Resolves when the process has ended and the window shows all it wrote. */
  readonly ended: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>;
  /** Every byte that was written, for assertions on sequences. */
  readonly output: () => string;
  readonly kill: (
    signalName: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGUSR2' | 'SIGTSTP' | 'SIGCONT',
  ) => void;
  /** Closes the window as a person does: the terminal is gone, and the tool gets SIGHUP. */
  readonly hangUp: () => void;
  /** Kills the tool and the processes of its group. Resolves when it is gone: nothing of it writes into its project any more. */
  readonly close: () => Promise<void>;
}

/** How each mode of the terminal was set last: `h` on, `l` off. `{1000: 'h', 25: 'l'}` */
export function toModes(output: string): Readonly<Record<string, string>> {
  const modes = output.matchAll(/\u001B\[\?(\d+)([hl])/g);
  return Object.fromEntries([...modes].map(([, mode = '', state = '']) => [mode, state]));
}

/** Runs the built tool in a pseudo-terminal and reads what a person would see. */
export function openTerminal(args: readonly string[], options: TerminalOptions = {}): OpenTerminal {
  const {
    cwd = packageRoot,
    env = {},
    entry = cliEntry,
    columns = 80,
    rows = 24,
    stderrFile,
    script = stderrFile === undefined ? undefined : `exec "$@" 2> '${stderrFile}'`,
  } = options;
  const window = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const words = [process.execPath, entry, ...args];
  const [program = '', ...rest] =
    script === undefined ? words : ['/bin/sh', '-c', script, 'sh', ...words];
  const child = spawn(program, rest, {
    cols: columns,
    rows,
    cwd,
    env: { ...cleanEnvironment(), TERM: 'xterm-256color', ...env },
    encoding: null,
  }) as BytesPty;
  const watchers = new Set<() => void>();
  const decoder = new TextDecoder();
  let output = '';
  let frame = '';
  onBytes(child, (bytes) => {
    output += decoder.decode(bytes, { stream: true });
    window.write(bytes, () => {
      // A pseudo-terminal hands a large frame on in pieces: until its last one, the rows are partly those before.
      if (window.modes.synchronizedOutputMode) return;
      frame = readScreen(window);
      watchers.forEach((look) => look());
    });
  });
  window.onData((reply) => child.write(reply));

  const screen = () => frame;
  const ended = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => window.write('', () => resolve({ exitCode, signal })));
  });

  return {
    pid: child.pid,
    type: (keys) => child.write(keys),
    resize: (newColumns, newRows) => {
      window.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    screen,
    isAlternate: () => window.buffer.active.type === 'alternate',
    waitFor: (condition) => waitFor({ condition, screen, watchers }),
    ended,
    output: () => output,
    kill: (signalName) => child.kill(signalName),
    hangUp: () => child.destroy(),
    close: async () => {
      killGroup(child.pid);
      await ended;
      window.dispose();
    },
  };
}

/** A pseudo-terminal that is asked for bytes, and what of it is not in its types. */
interface BytesPty extends IPty {
  readonly _socket: ReadStream;
  readonly fd: number;
  readonly destroy: () => void;
}

/**
 * Gives every byte that the terminal has, also those that libuv leaves unread when the process has ended: each read of a terminal gives at
 * most 4 KiB, and libuv takes a read that does not fill its buffer for the last one.
 */
function onBytes(child: BytesPty, take: (bytes: Uint8Array) => void): void {
  const { _socket: socket, fd } = child;
  socket.on('data', take);
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (!socket.destroyed) for (const bytes of readRest(fd)) take(bytes);
    return destroy(error);
  };
}

function* readRest(fd: number): Generator<Uint8Array> {
  const buffer = Buffer.alloc(4096);
  try {
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer)) {
      yield Uint8Array.from(buffer.subarray(0, length));
    }
  } catch (error) {
    // EIO: the other end is closed, EAGAIN: it is open and has no more, EBADF: so is this one.
    if (!['EIO', 'EAGAIN', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
  }
}

/** The tool leads its group, as a program does that a shell starts. A group that is gone needs no signal. */
function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

interface Wait {
  readonly condition: string | RegExp | ((screen: string) => boolean);
  readonly screen: () => string;
  readonly watchers: Set<() => void>;
}

function waitFor({ condition, screen, watchers }: Wait): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      watchers.delete(look);
      reject(new Error(`The screen never showed ${String(condition)}. It shows:\n${screen()}`));
    }, PATIENCE_MS);
    function look() {
      const shown = screen();
      if (!satisfies(shown, condition)) return;
      clearTimeout(timer);
      watchers.delete(look);
      resolve(shown);
    }
    watchers.add(look);
    look();
  });
}

function satisfies(shown: string, condition: Wait['condition']): boolean {
  if (typeof condition === 'string') return shown.includes(condition);
  if (condition instanceof RegExp) return condition.test(shown);
  return condition(shown);
}

function readScreen(window: InstanceType<typeof xterm.Terminal>): string {
  const { active } = window.buffer;
  const lines = Array.from(
    { length: window.rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
  );
  return lines.join('\n').trimEnd();
}
