import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { cliEntry } from './run-capix.ts';

export interface RunningProject {
  readonly dev: BackgroundProcess;
  /** Where it listens, without a slash at the end. */
  readonly url: string;
}

/** Serves a project by `capix dev` on a free port, until it is stopped or the tests of the file are over. */
export async function startProject(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<RunningProject> {
  const command = [process.execPath, cliEntry, 'dev', ...args] as const;
  const dev = startInBackground(command, { cwd: folder, env: { PORT: '0', ...env } });
  const [, url = ''] = await dev.waitFor(
    /^\[capix\] Server started on (http:\/\/localhost:\d+)\n/m,
  );
  return { dev, url };
}
