import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import type { SettingsFile } from './settings-file.ts';

/** The settings of several files as one. */
export interface MergedSettings {
  readonly value: unknown;
  /** The file that a setting stands in, and its place in that file; `path` as in the merged value. */
  readonly placeOf: (path: readonly PropertyKey[]) => SettingsPlace;
}

export interface SettingsPlace {
  readonly file: string;
  /** `diff.rules.route-changed`; empty for the file as a whole. */
  readonly place: string;
}

/**
 * Puts the settings of several files together, name by name. None of the files comes before another: who says a thing twice must say the same.
 *
 * @throws CliError `ConflictingSettings` with both files and both values
 */
export function mergeSettings(files: readonly SettingsFile[]): MergedSettings {
  const owners = new Map<string, SettingsFile>();
  let merged: unknown = {};
  for (const [index, file] of files.entries()) {
    merged = index === 0 ? file.value : merge(merged, file.value, { file, path: [], owners });
    remember(file.value, { file, path: [], owners });
  }
  return { value: merged, placeOf: (path) => toPlace(path, owners, files) };
}

interface Merging {
  readonly file: SettingsFile;
  readonly path: readonly string[];
  /** The first file that says a thing, by its path. */
  readonly owners: Map<string, SettingsFile>;
}

function merge(first: unknown, second: unknown, merging: Merging): unknown {
  if (!isRecord(first) || !isRecord(second)) {
    if (JSON.stringify(first) === JSON.stringify(second)) return first;
    throw toConflict(first, second, merging);
  }
  const both = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const path = [...merging.path, name];
    both[name] = first[name] === undefined ? value : merge(first[name], value, { ...merging, path });
  }
  return both;
}

function toConflict(first: unknown, second: unknown, { file, path, owners }: Merging): CliError {
  const key = path.join('\0');
  const owner = owners.get(key) ?? [...owners].find(([said]) => said.startsWith(key))?.[1];
  return createCliError('ConflictingSettings', {
    setting: path.length === 0 ? 'The whole' : `\`${path.join('.')}\``,
    first: toShown(first),
    firstFile: owner?.name ?? file.name,
    second: toShown(second),
    secondFile: file.name,
  });
}

function toShown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function remember(value: unknown, { file, path, owners }: Merging): void {
  const key = path.join('\0');
  if (!owners.has(key)) owners.set(key, file);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) remember(part, { file, path: [...path, name], owners });
}

/** The place of a setting; of one that is missing, in the file that has what it is missing in. */
function toPlace(
  path: readonly PropertyKey[],
  owners: Merging['owners'],
  files: readonly SettingsFile[],
): SettingsPlace {
  const names = path.map(String);
  let file: SettingsFile | undefined;
  for (let length = names.length; length >= 0 && file === undefined; length--)
    file = owners.get(names.slice(0, length).join('\0'));
  file ??= files[0];
  return { file: file?.name ?? 'capix.json', place: [...(file?.inside ?? []), ...names].join('.') };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
