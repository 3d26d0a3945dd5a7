import { usageError } from '../../cli/cli-error.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { expectServerEntry } from '../../load/expect-project.ts';
import { readSettings } from '../../load/settings/read-settings.ts';
import type { DevRouteOptions } from '../../screens/location.ts';
import type { LoadOptions } from '../../serve/server-message.ts';
import { parseWatchedGlob, type WatchedGlob } from '../../system/watched-places.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { DevEvent } from './dev-event.ts';

const DEFAULT_INSPECT_PORT = 9229;
/** Seconds. */
const DEFAULT_GRACE = 3;

export type DevOptions = ReturnType<typeof toDevOptions> & {
  readonly records: LoadOptions['records'];
  readonly report: (event: DevEvent) => void;
};

/** @throws CliError for an entry that is missing */
export function toDevOptions(
  options: DevRouteOptions,
  entry: string | undefined,
  terminal: Terminal,
) {
  const workingDirectory = terminal.workingDirectory();
  const project = expectServerEntry(entry, workingDirectory);
  const { root } = project;
  const { inspect, inspectWait, inspectBrk, inspectPort, watch = [], noWatch = false } = options;
  if (noWatch && watch.length > 0)
    throw usageError('--watch says what is watched, and --no-watch that nothing is.');
  const isInspected = inspect || inspectWait || inspectBrk;
  const all = readSettings(root);
  const settings = all.dev;
  const host = options.host || settings.host;
  return {
    project,
    environment: terminal.environment,
    /** Absolute paths, the last one first; they need not be there. */
    envFiles: toEnvFiles(root, { envFile: options.envFile, workingDirectory }),
    port: options.port ?? settings.port,
    host,
    allowedHosts: [...(settings.allowedHosts ?? []), ...(host ? [host] : [])],
    inspectPort: inspectPort ?? (isInspected ? DEFAULT_INSPECT_PORT : undefined),
    stopsFirst: options.stopFirst ? true : settings.stopFirst,
    graceMs: 1000 * (options.stopGrace ?? settings.stopGrace ?? DEFAULT_GRACE),
    debuggerWait: inspectBrk ? ('pause' as const) : inspectWait ? ('wait' as const) : undefined,
    nodeOptions: [...(settings.nodeOptions ?? []), ...(options.nodeOption ?? [])],
    globs: [
      ...watch.map((glob) =>
        expectGlob(glob, { folder: workingDirectory, root }, (why) =>
          usageError(`--watch ${why}.`),
        ),
      ),
      ...(settings.watch ?? []).map((glob, index) =>
        expectGlob(glob, { folder: root, root }, (why) => all.refuse(['dev', 'watch', index], why)),
      ),
    ],
    watches: !noWatch,
  };
}

type GlobPlace = Parameters<typeof parseWatchedGlob>[1];

/** @throws the error that `refuse` makes, where the pattern is not a glob */
function expectGlob(
  pattern: string,
  place: GlobPlace,
  refuse: (why: string) => Error,
): WatchedGlob {
  const glob = parseWatchedGlob(pattern, place);
  if (typeof glob === 'string') throw refuse(`${JSON.stringify(pattern)} ${glob}`);
  return glob;
}
