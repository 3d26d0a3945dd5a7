import { type BackgroundProcess, startInBackground } from './background-process.ts';
import { cliEntry } from './run-capix.ts';

export interface RunningProject {
  readonly dev: BackgroundProcess;
  /** Where it listens, without a slash at the end. */
  readonly url: string;
}

/** Serves a project by `capix dev` on a free port, until the tests of the file are over. */
export async function startProject(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProject> {
  const dev = startInBackground([process.execPath, cliEntry, 'dev'], { cwd: folder, env: { PORT: '0', ...env } });
  const [, url = ''] = await dev.waitFor(/^\[capix\] Server started on (http:\/\/localhost:\d+)\n/m);
  return { dev, url };
}
