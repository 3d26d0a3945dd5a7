import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeInProject } from '../files/write-files.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { findSettingsFile } from '../load/settings/settings-file.ts';
import type { CapixConfig } from '../manifest/define-config.ts';

/** A difference as an entry of `diff.ignore` names it. */
export interface AcceptedChange {
  readonly rule: string;
  readonly capability?: string;
  readonly at: string;
}

/**
 * Writes that the project accepts some differences, with a reason, into its `capix.json`. Gives a sentence about what
 * was written. Settings that are code are for their author to edit.
 *
 * @throws CliError `InvalidSettings`, `WriteFailed`, `LeadsOutside`
 */
export async function acceptChanges(
  root: string,
  changes: readonly AcceptedChange[],
  reason: string,
): Promise<string> {
  const file = findSettingsFile(root) ?? 'capix.json';
  if (!file.endsWith('.json')) return `Not written: ${file} is code; add it to diff.ignore there`;
  // A file that cannot be read is not replaced.
  readSettings(root);
  const text = await readFile(join(root, file), 'utf8').catch(() => '{}');
  const settings = JSON.parse(text) as CapixConfig;
  const ignore = [
    ...(settings.diff?.ignore ?? []),
    ...changes.map((change) => ({ ...change, reason })),
  ];
  const next = { ...settings, diff: { ...settings.diff, ignore } };
  await writeInProject(root, file, `${JSON.stringify(next, undefined, 2)}\n`);
  return `Accepted in ${file}`;
}
