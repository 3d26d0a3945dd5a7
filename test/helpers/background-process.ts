import { execa } from 'execa';
import { cleanUp } from './clean-up.ts';
import { PATIENCE_MS } from './patience.ts';
import { cleanEnvironment } from './run-capix.ts';

export interface BackgroundOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How long `waitFor` waits, milliseconds. @default PATIENCE_MS */
  readonly patienceMs?: number;
}

export interface BackgroundProcess {
  /** Everything written so far, stdout and stderr as they came. */
  readonly output: () => string;
  /** Resolves with the match as soon as the output from `fromIndex` on has one; rejects with the output when it does not come. */
  readonly waitFor: (pattern: RegExp, fromIndex?: number) => Promise<RegExpExecArray>;
  /** Sends the signal and resolves when the process is gone. */
  readonly stop: (
    signalName?: 'SIGINT' | 'SIGTERM' | 'SIGKILL',
  ) => Promise<{ readonly exitCode: number | undefined }>;
}

const running = new Set<BackgroundProcess>();

/** Runs a command that stays: a server, `capix dev`. It ends with the tests of the file, if it has not before. */
export function startInBackground(
  command: readonly [string, ...string[]],
  options: BackgroundOptions,
): BackgroundProcess {
  const { cwd, env = {}, patienceMs = PATIENCE_MS } = options;
  const [file, ...args] = command;
  const subprocess = execa(file, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    extendEnv: false,
    reject: false,
    all: true,
    buffer: false,
    stdin: 'ignore',
  });
  const watchers = new Set<() => void>();
  let output = '';
  let isOver = false;
  const tellAll = (): void => {
    for (const look of watchers) look();
  };
  subprocess.all.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    tellAll();
  });
  const ended = subprocess.then(({ exitCode }) => {
    isOver = true;
    tellAll();
    return { exitCode };
  });

  const background: BackgroundProcess = {
    output: () => output,
    waitFor: (pattern, fromIndex = 0) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void): void => {
          clearTimeout(timer);
          watchers.delete(look);
          finish();
        };
        const fail = (why: string): void =>
          settle(() => reject(new Error(`${why} without ${pattern}:\n${output}`)));
        const look = (): void => {
          const match = pattern.exec(output.slice(fromIndex));
          if (match) settle(() => resolve(match));
          else if (isOver) fail('The process ended');
        };
        const timer = setTimeout(() => fail(`${patienceMs} ms passed`), patienceMs);
        watchers.add(look);
        look();
      }),
    stop: (signalName = 'SIGTERM') => {
      subprocess.kill(signalName);
      return ended;
    },
  };
  running.add(background);
  void ended.then(() => running.delete(background));
  return background;
}

cleanUp.afterEachFile.add(async () => {
  for (const background of running) await background.stop('SIGKILL');
});
