import { usageError } from '../cli/cli-error.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { expectServerEntry } from '../load/expect-project.ts';
import { type ProjectSettings, readSettings } from '../load/settings/read-settings.ts';
import type { DevRouteOptions } from '../screens/location.ts';
import { parseWatchedGlob, type WatchedGlob } from '../system/watched-places.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DevOptions } from './session/dev-options.ts';

const DEFAULT_INSPECT_PORT = 9229;
/** Seconds. */
const DEFAULT_GRACE = 3;

/**
 * The options of a session.
 *
 * @throws CliError for an entry that is missing
 */
export function toDevOptions(
  options: DevRouteOptions,
  entry: string | undefined,
  terminal: Terminal,
): Omit<DevOptions, 'report' | 'records'> {
  const workingDirectory = terminal.workingDirectory();
  const project = expectServerEntry(entry, workingDirectory);
  const { port, host, inspect = false, inspectWait = false, inspectBrk = false, inspectPort } = options;
  const isInspected = inspect || inspectWait || inspectBrk;
  const all = readSettings(project.root);
  const settings = all.dev;
  return {
    project,
    environment: terminal.environment,
    envFiles: toEnvFiles(project.root, { envFile: options.envFile, workingDirectory }),
    port: port ?? settings.port,
    host: host || settings.host,
    allowedHosts: [...(settings.allowedHosts ?? []), ...(host || settings.host ? [host || settings.host || ''] : [])],
    inspectPort: inspectPort ?? (isInspected ? DEFAULT_INSPECT_PORT : undefined),
    stopsFirst: options.stopFirst ? true : settings.stopFirst,
    graceMs: 1000 * (options.stopGrace ?? settings.stopGrace ?? DEFAULT_GRACE),
    debuggerWait: inspectBrk ? 'pause' : inspectWait ? 'wait' : undefined,
    nodeOptions: [...(settings.nodeOptions ?? []), ...(options.nodeOption ?? [])],
    globs: toGlobs(options, project.root, { settings: all, workingDirectory }),
    watches: !options.noWatch,
  };
}

/** The globs of the command line, relative to the working directory, and those of the project, relative to its root. */
function toGlobs(
  { watch = [], noWatch = false }: DevRouteOptions,
  root: string,
  { settings, workingDirectory }: { readonly settings: ProjectSettings; readonly workingDirectory: string },
): readonly WatchedGlob[] {
  if (noWatch && watch.length > 0) throw usageError('--watch says what is watched, and --no-watch that nothing is.');
  const told = watch.map((pattern) => {
    const glob = parseWatchedGlob(pattern, { folder: workingDirectory, root });
    if (typeof glob === 'string') throw usageError(`--watch ${JSON.stringify(pattern)} ${glob}.`);
    return glob;
  });
  const set = (settings.dev.watch ?? []).map((pattern, index) => {
    const glob = parseWatchedGlob(pattern, { folder: root, root });
    if (typeof glob !== 'string') return glob;
    throw settings.refuse(['dev', 'watch', index], `${JSON.stringify(pattern)} ${glob}`);
  });
  return [...told, ...set];
}
