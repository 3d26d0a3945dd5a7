import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { findStats } from '../../system/watch/find-stats.ts';
import { evaluateConfigFile, findConfigInputs } from './evaluate-config-file.ts';

/** The file of a project that has its settings. */
export interface SettingsFile {
  /** Relative to the root. */
  readonly name: string;
  /** The names that lead to the settings in it: `capix` in package.json. */
  readonly inside: readonly string[];
  readonly value: unknown;
}

/** The file of settings that is only data, relative to the root of the project. */
const JSON_FILE = 'capix.json';
const PACKAGE_FILE = 'package.json';
const CONFIG_FILE = /^capix\.config\.[cm]?[jt]s$/;

/**
 * Reads the settings of a project: `capix.config.*`, `capix.json`, or the field `capix` of package.json; undefined
 * without any of them.
 *
 * @throws CliError `InvalidSettings`, `TwoConfigFiles`
 */
export function readSettingsFile(root: string): SettingsFile | undefined {
  const field = readPackageField(root);
  const [name, second] = [...findFiles(root), ...(field === undefined ? [] : [PACKAGE_FILE])];
  if (name === undefined) return undefined;
  if (second !== undefined) throw createCliError('TwoConfigFiles', { first: name, second });
  if (name === PACKAGE_FILE) return { name, inside: ['capix'], value: field };
  const file = join(root, name);
  return { name, inside: [], value: name === JSON_FILE ? readJson(file) : evaluateConfigFile(file, root) };
}

/** A text that is another one when the settings may be others: what the files are that they are read from. */
export function toSettingsState(root: string): string {
  const found = findFiles(root).map((name) => join(root, name));
  const files = [...found, ...found.flatMap(findConfigInputs), join(root, PACKAGE_FILE)];
  return files.map((file) => `${file} ${toFileState(file)}`).join('\n');
}

function toFileState(file: string): string {
  const { mtimeMs, size, ino } = findStats(file) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

/** Whether a folder has settings that are not in a package.json. */
export function hasSettingsFile(folder: string): boolean {
  return findFiles(folder).length > 0;
}

/** Relative to the folder. One look at it costs less than one for each name. */
function findFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => CONFIG_FILE.test(name) || name === JSON_FILE)
      .toSorted();
  } catch {
    return [];
  }
}

/** A package.json that cannot be read is the package manager's to complain about. */
function readPackageField(root: string): unknown {
  try {
    const text = readFileSync(join(root, PACKAGE_FILE), 'utf8');
    return text.includes('"capix"') ? (JSON.parse(text) as { readonly capix?: unknown }).capix : undefined;
  } catch {
    return undefined;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw createCliError('InvalidSettings', { file: JSON_FILE, place: '', reason: (error as Error).message });
  }
}
