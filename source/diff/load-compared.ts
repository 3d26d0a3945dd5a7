import { join } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { applySettings, type JudgedDiff } from '../contract/apply-settings.ts';
import { compare } from '../contract/compare.ts';
import { isRule } from '../contract/rules.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { DEFAULT_CONFIG, expectProject, readProjectName } from '../load/expect-project.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import type { Project } from '../manifest/project.ts';
import type { RuleSettings } from '../manifest/rule-settings.ts';
import { type ContractSide, type LoadSideOptions, loadSides } from '../sides/load-sides.ts';

export interface Compared extends JudgedDiff {
  readonly sides: readonly [before: ContractSide, after: ContractSide];
}

export interface LoadComparedOptions extends Omit<LoadSideOptions, 'project' | 'toEnvFiles'> {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
  /** As given with `--config`. */
  readonly config?: string | undefined;
  readonly envFile?: readonly string[] | undefined;
}

export async function loadCompared(options: LoadComparedOptions): Promise<Compared> {
  const project = findProject(options, options.after === undefined);
  const settings = readSettings(project.root).diff;
  const [before, after] = (await loadNamed(
    options,
    project,
    project.entryFile,
  )) as Compared['sides'];
  const newer = options.after === undefined ? { ...after, label: 'the working tree' } : after;
  return {
    sides: [before, newer],
    ...judge(before.manifest.document, after.manifest.document, settings),
  };
}

/**
 * Compares two documents, and applies what the project has decided.
 *
 * @throws CliError `InvalidSettings` where it names a rule that does not exist
 */
export function judge(before: object, after: object, settings: RuleSettings): JudgedDiff {
  const { rules = {}, file = 'capix.json' } = settings;
  const id = Object.keys(rules).find((rule) => !isRule(rule));
  const reason = 'there is no rule of this id';
  if (id !== undefined)
    throw createCliError('InvalidSettings', { file, place: `, diff.rules.${id}`, reason });
  return applySettings(
    compare(before, after, { today: new Date().toISOString().slice(0, 10) }),
    settings,
  );
}

/** Loads the sides that are named, but for the project that somebody else has open. */
export async function loadOtherSides(
  options: LoadComparedOptions,
): Promise<readonly ContractSide[]> {
  return loadNamed(options, findProject(options, false));
}

/** `now`: the file that is compared where no newer side is named. */
function loadNamed(
  options: LoadComparedOptions,
  project: Project,
  now?: string,
): Promise<readonly ContractSide[]> {
  const { before, after = now } = options;
  const toEnv = (root: string): readonly string[] => toEnvFiles(root, options);
  return loadSides(after === undefined ? [before] : [before, after], {
    ...options,
    project,
    toEnvFiles: toEnv,
  });
}

/** Who names a capabilities file as the newer side names the project; two documents need none. */
function findProject(
  { before, after, config, workingDirectory }: LoadComparedOptions,
  mustExist: boolean,
): Project {
  const named =
    after === undefined ? undefined : [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side));
  try {
    return expectProject({ config: config ?? named, workingDirectory });
  } catch (error) {
    if (mustExist || config !== undefined) throw error;
    const root = workingDirectory;
    return { root, name: readProjectName(root), entryFile: join(root, DEFAULT_CONFIG) };
  }
}
