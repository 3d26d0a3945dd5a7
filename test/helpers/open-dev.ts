import { execa } from 'execa';
import { cleanUp } from './clean-up.ts';
import { expectEvent } from './json-page.ts';
import { PATIENCE_MS } from './patience.ts';
import { cleanEnvironment, cliEntry } from './run-capix.ts';

/** A document of `capix dev --json`. */
export interface DevDocument {
  readonly event: string;
  readonly urls?: readonly string[];
  readonly networkUrls?: readonly string[];
  readonly routes?: readonly {
    readonly method: string;
    readonly path: string;
    readonly key: string;
  }[];
  readonly files?: readonly string[];
  readonly cause?: { readonly kind: string; readonly files?: readonly string[] };
  readonly durationMs?: number;
  readonly stream?: string;
  readonly line?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly frame?: string };
  readonly port?: number;
  readonly owner?: { readonly pid: number };
  readonly stillServing?: boolean;
  readonly exitCode?: number;
  readonly code?: string;
  readonly messages?: readonly string[];
  readonly passed?: number;
  readonly failing?: readonly object[];
}

export interface OpenDev {
  readonly pid: number;
  /** All of one stream until now. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the first line, of either stream, that matches and was not given before; rejects after 60 s with what there is. */
  readonly waitForLine: (pattern: RegExp) => Promise<string>;
  readonly kill: (signalName: NodeJS.Signals) => void;
  readonly ended: Promise<{
    readonly exitCode: number | undefined;
    readonly signal: string | undefined;
  }>;
}

export interface OpenDevJson extends OpenDev {
  /** As `waitForLine`, for a document, which is held to its schema. */
  readonly waitFor: (
    event: string,
    isWanted?: (document: DevDocument) => boolean,
  ) => Promise<DevDocument>;
  /** The first URL, once the server is ready. */
  readonly url: () => Promise<string>;
}

const open = new Set<number>();

// What a failed test leaves running.
cleanUp.afterEachTest.add(() => {
  for (const pid of open) killIfRunning(pid);
  open.clear();
});

/** Runs the built `capix dev` in a project, without a terminal. */
export function openDev(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = cliEntry,
): OpenDev {
  const dev = execa(process.execPath, [entry, 'dev', ...args], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  open.add(dev.pid ?? 0);
  const text = { stdout: '', stderr: '' };
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    let partial = '';
    dev[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
      const whole = (partial + part).split('\n');
      partial = whole.pop() ?? '';
      lines.push(...whole);
      for (const look of watchers) look();
    });
  }
  let given = 0;
  const waitForLine = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      const look = (): void => {
        const index = lines.findIndex((line, at) => at >= given && pattern.test(line));
        if (index === -1) return;
        given = index + 1;
        end();
        resolve(lines[index] ?? '');
      };
      const timer = setTimeout(() => {
        end();
        reject(
          new Error(`capix dev never wrote ${pattern}. It wrote:\n${text.stdout}\n${text.stderr}`),
        );
      }, PATIENCE_MS);
      watchers.add(look);
      look();
    });
  return {
    pid: dev.pid ?? 0,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    waitForLine,
    kill: (signalName) => dev.kill(signalName),
    ended: dev.then(({ exitCode, signal }) => ({ exitCode, signal })),
  };
}

/** Runs the built `capix dev --json --port 0` in a project. */
export function openDevJson(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  entry = cliEntry,
): OpenDevJson {
  const dev = openDev(folder, ['--json', '--port', '0', ...args], env, entry);
  const waitFor: OpenDevJson['waitFor'] = async (event, isWanted = () => true) => {
    for (;;) {
      const document = JSON.parse(
        await dev.waitForLine(new RegExp(`^\\{"event":"${event}"`)),
      ) as DevDocument;
      expectEvent('dev', document);
      if (isWanted(document)) return document;
    }
  };
  return { ...dev, waitFor, url: async () => (await waitFor('ready')).urls?.[0] ?? '' };
}

export function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ids of the processes, other than their parent, that run a server of this folder. */
export async function serverProcesses(folder: string): Promise<readonly number[]> {
  const { stdout } = await execa('ps', ['-eo', 'pid=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('dev-child') && line.includes(folder))
    .map((line) => Number.parseInt(line, 10));
}

/** Resolves when no server of this folder runs; rejects after a while. */
export async function waitForNoServer(folder: string): Promise<void> {
  const endAt = Date.now() + PATIENCE_MS;
  while ((await serverProcesses(folder)).length > 0) {
    if (Date.now() > endAt)
      throw new Error(`These servers are left: ${(await serverProcesses(folder)).join(', ')}`);
  }
}
