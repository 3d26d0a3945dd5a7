import { join } from 'node:path';
import { createCliError } from '../cli/errors/cli-error.ts';
import { diffManifests } from '../contract/diff-manifests.ts';
import { applySettings } from '../contract/rules/apply-settings.ts';
import { contractRules } from '../contract/rules/contract-rules.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { DEFAULT_CONFIG, expectProject, readProjectName } from '../load/expect-project.ts';
import { readSettings } from '../load/read-settings.ts';
import type { Project } from '../manifest/project.ts';
import type { RuleSettings } from '../manifest/settings/rule-settings.ts';
import { loadSides } from '../sides/load-side.ts';
import { loadSideSource, type SideSource } from '../sides/side-source.ts';
import { toComparable } from '../sides/to-comparable.ts';
import type { Compared } from './compared.ts';
import { filterDiff } from './filter-diff.ts';

export interface LoadComparedOptions {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
  /** As given with `--config`. */
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly only: readonly string[];
  /** Absolute path. */
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** ISO date. */
  readonly today: string;
}

/** Loads two sides, and compares them as the project says. */
export async function loadCompared(options: LoadComparedOptions): Promise<Compared> {
  const { before, after, today, only, workingDirectory, envFile, signal } = options;
  const project = findProject(options);
  const toSource = (side: string): Promise<SideSource> =>
    loadSideSource(side, { root: project.root, workingDirectory });
  const sources = [
    await toSource(before),
    after === undefined ? toWorkingTree(project) : await toSource(after),
  ] as const;
  const ofRoot = (root: string): readonly string[] => toEnvFiles(root, { envFile, workingDirectory });
  const [old, now] = toComparable(await loadSides(sources, { project, toEnvFiles: ofRoot, signal }));
  const settings = expectRules(readSettings(project.root).diff);
  const { diff, ignored } = applySettings(diffManifests(old.manifest, now.manifest, { today }), settings, today);
  return { before: old, after: now, diff: filterDiff(diff, only), ignored };
}

/** Who names a capabilities file as the newer side names the project; two documents need none. */
function findProject({ before, after, ...options }: LoadComparedOptions): Project {
  if (options.config !== undefined || after === undefined) return expectProject(options);
  const config = [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side));
  try {
    return expectProject({ ...options, config });
  } catch {
    const root = options.workingDirectory;
    return { root, name: readProjectName(root), configFile: join(root, DEFAULT_CONFIG) };
  }
}

function toWorkingTree({ configFile }: Project): SideSource {
  return { kind: 'config', label: 'the working tree', file: configFile };
}

function expectRules(settings: RuleSettings): RuleSettings {
  const unknown = Object.keys(settings.rules).find((rule) => !Object.hasOwn(contractRules, rule));
  if (unknown === undefined) return settings;
  throw createCliError('InvalidSettings', { place: `, diff.rules.${unknown}`, reason: 'there is no rule of this id' });
}
