import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createCliError } from '../cli/errors/cli-error.ts';
import type { RuleSettings } from '../manifest/settings/rule-settings.ts';
import { findStats } from '../system/watch/find-stats.ts';

/** The file in which a project says what its gate lets pass, relative to its root. */
export const SETTINGS_FILE = 'capix.json';

/** The way in which a project wants its server to be run by `capix dev`. The command line comes before it. */
export interface DevSettings {
  /** Whether the server is stopped before its new code starts. */
  readonly stopFirst?: boolean | undefined;
  /** The time that the server has to end, seconds. */
  readonly stopGrace?: number | undefined;
  /** Patterns of files that the code reads and does not import, relative to the root: a change of one restarts. */
  readonly watch?: readonly string[] | undefined;
}

/** The decisions of a project about the findings of the tool, and about its server. */
export interface ProjectSettings {
  readonly dev: DevSettings;
  readonly diff: RuleSettings;
  readonly check: RuleSettings;
}

/**
 * Reads the settings of a project: none where it has no `capix.json`.
 *
 * @throws CliError `InvalidSettings` with the place in the file
 */
export function readSettings(root: string): ProjectSettings {
  const file = join(root, SETTINGS_FILE);
  const text = findStats(file)?.isFile() ? readFileSync(file, 'utf8') : '{}';
  const result = settings.safeParse(parseJson(text));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw createCliError('InvalidSettings', { place: place === '' ? '' : `, ${place}`, reason: issue?.message ?? '' });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw createCliError('InvalidSettings', { place: '', reason: (error as Error).message });
  }
}

const text = z.string().trim().min(1, 'say why, in a few words');

const ignored = z.strictObject({
  rule: z.string().optional(),
  capability: z.string().optional(),
  at: z.string().optional(),
  reason: text,
  until: z.iso.date('expected a date such as 2027-01-31').optional(),
});

function toSection(severities: readonly [string, ...string[]]) {
  const setting = z.union([
    z.enum(severities).transform((severity) => ({ severity, reason: undefined })),
    z.strictObject({ severity: z.enum(severities), reason: text }),
  ]);
  return z
    .strictObject({
      rules: z.record(z.string(), setting).default({}),
      ignore: z.array(ignored).default([]),
    })
    .default({ rules: {}, ignore: [] });
}

const settings = z.strictObject({
  $schema: z.string().optional(),
  diff: toSection(['breaking', 'risky', 'safe', 'off']),
  check: toSection(['error', 'warning', 'off']),
  dev: z
    .strictObject({
      stopFirst: z.boolean().optional(),
      stopGrace: z.number().min(0).optional(),
      watch: z.array(z.string()).optional(),
    })
    .default({}),
});
