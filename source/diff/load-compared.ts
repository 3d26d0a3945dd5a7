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

export type Sides = readonly [before: ContractSide, after: ContractSide];

/** Two sides and what they differ in, as the project judges it. */
export interface Compared extends JudgedDiff {
  readonly sides: Sides;
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
  const project = expectComparedProject(options);
  const settings = expectRules(readSettings(project.root).diff);
  const now = { kind: 'config', label: 'the working tree', file: project.entryFile } as const;
  const sides = (await loadNamedSides(options, project, now)) as Sides;
  return { sides, ...judge(sides, settings) };
}

/** Compares two sides, and applies what the project has decided. */
export function judge([before, after]: Sides, settings: RuleSettings): JudgedDiff {
  const today = new Date().toISOString().slice(0, 10);
  return applySettings(compare(before.manifest.document, after.manifest.document, { today }), settings);
}

/** Loads the sides that are named, but for the project that somebody else has open. */
export async function loadOtherSides(options: LoadComparedOptions): Promise<readonly ContractSide[]> {
  return loadNamedSides(options, findProject(options, options.config));
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
function expectComparedProject(options: LoadComparedOptions): Project {
  const { before, after, config } = options;
  if (config !== undefined || after === undefined) return expectProject(options);
  return findProject(
    options,
    [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side)),
  );
}

function findProject(options: LoadComparedOptions, config: string | undefined): Project {
  try {
    return expectProject({ ...options, config });
  } catch {
    const root = options.workingDirectory;
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
  const place = `, diff.rules.${unknown}`;
  throw createCliError('InvalidSettings', { file, place, reason: 'there is no rule of this id' });
}
