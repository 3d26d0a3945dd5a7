import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { findStats } from '../../system/paths.ts';
import { runUserCodeAtOnce } from '../../system/run-user-code.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { CompileError, compileToCommonJs } from '../hooks/compile.ts';
import { findImported } from '../hooks/own-file.ts';

/** The file of a project that has its settings. */
export interface SettingsFile {
  /** Relative to the root. */
  readonly name: string;
  readonly value: unknown;
}

const SETTINGS_FILE = /^capix\.(?:config\.[cm]?[jt]s|json)$/;

/**
 * Reads the settings of a project: the first of `capix.config.*` and `capix.json`; undefined without either.
 *
 * @throws CliError `InvalidSettings`
 */
export function readSettingsFile(root: string): SettingsFile | undefined {
  const name = findFile(root);
  if (name === undefined) return undefined;
  const file = join(root, name);
  return { name, value: name.endsWith('.json') ? readJson(file, name) : evaluateConfigFile(file, root) };
}

/** A text that is another one when the settings may be others: what the files are that they are read from. */
export function toSettingsState(root: string): string {
  const file = join(root, findFile(root) ?? 'capix.json');
  const states = [file, ...(inputsOf.get(file) ?? [])].map((each) => {
    const { mtimeMs, size, ino } = findStats(each) ?? {};
    return `${each} ${mtimeMs} ${size} ${ino}`;
  });
  return states.join('\n');
}

/** Whether a folder has a file of settings. */
export function hasSettingsFile(folder: string): boolean {
  return findFile(folder) !== undefined;
}

/** Relative to the folder. One look at it costs less than one for each name. */
function findFile(folder: string): string | undefined {
  try {
    return readdirSync(folder)
      .toSorted()
      .find((name) => SETTINGS_FILE.test(name));
  } catch {
    return undefined;
  }
}

function readJson(path: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw createCliError('InvalidSettings', { file, place: '', reason: (error as Error).message });
  }
}

/** The absolute paths of the files that each config file was made of when it ran last. */
const inputsOf = new Map<string, readonly string[]>();

/**
 * Runs `capix.config.*` in this process, and gives its default export. It runs before anything else of the project, and
 * nothing else of it runs: at once, as a CommonJS module, so that all that needs a setting can have it without waiting.
 *
 * @throws CliError `InvalidSettings` where it cannot be compiled, throws, or exports no object; `MissingPackage`
 * without the compiler
 */
function evaluateConfigFile(file: string, root: string): unknown {
  const modules = new Map<string, { exports: unknown }>();
  try {
    const exported = runUserCodeAtOnce(() => runFile(file, modules)) as Readonly<Record<string, unknown>>;
    const value = Object(exported)['__esModule'] === true ? exported['default'] : exported;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw toConfigError(error, file, root);
  } finally {
    inputsOf.set(file, [...modules.keys()]);
  }
  const reason = 'its default export is not an object of settings: `export default defineConfig({ … });`';
  throw createCliError('InvalidSettings', { file: toProjectPath(file, root), place: '', reason });
}

function toConfigError(error: unknown, file: string, root: string): CliError {
  if ((error as Partial<CliError>).code === 'MissingPackage') return error as CliError;
  const message = error instanceof Error ? error.message : String(error);
  const [, at = file, place = ''] =
    (error instanceof CompileError && /\n {4}at (.*?)(:\d+:\d+)$/.exec(error.stack ?? '')) || [];
  const reason = error instanceof CompileError ? message : `it threw ${JSON.stringify(stripControl(message))}`;
  const waits = error instanceof CompileError && /\bawait\b/.test(message);
  return createCliError('InvalidSettings', {
    file: toProjectPath(at, root),
    place,
    reason: waits ? 'settings cannot wait: top-level `await` is not available' : reason,
  });
}

/** Runs a file of the project, once, as Node runs CommonJS: so the frames of a stack are those of the file. */
function runFile(path: string, modules: Map<string, { exports: unknown }>): unknown {
  const known = modules.get(path);
  if (known !== undefined) return known.exports;
  const module = { exports: {} as unknown };
  modules.set(path, module);
  const text = readFileSync(path, 'utf8');
  if (extname(path) === '.json') return (module.exports = JSON.parse(text));
  const require = createRequire(path);
  const requireOwn = (id: string): unknown => {
    // Who types the settings needs `defineConfig` alone, and no library for that.
    if (id === 'capix') return { defineConfig: (config: unknown) => config };
    const own = findImported(id, path);
    return own === undefined ? require(id) : runFile(own, modules);
  };
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(compileToCommonJs(path, text), names, { filename: path }) as (...all: unknown[]) => void;
  run(module.exports, Object.assign(requireOwn, require), module, path, dirname(path));
  return module.exports;
}
