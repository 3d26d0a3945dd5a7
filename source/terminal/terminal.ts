import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { killChildren } from './end-process.ts';
import { hasOwnStdout, writeToStdout } from './keep-stdout.ts';

/** The terminal, and with it the process. Use-cases take it as an argument, so that a test gives its own. */
export interface Terminal {
  /** Writes data to stdout as it is: nothing is wrapped or added. Foreign text goes through `stripControl` first. */
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Everything on stdin until its end, as UTF-8. Gives `''` at once where stdin is a terminal. */
  readonly readIn: () => Promise<string>;
  /** Somebody is there: stdin and stdout are terminals that can draw, and this is not continuous integration. */
  readonly isInteractive: boolean;
  /** Columns and rows of the window; 80 × 24 where there is none. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Absolute path that relative paths of the command line start from. */
  readonly workingDirectory: () => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted on the first Ctrl-C or SIGTERM; the command then ends by itself, with exit code 130 or 143. The second one
   * ends the process at once. Without it, Ctrl-C ends the process as usual.
   */
  readonly interruptSignal: () => AbortSignal;
}

export const terminal: Terminal = {
  writeOut: writeToStdout,
  writeError: (message) => void process.stderr.write(message),
  readIn: async () => (process.stdin.isTTY ? '' : text(process.stdin)),
  get isInteractive() {
    return isInteractive();
  },
  size: () => {
    const { columns = 80, rows = 24 } = hasOwnStdout() ? {} : process.stdout;
    return { columns, rows };
  },
  workingDirectory: () => process.cwd(),
  environment: process.env,
  interruptSignal,
};

/**
 * Passes the wish for no colour on to Ink, which reads only FORCE_COLOR, before it is loaded. NO_COLOR goes: Node warns
 * in every child process that has both.
 */
export function passColorPreference(): void {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (!NO_COLOR || FORCE_COLOR !== undefined) return;
  process.env['FORCE_COLOR'] = '0';
  delete process.env['NO_COLOR'];
}

export const nodeBinary = process.execPath;

/** The stream stdin, for a command that reads what comes as it comes. */
export function standardInput(): Readable {
  return process.stdin;
}

/** Runs the task at each SIGHUP, which otherwise would end the process, as when the window is closed. */
export function onHangUp(task: () => void): void {
  process.on('SIGHUP', task);
}

function isInteractive(): boolean {
  const { CI, TERM } = process.env;
  const isContinuousIntegration = CI !== undefined && !['', '0', 'false'].includes(CI);
  return (
    !hasOwnStdout() &&
    Boolean(process.stdin.isTTY && process.stdout.isTTY) &&
    !isContinuousIntegration &&
    TERM !== 'dumb'
  );
}

export const interruptExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** The exit code that an interrupt has set; undefined where none came, or none was waited for. */
export function interruptExitCode(): number | undefined {
  return Object.values(interruptExitCodes).find((exitCode) => process.exitCode === exitCode);
}

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const [signalName, exitCode] of Object.entries(interruptExitCodes)) {
    process.on(signalName, () => {
      if (controller.signal.aborted) {
        // A server that waits for its requests would live on for a while without this process.
        killChildren();
        process.exit(exitCode);
      }
      process.exitCode = exitCode;
      controller.abort();
    });
  }
  return controller.signal;
}
