import type * as z from 'zod';
import type { CapixConfig, DevConfig } from '../../../server-runtime/define-config.ts';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { noSettings, type RuleSettings } from '../../manifest/rule-settings.ts';
import { readSettingsFile, toSettingsState } from './settings-file.ts';
import { findKnownNames, toSettingsSchema } from './settings-schema.ts';

/** The decisions of a project about the tool. */
export interface ProjectSettings extends Pick<CapixConfig, 'capabilities' | 'envFiles'> {
  readonly environments: NonNullable<CapixConfig['environments']>;
  readonly dev: DevConfig;
  readonly diff: RuleSettings;
  readonly check: RuleSettings;
  /** The error for a setting that has a wrong value, by its path: `['dev', 'watch', 1]`. */
  readonly refuse: (path: readonly PropertyKey[], reason: string) => CliError;
}

interface ReadSettings {
  readonly state: string;
  readonly settings?: ProjectSettings;
  readonly error?: unknown;
}

const latest = new Map<string, ReadSettings>();

/**
 * Reads the settings of a project. Without a file of settings they are empty. Code runs again only where its files
 * changed; until then what it gave, or threw, is the same object.
 *
 * @throws CliError `InvalidSettings` with the place in the file
 */
export function readSettings(root: string): ProjectSettings {
  let read = latest.get(root);
  if (read?.state !== toSettingsState(root)) {
    read = attempt(root);
    latest.set(root, read);
  }
  if (read.settings === undefined) throw read.error;
  return read.settings;
}

function attempt(root: string): ReadSettings {
  try {
    const settings = parseSettings(root);
    return { settings, state: toSettingsState(root) };
  } catch (error) {
    return { error, state: toSettingsState(root) };
  }
}

function parseSettings(root: string): ProjectSettings {
  const file = readSettingsFile(root);
  const name = file?.name ?? '';
  const refuse = (path: readonly PropertyKey[], reason: string): CliError => {
    const place = path.map((part) => String(part)).join('.');
    return createCliError('InvalidSettings', { file: name, place: place === '' ? '' : `, ${place}`, reason });
  };
  const { check, diff, dev = {}, environments = {}, ...rest } = file ? expectValid(file.value, refuse) : {};
  return { ...rest, dev, environments, check: toRules(check, name), diff: toRules(diff, name), refuse };
}

function expectValid(value: unknown, refuse: ProjectSettings['refuse']): CapixConfig {
  const schema = toSettingsSchema();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  if (issue.code !== 'unrecognized_keys') throw refuse(issue.path, issue.message);
  const [name = ''] = issue.keys;
  const names = findKnownNames(schema, issue.path).filter((known) => known !== '$schema');
  const nearest = findNearest(name, names);
  const hint = nearest === undefined ? `known are ${names.join(', ')}` : `did you mean \`${nearest}\`?`;
  throw refuse([...issue.path, name], `there is no such setting (${hint})`);
}

function toRules(said: CapixConfig['check'] | CapixConfig['diff'], file: string): RuleSettings {
  if (said === undefined) return noSettings;
  const rules = Object.entries(said.rules ?? {}).map(([rule, setting]) => {
    const { severity, reason } = typeof setting === 'string' ? { severity: setting, reason: undefined } : setting;
    return [rule, { severity, reason, file }] as const;
  });
  return { rules: Object.fromEntries(rules), ignore: (said.ignore ?? []).map((entry) => ({ ...entry, file })) };
}
