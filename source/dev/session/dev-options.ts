import { usageError } from '../../cli/cli-error.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { expectServerEntry } from '../../load/expect-project.ts';
import { type ProjectSettings, readSettings } from '../../load/settings/read-settings.ts';
import type { DevRouteOptions } from '../../screens/location.ts';
import type { Recording } from '../../serve/server-message.ts';
import { parseWatchedGlob, type WatchedGlob } from '../../system/watched-places.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { DevEvent } from './dev-event.ts';

const DEFAULT_INSPECT_PORT = 9229;
/** Seconds. */
const DEFAULT_GRACE = 3;

export type DevOptions = ReturnType<typeof toDevOptions> & {
  readonly records: Recording;
  readonly report: (event: DevEvent) => void;
};

/**
 * The options of a session, but for its events.
 *
 * @throws CliError for an entry that is missing
 */
export function toDevOptions(options: DevRouteOptions, entry: string | undefined, terminal: Terminal) {
  const workingDirectory = terminal.workingDirectory();
  const project = expectServerEntry(entry, workingDirectory);
  const { inspect = false, inspectWait = false, inspectBrk = false, inspectPort } = options;
  const isInspected = inspect || inspectWait || inspectBrk;
  const all = readSettings(project.root);
  const settings = all.dev;
  const host = options.host || settings.host;
  return {
    project,
    environment: terminal.environment,
    /** Absolute paths, the last one first; they need not be there. */
    envFiles: toEnvFiles(project.root, { envFile: options.envFile, workingDirectory }),
    /** Port and host in place of the server's own. */
    port: options.port ?? settings.port,
    host,
    /** The names of hosts that requests may be for, besides those of this machine. */
    allowedHosts: [...(settings.allowedHosts ?? []), ...(host ? [host] : [])],
    inspectPort: inspectPort ?? (isInspected ? DEFAULT_INSPECT_PORT : undefined),
    /** Whether the server is ended before its new code starts; undefined: where it turns out that it must be. */
    stopsFirst: options.stopFirst ? true : settings.stopFirst,
    /** The time that a server may take to end when it is told to, milliseconds. */
    graceMs: 1000 * (options.stopGrace ?? settings.stopGrace ?? DEFAULT_GRACE),
    /** Whether the first start waits for a debugger, and pauses. */
    debuggerWait: inspectBrk ? ('pause' as const) : inspectWait ? ('wait' as const) : undefined,
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
  const parse = (pattern: string, folder: string, refuse: (why: string) => Error): WatchedGlob => {
    const glob = parseWatchedGlob(pattern, { folder, root });
    if (typeof glob === 'string') throw refuse(`${JSON.stringify(pattern)} ${glob}`);
    return glob;
  };
  const set = settings.dev.watch ?? [];
  return [
    ...watch.map((pattern) => parse(pattern, workingDirectory, (why) => usageError(`--watch ${why}.`))),
    ...set.map((pattern, index) => parse(pattern, root, (why) => settings.refuse(['dev', 'watch', index], why))),
  ];
}
