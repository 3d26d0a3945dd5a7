import { execa } from 'execa';
import { expect } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { expectEvent } from './json-page.ts';
import { PATIENCE_MS } from './patience.ts';
import { cleanEnvironment, cliEntry } from './run-capix.ts';

/** Runs `capix start --json` in a folder; it ends with the test. Port 0 is another one for each worker that starts while none serves. */
export function openStart(
  folder: string,
  words: readonly string[],
  {
    port = 0,
    env = {},
    nodeOptions = [],
  }: {
    readonly port?: number;
    readonly env?: Readonly<Record<string, string>>;
    /** Those behind `--`. */
    readonly nodeOptions?: readonly string[];
  } = {},
) {
  const patience = words.includes('--start-timeout')
    ? []
    : ['--start-timeout', `${PATIENCE_MS / 1000}`];
  const started = execa(
    process.execPath,
    [
      cliEntry,
      'start',
      ...words,
      ...patience,
      '--port',
      String(port),
      '--json',
      '--',
      ...nodeOptions,
    ],
    {
      cwd: folder,
      env: { ...cleanEnvironment(), ...env },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      forceKillAfterDelay: false,
    },
  );
  cleanUp.afterEachTest.add(() => void started.kill('SIGKILL'));
  const documents: Record<string, unknown>[] = [];
  let rest = '';
  started.stdout.on('data', (part: Buffer) => {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    documents.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  let output = '';
  started.stderr.on('data', (part: Buffer) => (output += part.toString()));
  let seen = 0;
  /** The next document of that event; those before it are passed over. */
  const next = async (event: string): Promise<Record<string, unknown>> => {
    await expect.poll(() => documents.slice(seen).map((each) => each['event'])).toContain(event);
    seen += documents.slice(seen).findIndex((each) => each['event'] === event) + 1;
    const document = documents[seen - 1] ?? {};
    expectEvent('start', document);
    return document;
  };
  return {
    kill: (signal: NodeJS.Signals) => started.kill(signal),
    next,
    /** Waits for a text in what the server writes. */
    writes: (text: string) => expect.poll(() => output).toContain(text),
    events: () => documents.map((each) => each['event']),
    ended: started,
  };
}

/** The ids of the processes that an event names. */
export function toPids(document: Readonly<Record<string, unknown>>): readonly number[] {
  return (document['workers'] as readonly { readonly pid: number }[]).map(({ pid }) => pid);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
