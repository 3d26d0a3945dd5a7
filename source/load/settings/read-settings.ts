import { join } from 'node:path';
import * as z from 'zod';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { portNumber, secondsNumber } from '../../cli/common-options.ts';
import type { CapixConfig, DevConfig } from '../../manifest/define-config.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { findStats, toFileState } from '../../system/paths.ts';
import { findSettingsFile, readSettingsFile } from './settings-file.ts';

export interface ProjectSettings extends Pick<CapixConfig, 'capabilities' | 'envFiles'> {
  readonly environments: NonNullable<CapixConfig['environments']>;
  readonly dev: DevConfig;
  readonly diff: RuleSettings;
  readonly check: RuleSettings;
  /** The error for a setting that has a wrong value, by its path: `['dev', 'watch', 1]`. */
  readonly refuse: (path: readonly PropertyKey[], reason: string) => CliError;
}

type ReadSettings = { readonly settings: ProjectSettings } | { readonly error: unknown };

interface KnownSettings {
  readonly read: ReadSettings;
  /** The files that were read for it: that of the settings, and what it imports. */
  readonly files: ReadonlySet<string>;
  readonly state: string;
}

const latest = new Map<string, KnownSettings>();

/**
 * Reads the settings of a project. Until their file changes, or one that it imports, they are the same object.
 * @throws CliError `InvalidSettings`
 */
export function readSettings(root: string): ProjectSettings {
  const name = findSettingsFile(root);
  let known = latest.get(root);
  if (known === undefined || known.state !== toState(name, known.files)) {
    const files = new Set([join(root, name ?? 'capix.json')]);
    const read = attempt(root, name, files);
    known = { read, files, state: toState(name, files) };
    latest.set(root, known);
  }
  if ('error' in known.read) throw known.read.error;
  return known.read.settings;
}

function toState(name: string | undefined, files: ReadonlySet<string>): string {
  const states = [...files].map((file) => toFileState(findStats(file)));
  return [name, ...states].join('\n');
}

function attempt(root: string, name: string | undefined, files: Set<string>): ReadSettings {
  try {
    return { settings: parseSettings(root, name, files) };
  } catch (error) {
    return { error };
  }
}

function parseSettings(
  root: string,
  name: string | undefined,
  files: Set<string>,
): ProjectSettings {
  const file = name ?? '';
  const refuse = (path: readonly PropertyKey[], reason: string): CliError => {
    const place = path.map((part) => String(part)).join('.');
    return createCliError('InvalidSettings', {
      file,
      place: place === '' ? '' : `, ${place}`,
      reason,
    });
  };
  const settings =
    name === undefined ? {} : expectValid(readSettingsFile(root, name, files), refuse);
  const { check, diff, dev = {}, environments = {} } = settings;
  return {
    ...settings,
    dev,
    environments,
    check: { ...check, file },
    diff: { ...diff, file },
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

const reason = () => z.string().trim().min(1, 'say why, in a few words');

function toSection<const Severities extends readonly [string, ...string[]]>(
  severities: Severities,
) {
  const ignored = z.strictObject({
    rule: z.string().optional(),
    capability: z.string().optional(),
    at: z.string().optional(),
    reason: reason(),
  });
  const setting = z.union(
    [z.enum(severities), z.strictObject({ severity: z.enum(severities), reason: reason() })],
    {
      error: `expected one of ${severities.join(', ')}, alone or as { severity, reason }`,
    },
  );
  return z.strictObject({
    rules: z.record(z.string(), setting).optional(),
    ignore: z.array(ignored).optional(),
  });
}

function toSettingsSchema() {
  const environment = z.strictObject({
    url: z.string().regex(/^https?:\/\/./, 'expected a URL that begins with http:// or https://'),
    headers: z.record(z.string(), z.string()).optional(),
  });
  const dev = z.strictObject({
    entry: z.string().min(1).optional(),
    port: portNumber.optional(),
    host: z.string().min(1).optional(),
    allowedHosts: z.array(z.string().min(1)).optional(),
    stopFirst: z.boolean().optional(),
    stopGrace: secondsNumber.optional(),
    watch: z.array(z.string()).optional(),
    nodeOptions: z.array(z.string()).optional(),
    preload: z.boolean().optional(),
  });
  return z.strictObject({
    $schema: z.string().optional(),
    capabilities: z.string().min(1).optional(),
    envFiles: z.array(z.string()).optional(),
    environments: z.record(z.string(), environment).optional(),
    dev: dev.optional(),
    check: toSection(['error', 'warning', 'off']).optional(),
    diff: toSection(['breaking', 'risky', 'safe', 'off']).optional(),
  }) satisfies z.ZodType<CapixConfig>;
}

/** The names that the settings may have in a part of them, by its path: `['dev']`. */
export function findSettingNames(path: readonly PropertyKey[]): readonly string[] {
  let part = toSettingsSchema() as SettingsPart;
  for (const name of path) {
    const next = part.shape?.[String(name)] ?? part.valueType ?? part.element ?? {};
    part = next.unwrap?.() ?? next;
  }
  return Object.keys(part.shape ?? {});
}

interface SettingsPart {
  readonly shape?: Readonly<Record<string, SettingsPart>>;
  readonly valueType?: SettingsPart;
  readonly element?: SettingsPart;
  readonly unwrap?: () => SettingsPart;
}
