import type * as z from 'zod';
import type { CapixConfig, DevConfig } from '../../../server-runtime/define-config.ts';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { noSettings, type RuleSettings } from '../../manifest/rule-settings.ts';
import { readSettingsFile, type SettingsFile, toSettingsState } from './settings-file.ts';
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

const latest = new Map<string, { readonly state: string; readonly settings: ProjectSettings }>();

/**
 * Reads the settings of a project. Without a file of settings they are empty. Code runs again only where its files
 * changed.
 *
 * @throws CliError `InvalidSettings` with the place in the file
 */
export function readSettings(root: string): ProjectSettings {
  const known = latest.get(root);
  if (known?.state === toSettingsState(root)) return known.settings;
  const settings = parseSettings(readSettingsFile(root) ?? { name: '', value: {} });
  latest.set(root, { state: toSettingsState(root), settings });
  return settings;
}

function parseSettings({ name, value }: SettingsFile): ProjectSettings {
  const refuse = (path: readonly PropertyKey[], reason: string): CliError => {
    const place = path.map((part) => String(part)).join('.');
    return createCliError('InvalidSettings', { file: name, place: place === '' ? '' : `, ${place}`, reason });
  };
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const { check, diff, dev = {}, environments = {}, ...rest } = isEmpty ? {} : expectValid(value, refuse);
  return {
    ...rest,
    dev,
    environments,
    check: toRules(check, name),
    diff: toRules(diff, name),
    refuse,
  };
}

function expectValid(value: unknown, refuse: ProjectSettings['refuse']): CapixConfig {
  const schema = toSettingsSchema();
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw refuse([], result.error.message);
  throw toRefusal(issue, schema, refuse);
}

function toRefusal(issue: z.core.$ZodIssue, schema: z.core.$ZodType, refuse: ProjectSettings['refuse']): CliError {
  if (issue.code !== 'unrecognized_keys') return refuse(issue.path, issue.message);
  const [name = ''] = issue.keys;
  const names = findKnownNames(schema, issue.path).filter((known) => known !== '$schema');
  const nearest = findNearest(name, names);
  const hint = nearest === undefined ? `known are ${names.join(', ')}` : `did you mean \`${nearest}\`?`;
  return refuse([...issue.path, name], `there is no such setting (${hint})`);
}

type RulesIn = CapixConfig['check'] | CapixConfig['diff'];

function toRules(said: RulesIn, file: string): RuleSettings {
  if (said === undefined) return noSettings;
  const rules = Object.entries(said.rules ?? {}).map(([rule, setting]) => {
    const { severity, reason } = typeof setting === 'string' ? { severity: setting, reason: undefined } : setting;
    return [rule, { severity, reason, file }] as const;
  });
  return { rules: Object.fromEntries(rules), ignore: (said.ignore ?? []).map((entry) => ({ ...entry, file })) };
}
