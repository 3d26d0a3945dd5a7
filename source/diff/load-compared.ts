import { join } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { applySettings, type JudgedDiff } from '../contract/apply-settings.ts';
import { compare } from '../contract/compare.ts';
import { rules } from '../contract/rules.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { DEFAULT_CONFIG, expectProject, readProjectName } from '../load/expect-project.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import type { Project } from '../manifest/project.ts';
import type { RuleSettings } from '../manifest/rule-settings.ts';
import { type ContractSide, loadSides } from '../sides/load-sides.ts';
import { expectSideSource, type SideSource } from '../sides/side-source.ts';

/** Two sides and what they differ in, as the project judges it. */
export interface Compared extends JudgedDiff {
  readonly sides: readonly [before: ContractSide, after: ContractSide];
}

export interface LoadComparedOptions {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
  /** As given with `--config`. */
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  /** Absolute path. */
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Gets what the code of a side printed. @default nobody */
  readonly onOutput?: ((output: string) => void) | undefined;
}

/** Loads two sides, and compares them as the project says. */
export async function loadCompared(options: LoadComparedOptions): Promise<Compared> {
  const project = findProject(options, options.after === undefined);
  const settings = expectRules(readSettings(project.root).diff);
  const now = { kind: 'config', label: 'the working tree', file: project.entryFile } as const;
  const sides = (await loadNamedSides(options, project, now)) as Compared['sides'];
  const [before, after] = sides;
  return { sides, ...judge(before.manifest.document, after.manifest.document, settings) };
}

/** Compares two documents, and applies what the project has decided. */
export function judge(before: object, after: object, settings: RuleSettings): JudgedDiff {
  return applySettings(compare(before, after, { today: new Date().toISOString().slice(0, 10) }), settings);
}

/** Loads the sides that are named, but for the project that somebody else has open. */
export async function loadOtherSides(options: LoadComparedOptions): Promise<readonly ContractSide[]> {
  return loadNamedSides(options, findProject(options, false));
}

/** `now`: what is compared where no newer side is named. */
async function loadNamedSides(
  { before, after, workingDirectory, envFile, signal, onOutput }: LoadComparedOptions,
  project: Project,
  now?: SideSource,
): Promise<readonly ContractSide[]> {
  const place = { root: project.root, workingDirectory };
  const older = await expectSideSource(before, place);
  const newer = after === undefined ? now : await expectSideSource(after, place);
  const toEnv = (root: string): readonly string[] => toEnvFiles(root, { envFile, workingDirectory });
  return loadSides(newer === undefined ? [older] : [older, newer], { project, toEnvFiles: toEnv, signal, onOutput });
}

/** Who names a capabilities file as the newer side names the project; two documents need none. */
function findProject({ before, after, config, workingDirectory }: LoadComparedOptions, mustExist: boolean): Project {
  const named = after === undefined ? undefined : [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side));
  try {
    return expectProject({ config: config ?? named, workingDirectory });
  } catch (error) {
    if (mustExist || config !== undefined) throw error;
    const root = workingDirectory;
    return { root, name: readProjectName(root), entryFile: join(root, DEFAULT_CONFIG) };
  }
}

/**
 * Gives the decisions about differences back.
 *
 * @throws CliError `InvalidSettings` where they name a rule that does not exist
 */
export function expectRules(settings: RuleSettings): RuleSettings {
  const unknown = Object.keys(settings.rules).find((rule) => !Object.hasOwn(rules, rule));
  if (unknown === undefined) return settings;
  const file = settings.rules[unknown]?.file ?? 'capix.json';
  throw createCliError('InvalidSettings', {
    file,
    place: `, diff.rules.${unknown}`,
    reason: 'there is no rule of this id',
  });
}
