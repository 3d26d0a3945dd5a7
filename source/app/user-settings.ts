import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createCliError } from '../cli/errors/cli-error.ts';
import { actionNames } from '../kit/keys/action-names.ts';
import { isKeyName, type KeyName, toTypedText } from '../kit/keys/key-name.ts';
import { createOwnKeys } from '../kit/keys/own-keys.ts';
import { type TextStyle, type Token, tokens } from '../kit/theme/tokens.ts';
import type { UiSettings } from '../kit/theme/use-ui.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The wishes of the user of this machine for all projects. */
export interface UserSettings {
  readonly ui: UiSettings;
  /** Whether the screens take the mouse: its wheel and its clicks. */
  readonly hasMouse: boolean;
}

const noSettings: UserSettings = { ui: {}, hasMouse: true };

/**
 * Reads `capix/config.json` in the folder of settings of the user: none where there is no such file.
 *
 * @throws CliError `InvalidUserSettings` with the file and the place in it
 */
export function readUserSettings({ environment }: Pick<Terminal, 'environment'>): UserSettings {
  const file = findSettingsFile(environment);
  const text = file === undefined ? undefined : readIfThere(file);
  return file === undefined || text === undefined ? noSettings : parseUserSettings(text, file);
}

/** `$XDG_CONFIG_HOME/capix/config.json`, else below `~/.config`; on Windows below `%APPDATA%`. */
function findSettingsFile({ XDG_CONFIG_HOME, APPDATA, HOME }: Terminal['environment']): string | undefined {
  const folder = XDG_CONFIG_HOME || APPDATA || (HOME && join(HOME, '.config'));
  return folder ? join(folder, 'capix', 'config.json') : undefined;
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

/** @throws CliError `InvalidUserSettings` */
export function parseUserSettings(text: string, file: string): UserSettings {
  const refuse = (place: string, reason: string): Error =>
    createCliError('InvalidUserSettings', { file, place: place === '' ? '' : `, ${place}`, reason });
  const result = toSchema().safeParse(parseJson(text, (reason) => refuse('', reason)));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw refuse(issue?.path.join('.') ?? '', issue?.message ?? '');
  }
  const { keys, theme, mouse } = result.data;
  const problem = findKeyProblem(keys);
  if (problem !== undefined) throw refuse(`keys.${problem.name}`, problem.reason);
  const ownKeys = Object.keys(keys).length === 0 ? undefined : createOwnKeys(keys);
  return { ui: { ownKeys, theme: theme as Partial<Record<Token, TextStyle>> }, hasMouse: mouse };
}

function parseJson(text: string, refuse: (reason: string) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}

const colorNames = 'black red green yellow blue magenta cyan white gray'.split(' ');
const brightNames = colorNames.slice(1, 8).map((name) => `${name}Bright`);

/** Made only where there is a file to read. */
function toSchema() {
  const keyName = z.string().refine(isKeyName, 'is not the name of a key, such as "c", "enter", "ctrl+x" or "alt+x"');
  const color = z
    .string()
    .refine(
      (name) => [...colorNames, ...brightNames].includes(name) || /^#[0-9a-f]{6}$/i.test(name),
      `is none of ${[...colorNames, ...brightNames].join(', ')}, and not a colour such as "#5fafff"`,
    );
  const style = z
    .strictObject({
      color: color.optional(),
      bold: z.boolean().optional(),
      dim: z.boolean().optional(),
      underline: z.boolean().optional(),
    })
    .transform(({ dim, ...rest }) => ({ ...rest, ...(dim === undefined ? {} : { dimColor: dim }) }));
  const tokenNames = Object.keys(tokens) as [Token, ...Token[]];
  return z.strictObject({
    keys: z.record(z.string(), z.preprocess(toList, z.array(keyName))).default({}),
    theme: z.partialRecord(z.enum(tokenNames), z.preprocess(toStyle, style)).optional(),
    mouse: z.boolean().default(true),
  });
}

/** One key may stand for a list of one. */
function toList(keys: unknown): unknown {
  return typeof keys === 'string' ? [keys] : keys;
}

/** A colour may stand for a style of it alone. */
function toStyle(style: unknown): unknown {
  return typeof style === 'string' ? { color: style } : style;
}

interface KeyProblem {
  readonly name: string;
  readonly reason: string;
}

function findKeyProblem(keys: Readonly<Record<string, readonly KeyName[]>>): KeyProblem | undefined {
  const owners = new Map<string, string>();
  for (const [name, chosen] of Object.entries(keys)) {
    const scope = name.split('.')[0] ?? '';
    if (!actionNames.includes(name)) return { name, reason: 'is not the name of an action' };
    for (const key of chosen) {
      if (key === 'ctrl+c') return { name, reason: '"ctrl+c" always leaves' };
      if (textScopes.has(scope) && toTypedText(key) !== undefined)
        return { name, reason: `"${key}" is text where this action works: choose a key with ctrl or alt` };
      const owner = owners.get(`${scope} ${key}`);
      if (owner !== undefined) return { name, reason: `"${key}" is that of ${owner}, too` };
      owners.set(`${scope} ${key}`, name);
    }
  }
  return undefined;
}

/** The actions that work while text is typed. */
const textScopes: ReadonlySet<string> = new Set([
  'text',
  'form',
  'value',
  'items',
  'call',
  'filter-line',
  'find',
  'prompt',
  'go-to',
  'generate',
  'group',
  'new-project',
  'last-calls',
]);
