import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createCliError } from '../cli/cli-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

const schema = z.strictObject({ start: z.enum(['home', 'list', 'check', 'openapi', 'dev']).optional() });

/**
 * The screen that `capix` alone opens in a project, as `start` of the user's `capix/config.json` says; undefined
 * without that file.
 *
 * @throws CliError `InvalidUserSettings`, with the file and the place in it
 */
export function readStartScreen({ environment }: Pick<Terminal, 'environment'>): z.output<typeof schema>['start'] {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = environment;
  const folder = XDG_CONFIG_HOME || APPDATA || (HOME && join(HOME, '.config'));
  if (!folder) return undefined;
  const file = join(folder, 'capix', 'config.json');
  const text = readIfThere(file);
  return text === undefined ? undefined : parseSettings(text, file).start;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw createCliError('InvalidUserSettings', { file, place: '', reason: message });
  }
}

function parseSettings(text: string, file: string): z.output<typeof schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createCliError('InvalidUserSettings', { file, place: '', reason: (error as Error).message });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `, ${issue.path.join('.')}`;
  throw createCliError('InvalidUserSettings', { file, place, reason: issue?.message ?? '' });
}
