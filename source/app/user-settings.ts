import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createCliError } from '../cli/errors/cli-error.ts';
import { actionNames } from '../kit/keys/action-names.ts';
import { isKeyName, type KeyName, toTypedText } from '../kit/keys/key-name.ts';
import { createOwnKeys } from '../kit/keys/own-keys.ts';
import { type TextStyle, type Token, tokens } from '../kit/theme/tokens.ts';
import type { UiSettings } from '../kit/theme/use-ui.ts';
import type { ProjectSettings } from '../load/settings/read-settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The wishes of the user of this machine for all projects. */
export interface UserSettings {
  readonly ui: UiSettings;
  /** Whether the screens take the mouse: its wheel and its clicks. */
  readonly hasMouse: boolean;
  /** The screen that `capix` alone opens in a project. @default 'home' */
  readonly start?: StartScreen | undefined;
}

const startScreens = ['home', 'list', 'check', 'openapi', 'dev'] as const;

type StartScreen = (typeof startScreens)[number];

/**
 * Reads `capix/config.json` in the folder of settings of the user, and puts it before the keys and colours that the project in hand has in its
 * settings. Without either, nothing is set.
 *
 * @param project its settings; undefined outside a project
 * @throws CliError `InvalidUserSettings`, or `InvalidSettings` for those of the project, with the file and the place in it
 */
export function readUserSettings(
  { environment }: Pick<Terminal, 'environment'>,
  project?: Pick<ProjectSettings, 'keys' | 'theme' | 'refuse'>,
): UserSettings {
  const file = findSettingsFile(environment);
  const text = file === undefined ? undefined : readIfThere(file);
  const own = file === undefined || text === undefined ? noWishes : parseWishes(text, file);
  const { keys, theme, refuse } = project ?? {};
  return toSettings(own, refuse === undefined ? noWishes : expectSound({ keys, theme }, refuse));
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
  return toSettings(parseWishes(text, file), noWishes);
}

type Wishes = z.output<ReturnType<typeof toSchema>>;
type Refuse = ProjectSettings['refuse'];

const noWishes: Wishes = { keys: {}, theme: {}, mouse: true };

function parseWishes(text: string, file: string): Wishes {
  const refuse: Refuse = (path, reason) => {
    const place = path.length === 0 ? '' : `, ${path.join('.')}`;
    return createCliError('InvalidUserSettings', { file, place, reason });
  };
  return expectSound(
    parseJson(text, (reason) => refuse([], reason)),
    refuse,
  );
}

function expectSound(value: unknown, refuse: Refuse): Wishes {
  const result = toSchema().safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw refuse(issue?.path ?? [], issue?.message ?? '');
  }
  const problem = findKeyProblem(result.data.keys);
  if (problem === undefined) return result.data;
  throw refuse(['keys', problem.name], problem.reason);
}

/** A key that the user has given to an action is not one that the project gives to another action of the same table. */
function toSettings(own: Wishes, project: Wishes): UserSettings {
  const taken = new Set(
    Object.entries(own.keys).flatMap(([name, keys]) => keys.map((key) => `${toScope(name)} ${key}`)),
  );
  const offered = Object.entries(project.keys).map(
    ([name, keys]) => [name, keys.filter((key) => !taken.has(`${toScope(name)} ${key}`))] as const,
  );
  const keys = { ...Object.fromEntries(offered), ...own.keys };
  const theme = { ...project.theme, ...own.theme } as Partial<Record<Token, TextStyle>>;
  const hasTheme = Object.keys(theme).length > 0;
  const ownKeys = Object.keys(keys).length === 0 ? undefined : createOwnKeys(keys);
  const background = own.background && { isLight: own.background === 'light' };
  return { ui: { ownKeys, theme: hasTheme ? theme : undefined, background }, hasMouse: own.mouse, start: own.start };
}

function toScope(name: string): string {
  return name.split('.')[0] ?? '';
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
      `is neither one of ${[...colorNames, ...brightNames].join(', ')} nor a colour such as "#5fafff"`,
    );
  const style = z
    .strictObject({
      color: color.optional(),
      bold: z.boolean().optional(),
      dim: z.boolean().optional(),
      underline: z.boolean().optional(),
      background: color.optional(),
    })
    .transform(({ dim, background, ...rest }) => ({
      ...rest,
      ...(dim === undefined ? {} : { dimColor: dim }),
      ...(background === undefined ? {} : { backgroundColor: background }),
    }));
  const tokenNames = Object.keys(tokens) as [Token, ...Token[]];
  return z.strictObject({
    keys: z.record(z.string(), z.preprocess(toList, z.array(keyName))).default({}),
    theme: z.partialRecord(z.enum(tokenNames), z.preprocess(toStyle, style)).optional(),
    background: z.enum(['light', 'dark']).optional(),
    start: z.enum(startScreens).optional(),
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
    const scope = toScope(name);
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
