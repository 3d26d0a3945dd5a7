import { join } from 'node:path';
import type * as z from 'zod';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import type { CapixConfig, DevConfig } from '../../manifest/define-config.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { findStats } from '../../system/paths.ts';
import { findSettingsFile, readSettingsFile } from './settings-file.ts';
import { findSettingNames, toSettingsSchema } from './settings-schema.ts';

export interface ProjectSettings extends Pick<CapixConfig, 'capabilities' | 'envFiles'> {
  readonly environments: NonNullable<CapixConfig['environments']>;
  readonly dev: DevConfig;
  readonly diff: RuleSettings;
  readonly check: RuleSettings;
  /** The error for a setting that has a wrong value, by its path: `['dev', 'watch', 1]`. */
  readonly refuse: (path: readonly PropertyKey[], reason: string) => CliError;
}

type ReadSettings = { readonly settings: ProjectSettings } | { readonly error: unknown };

const latest = new Map<string, { readonly state: string; readonly read: ReadSettings }>();

/**
 * Reads the settings of a project. Until their file changes, they are the same object.
 * @throws CliError `InvalidSettings`
 */
export function readSettings(root: string): ProjectSettings {
  const name = findSettingsFile(root);
  const { mtimeMs, size, ino } = findStats(join(root, name ?? 'capix.json')) ?? {};
  const state = `${name} ${mtimeMs} ${size} ${ino}`;
  let known = latest.get(root);
  if (known?.state !== state) {
    known = { state, read: attempt(root, name) };
    latest.set(root, known);
  }
  if ('error' in known.read) throw known.read.error;
  return known.read.settings;
}

function attempt(root: string, name: string | undefined): ReadSettings {
  try {
    return { settings: parseSettings(root, name) };
  } catch (error) {
    return { error };
  }
}

function parseSettings(root: string, name = ''): ProjectSettings {
  const refuse = (path: readonly PropertyKey[], reason: string): CliError => {
    const place = path.map((part) => String(part)).join('.');
    return createCliError('InvalidSettings', {
      file: name,
      place: place === '' ? '' : `, ${place}`,
      reason,
    });
  };
  const settings = name === '' ? {} : expectValid(readSettingsFile(root, name), refuse);
  const { check, diff, dev = {}, environments = {} } = settings;
  return {
    ...settings,
    dev,
    environments,
    check: { ...check, file: name },
    diff: { ...diff, file: name },
    refuse,
  };
}

function expectValid(value: unknown, refuse: ProjectSettings['refuse']): CapixConfig {
  const result = toSettingsSchema().safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  if (issue.code !== 'unrecognized_keys') throw refuse(issue.path, issue.message);
  const [name = ''] = issue.keys;
  const nearest = findNearest(name, findSettingNames(issue.path));
  const hint = nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`;
  throw refuse([...issue.path, name], `there is no such setting${hint}`);
}
