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
import { type ContractSide, loadSide, loadSides, type Sides } from '../sides/load-sides.ts';
import { expectSideSource } from '../sides/side-source.ts';

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
  const settings = expectRules(readSettings(expectComparedProject(options).root).diff);
  const sides = await loadNamedSides(options);
  return { sides, ...judge(sides, settings) };
}

/** Compares two sides, and applies what the project has decided. */
export function judge([before, after]: Sides, settings: RuleSettings): JudgedDiff {
  const today = new Date().toISOString().slice(0, 10);
  return applySettings(compare(before.manifest.document, after.manifest.document, { today }), settings);
}

/** Loads the sides that are named, the project as it is for one that is not. */
export async function loadNamedSides(options: LoadComparedOptions): Promise<Sides> {
  const { before, after } = options;
  const { project, place, load } = toPlace(options);
  const now = { kind: 'config', label: 'the working tree', file: project.entryFile } as const;
  const older = await expectSideSource(before, place);
  return loadSides([older, after === undefined ? now : await expectSideSource(after, place)], load);
}

/** Loads the older side alone: the newer one is the project that the screen has open. */
export async function loadNamedSide(options: LoadComparedOptions): Promise<ContractSide> {
  const { place, load } = toPlace({ ...options, isOpen: true });
  return loadSide(await expectSideSource(options.before, place), load);
}

interface ComparedProjectOptions extends LoadComparedOptions {
  /** Whether somebody else has opened the project. */
  readonly isOpen?: boolean;
}

function toPlace(options: ComparedProjectOptions) {
  const { workingDirectory, envFile, signal, onOutput } = options;
  const project = expectComparedProject(options);
  const ofRoot = (root: string): readonly string[] => toEnvFiles(root, { envFile, workingDirectory });
  const place = { root: project.root, workingDirectory };
  return { project, place, load: { project, toEnvFiles: ofRoot, signal, onOutput } };
}

/** Who names a capabilities file as the newer side names the project; two documents need none. */
function expectComparedProject({ before, after, isOpen = false, ...options }: ComparedProjectOptions): Project {
  if (!isOpen && (options.config !== undefined || after === undefined)) return expectProject(options);
  const isCode = (side: string | undefined): boolean => side !== undefined && /\.[cm]?[jt]sx?$/.test(side);
  const config = isOpen ? options.config : [after, before].find(isCode);
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
