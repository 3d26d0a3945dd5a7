import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { findStats } from '../../system/watch/find-stats.ts';
import { evaluateConfigFile, findConfigInputs } from './evaluate-config-file.ts';

/** A file with settings of a project, which count together with those of the others. */
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
 * Reads every file of a project that has settings: `capix.config.*`, `capix.json`, and the field `capix` of package.json.
 *
 * @throws CliError `InvalidSettings`, `TwoConfigFiles`
 */
export function readSettingsFiles(root: string): readonly SettingsFile[] {
  const files: SettingsFile[] = [];
  const code = expectOneConfig(root);
  if (code !== undefined) {
    files.push({ name: code, inside: [], value: evaluateConfigFile(join(root, code), root) });
  }
  if (findStats(join(root, JSON_FILE))?.isFile())
    files.push({ name: JSON_FILE, inside: [], value: readJson(join(root, JSON_FILE), JSON_FILE) });
  const field = readPackageField(root);
  if (field !== undefined) files.push({ name: PACKAGE_FILE, inside: ['capix'], value: field });
  return files;
}

/** A text that is another one when the settings may be others: what the files are that they are read from. */
export function toSettingsState(root: string): string {
  const code = findConfigFiles(root).map((name) => join(root, name));
  const files = [...code, ...code.flatMap(findConfigInputs), join(root, JSON_FILE), join(root, PACKAGE_FILE)];
  return files.map((file) => `${file} ${toFileState(file)}`).join('\n');
}

function toFileState(file: string): string {
  const { mtimeMs, size, ino } = findStats(file) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

/** Whether a folder has settings that are not in a package.json. */
export function hasSettingsFile(folder: string): boolean {
  return findStats(join(folder, JSON_FILE))?.isFile() === true || findConfigFiles(folder).length > 0;
}

function expectOneConfig(root: string): string | undefined {
  const [first, second] = findConfigFiles(root);
  if (first === undefined || second === undefined) return first;
  throw createCliError('TwoConfigFiles', { first, second });
}

/** One look at the folder costs less than one for each name. */
function findConfigFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => CONFIG_FILE.test(name))
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

function readJson(file: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw createCliError('InvalidSettings', { file: name, place: '', reason: (error as Error).message });
  }
}
