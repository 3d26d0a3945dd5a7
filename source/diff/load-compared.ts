import { dirname, join, resolve } from 'node:path';
import { createCliError, usageError } from '../cli/cli-error.ts';
import { isRule } from '../contract/changes/contract-change.ts';
import { compareWithPauses, type PauseOptions } from '../contract/compare.ts';
import { applySettings, type JudgedDiff } from '../contract/summary/apply-settings.ts';
import { toEnvFiles } from '../load/env-files.ts';
import {
  DEFAULT_CONFIG,
  expectProject,
  findProjectRoot,
  readProjectName,
} from '../load/expect-project.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { findSettingsFile } from '../load/settings/settings-file.ts';
import type { Project } from '../manifest/project.ts';
import type { RuleSettings } from '../manifest/rule-settings.ts';
import { parseRange } from '../sides/git/find-commit.ts';
import { type ContractSide, loadSides } from '../sides/load-sides.ts';
import type { Unread } from '../sides/references/unread.ts';
import type { LoadSideOptions } from '../sides/side-options.ts';

export interface Compared extends JudgedDiff {
  readonly sides: readonly [before: ContractSide, after: ContractSide];
  /** Sentences about the sides that whoever reads the differences should know. */
  readonly notes: readonly string[];
  /** What was not compared. */
  readonly unread: readonly UnreadPart[];
}

export interface UnreadPart extends Unread {
  /** The label of the side that it stands in. */
  readonly side: string;
}

/** The sides as they were named. */
export interface NamedSides {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
}

interface LoadComparedOptions extends NamedSides, Omit<LoadSideOptions, 'project' | 'toEnvFiles'> {
  /** The value of `--config`. */
  readonly config?: string | undefined;
  readonly envFile?: readonly string[] | undefined;
}

export async function loadCompared(all: LoadComparedOptions): Promise<Compared> {
  const options = { ...all, ...toNamedSides(all) };
  const project = findProject(options, options.after === undefined);
  const { settings, notes } = readDecisions(project.root, options);
  const [before, after] = (await loadNamed(
    options,
    project,
    project.entryFile,
  )) as Compared['sides'];
  const newer = options.after === undefined ? { ...after, label: 'the working tree' } : after;
  const sides = [before, newer] as const;
  return {
    sides,
    notes: [...notes, ...toSideNotes(sides, options)],
    unread: toUnread(sides),
    ...(await judge({
      before: before.manifest.document,
      after: after.manifest.document,
      settings,
      signal: options.signal,
    })),
  };
}

/** `main...topic` names two sides: where the branches parted, and the second one. */
export function toNamedSides({ before, after }: NamedSides): NamedSides {
  const to = parseRange(before)?.to;
  if (to !== undefined && after !== undefined && after !== to)
    throw usageError(`${before} names both sides, so that ${after} is one too many`);
  return { before, after: after ?? to };
}

/** What no comparison looks at, of both sides. */
export function toUnread(sides: readonly ContractSide[]): readonly UnreadPart[] {
  return sides.flatMap(({ label, unread }) => unread.map((part) => ({ side: label, ...part })));
}

/** What was found of the sides, and whether the older one has what the newer one never had. */
export function toSideNotes(
  [before, after]: readonly ContractSide[],
  { after: named }: NamedSides,
): readonly string[] {
  const label = before?.label ?? '';
  const isBehind = named === undefined && before?.isElsewhere && parseRange(label) === undefined;
  return [
    ...new Set([...(before?.notes ?? []), ...(after?.notes ?? [])]),
    ...(isBehind
      ? [
          `${label} has commits that this branch lacks: \`${label}...\` compares with where they parted.`,
        ]
      : []),
  ];
}

/** The decisions of the project. Settings may be code, too. */
function readDecisions(
  root: string,
  { runsCode = true }: LoadComparedOptions,
): { readonly settings: RuleSettings; readonly notes: readonly string[] } {
  const file = findSettingsFile(root);
  if (runsCode || file === undefined || file.endsWith('.json'))
    return { settings: readSettings(root).diff, notes: [] };
  return { settings: {}, notes: [`${file} is code, and was not run: no decision of it counts.`] };
}

export interface JudgeOptions extends Omit<PauseOptions, 'today'> {
  /** Documents. */
  readonly before: object;
  readonly after: object;
  readonly settings: RuleSettings;
}

/**
 * Compares two documents, and applies what the project has decided.
 *
 * @throws CliError `InvalidSettings` where it names a rule that does not exist; the reason of `signal`
 */
export async function judge({
  before,
  after,
  settings,
  ...pauses
}: JudgeOptions): Promise<JudgedDiff> {
  const { rules = {}, file = 'capix.json' } = settings;
  const id = Object.keys(rules).find((rule) => !isRule(rule));
  const reason = 'there is no rule of this id';
  if (id !== undefined)
    throw createCliError('InvalidSettings', { file, place: `, diff.rules.${id}`, reason });
  const today = new Date().toISOString().slice(0, 10);
  return applySettings(await compareWithPauses(before, after, { ...pauses, today }), settings);
}

/** Loads the sides that are named, but for the project that somebody else has open. */
export async function loadOtherSides(
  options: LoadComparedOptions,
): Promise<readonly ContractSide[]> {
  const named = { ...options, ...toNamedSides(options) };
  return loadNamed(named, findProject(named, false));
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

/** A capabilities file as the newer side names the project; two documents need none. */
function findProject(
  { before, after, config, workingDirectory, runsCode }: LoadComparedOptions,
  mustExist: boolean,
): Project {
  const named =
    after === undefined ? undefined : [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side));
  if (runsCode === false) return toUnreadProject(config ?? named, workingDirectory);
  try {
    return expectProject({ config: config ?? named, workingDirectory });
  } catch (error) {
    if (mustExist || config !== undefined) throw error;
    const root = workingDirectory;
    return { root, name: readProjectName(root), entryFile: join(root, DEFAULT_CONFIG) };
  }
}

/** The project around a folder, of which nothing runs, not even its settings. */
function toUnreadProject(config: string | undefined, workingDirectory: string): Project {
  const named = config && resolve(workingDirectory, config);
  const from = named ? dirname(named) : workingDirectory;
  const root = findProjectRoot(from) ?? from;
  return { root, name: readProjectName(root), entryFile: named ?? join(root, DEFAULT_CONFIG) };
}
