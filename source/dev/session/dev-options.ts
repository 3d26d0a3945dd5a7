import { usageError } from '../../cli/cli-error.ts';
import type { DevValues } from '../../flags/serve-flags.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { expectServerEntry } from '../../load/expect-project.ts';
import { readSettings } from '../../load/settings/read-settings.ts';
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
  options: Partial<DevValues>,
  entry: string | undefined,
  terminal: Terminal,
) {
  const workingDirectory = terminal.workingDirectory();
  const project = expectServerEntry(entry, workingDirectory);
  const { root } = project;
  const settingsFile = readSettings(root);
  const settings = settingsFile.dev;
  const { allowedHosts = [], nodeOptions = [], stopGrace = DEFAULT_GRACE } = settings;
  const host = options.host || settings.host;
  return {
    project,
    environment: terminal.environment,
    /** Absolute paths, the last one first; they need not be there. */
    envFiles: toEnvFiles(root, { envFile: options.envFile, workingDirectory }),
    port: options.port ?? settings.port,
    host,
    allowedHosts: [...allowedHosts, ...(host ? [host] : [])],
    inspectPort: findInspectPort(options),
    stopsFirst: options.stopFirst ? true : settings.stopFirst,
    graceMs: 1000 * (options.stopGrace ?? stopGrace),
    debuggerWait: findDebuggerWait(options),
    nodeOptions: [...nodeOptions, ...(options.nodeOption ?? [])],
    globs: toGlobs(options, { settingsFile, root, workingDirectory }),
    watches: options.noWatch !== true,
    preloads: settings.preload ?? true,
  };
}

interface GlobSources {
  readonly settingsFile: ReturnType<typeof readSettings>;
  readonly root: string;
  readonly workingDirectory: string;
}

/** Globs of the command line are from where it was typed, those of the settings from the project. @throws CliError */
function toGlobs(
  { watch = [], noWatch = false }: Partial<DevValues>,
  { settingsFile, root, workingDirectory }: GlobSources,
): readonly WatchedGlob[] {
  if (noWatch && watch.length > 0)
    throw usageError('--watch says what is watched, and --no-watch that nothing is.');
  const { watch: ofSettings = [] } = settingsFile.dev;
  return [
    ...watch.map((glob) =>
      expectGlob(glob, { folder: workingDirectory, root }, (why) => usageError(`--watch ${why}.`)),
    ),
    ...ofSettings.map((glob, index) =>
      expectGlob(glob, { folder: root, root }, (why) =>
        settingsFile.refuse(['dev', 'watch', index], why),
      ),
    ),
  ];
}

function findInspectPort(options: Partial<DevValues>): number | undefined {
  const { inspect, inspectWait, inspectBrk, inspectPort } = options;
  const isInspected = inspect || inspectWait || inspectBrk;
  return inspectPort ?? (isInspected ? DEFAULT_INSPECT_PORT : undefined);
}

function findDebuggerWait(options: Partial<DevValues>): 'pause' | 'wait' | undefined {
  if (options.inspectBrk) return 'pause';
  return options.inspectWait ? 'wait' : undefined;
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
