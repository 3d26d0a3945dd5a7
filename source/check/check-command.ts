import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { usageError } from '../cli/errors/cli-error.ts';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { parseHeaders } from '../cli/values/parse-headers.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { loadManifest } from '../manifest/load-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { toCheckJson, toCheckText } from './check-text.ts';
import type { LoadedCheck } from './fix/fix-problems.ts';
import type { StaleFile } from './fix/plan-stale-files.ts';

export interface CheckOptions extends CommonValues {
  readonly strict: boolean;
  readonly agents: boolean;
  readonly live?: string | undefined;
  readonly probe: boolean;
  readonly probeMutations: boolean;
  readonly seed?: number | undefined;
  /** `name: value`, of the calls of the probe. */
  readonly header: readonly string[];
  /** JSON, the context of the calls of the probe. */
  readonly context?: string | undefined;
  readonly fix: boolean;
  readonly dryRun: boolean;
  readonly format?: 'github' | 'sarif' | 'junit' | undefined;
}

/** Finds the files of a project that are made of its capabilities, and are old. */
type FindStale = (loaded: LoadedRegistry) => Promise<readonly StaleFile[]>;

/** `capix check`: the findings are data and go to stdout, also where they make it fail. */
export default async function checkCommand(
  { options, terminal }: PlainProps<CheckOptions>,
  findStale: FindStale,
): Promise<number> {
  const { format, strict, fix, dryRun, json } = options;
  expectFitting(options);
  const load = (): Promise<LoadedCheck> =>
    loadCheck(options, {
      workingDirectory: terminal.workingDirectory(),
      environment: terminal.environment,
      findStale,
    });
  if (fix || dryRun) {
    const { fixProblems } = await import('./fix/fix-problems.ts');
    const { toFixJson, toFixText } = await import('./fix/fix-text.ts');
    const done = await fixProblems({ load, isDry: dryRun });
    terminal.writeOut(
      json
        ? toJsonOutput({ ...toCheckJson(done.checked), ...toFixJson(done) })
        : `${toFixText(done, dryRun)}${toCheckText(done.checked)}`,
    );
    return toExitCode(done.checked, options);
  }
  const { manifest, checked } = await load();
  if (format !== undefined) {
    const { toCheckFormat } = await import('./check-format.ts');
    const keys = manifest.capabilities.map(({ key }) => key);
    terminal.writeOut(toCheckFormat(checked.problems, { format, strict, keys }));
  } else terminal.writeOut(json ? toJsonOutput(toCheckJson(checked)) : toCheckText(checked));
  return toExitCode(checked, options);
}

interface LoadCheckOptions extends Pick<Terminal, 'environment'> {
  readonly workingDirectory: string;
  readonly findStale: FindStale;
}

async function loadCheck(
  options: CheckOptions,
  { workingDirectory, environment, findStale }: LoadCheckOptions,
): Promise<LoadedCheck> {
  const { live, agents } = options;
  const loadedAt = Date.now();
  const loaded = await loadRegistry({ ...options, workingDirectory, withFaults: true });
  const { project } = loaded;
  const manifest = await loadManifest(loaded, live === undefined ? {} : { document: {} });
  const liveProblems =
    live === undefined
      ? []
      : await (await import('./load-live-problems.ts')).loadLiveProblems({ project, manifest, url: live });
  const probed = await probe({ options, environment }, loaded, manifest);
  const stale = await findStale(loaded);
  const all = {
    ...manifest,
    problems: [
      ...manifest.problems,
      ...stale.map(({ problem }) => problem),
      ...liveProblems,
      ...(probed?.problems ?? []),
    ],
  };
  const checked = checkProject(all, { settings: readSettings(project.root).check, agents });
  return { manifest, checked: probed === undefined ? checked : { ...checked, probe: probed.report }, stale, loadedAt };
}

/** The generator of inputs is loaded only where it is asked for. */
async function probe(
  { options, environment }: { readonly options: CheckOptions } & Pick<Terminal, 'environment'>,
  loaded: LoadedRegistry,
  manifest: Manifest,
) {
  const { seed, probeMutations: withMutations, header, context } = options;
  if (!isProbe(options)) return undefined;
  const { probeProject } = await import('./probe/probe-project.ts');
  const { parseContext } = await import('../cli/values/parse-context.ts');
  const given = context === undefined ? undefined : parseContext(context);
  return probeProject(loaded, manifest, {
    seed,
    withMutations,
    headers: parseHeaders(header, environment),
    context: given,
  });
}

function isProbe({ probe, probeMutations }: CheckOptions): boolean {
  return probe || probeMutations;
}

/** Options of the probe without one would be passed over without a word. */
function expectFitting(options: CheckOptions): void {
  if ((options.fix || options.dryRun) && options.format !== undefined)
    throw usageError(`option --format: it tells what is found, not what --${options.fix ? 'fix' : 'dry-run'} mends`);
  if (isProbe(options)) return;
  const [name] = (['seed', 'header', 'context'] as const).filter(
    (each) => options[each] !== undefined && String(options[each]) !== '',
  );
  if (name !== undefined) throw usageError(`option --${name}: it is for the calls of --probe`);
}

function toExitCode(checked: LoadedCheck['checked'], options: CheckOptions): number {
  return failsCheck(checked, options) ? exitCodes.failed : exitCodes.done;
}
