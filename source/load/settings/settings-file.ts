import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { findStats } from '../../system/paths.ts';
import { runUserCodeAtOnce } from '../../system/run-user-code.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { readCode } from '../hooks/code-note.ts';
import { CompileError, compileToCommonJs } from '../hooks/compile.ts';
import { findImported } from '../hooks/own-file.ts';

/** The file of a project that has its settings. */
export interface SettingsFile {
  /** Relative to the root. */
  readonly name: string;
  /** The names that lead to the settings in it: `capix` in package.json. */
  readonly inside: readonly string[];
  readonly value: unknown;
}

/** The file of settings that is only data, relative to the root of the project. */
const JSON_FILE = 'capix.json';
const PACKAGE_FILE = 'package.json';
const CONFIG_FILE = /^capix\.config\.[cm]?[jt]s$/;

/**
 * Reads the settings of a project: `capix.config.*`, `capix.json`, or the field `capix` of package.json; undefined
 * without any of them.
 *
 * @throws CliError `InvalidSettings`, `TwoConfigFiles`
 */
export function readSettingsFile(root: string): SettingsFile | undefined {
  const field = readPackageField(root);
  const [name, second] = [...findFiles(root), ...(field === undefined ? [] : [PACKAGE_FILE])];
  if (name === undefined) return undefined;
  if (second !== undefined) throw createCliError('TwoConfigFiles', { first: name, second });
  if (name === PACKAGE_FILE) return { name, inside: ['capix'], value: field };
  const file = join(root, name);
  return { name, inside: [], value: name === JSON_FILE ? readJson(file) : evaluateConfigFile(file, root) };
}

/** A text that is another one when the settings may be others: what the files are that they are read from. */
export function toSettingsState(root: string): string {
  const found = findFiles(root).map((name) => join(root, name));
  const files = [...found, ...found.flatMap(findConfigInputs), join(root, PACKAGE_FILE)];
  return files.map((file) => `${file} ${toFileState(file)}`).join('\n');
}

function toFileState(file: string): string {
  const { mtimeMs, size, ino } = findStats(file) ?? {};
  return `${mtimeMs} ${size} ${ino}`;
}

/** Whether a folder has settings that are not in a package.json. */
export function hasSettingsFile(folder: string): boolean {
  return findFiles(folder).length > 0;
}

/** Relative to the folder. One look at it costs less than one for each name. */
function findFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => CONFIG_FILE.test(name) || name === JSON_FILE)
      .toSorted();
  } catch {
    return [];
  }
}

/** A package.json that cannot be read is the package manager's to complain about. */
function readPackageField(root: string): unknown {
  try {
    const text = readFileSync(join(root, PACKAGE_FILE), 'utf8');
    return text.includes('"capix"') ? (JSON.parse(text) as { readonly capix?: unknown }).capix : undefined;
  } catch {
    return undefined;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw createCliError('InvalidSettings', { file: JSON_FILE, place: '', reason: (error as Error).message });
  }
}

/** The absolute paths of the files that each config file was made of when it ran last. */
const inputsOf = new Map<string, readonly string[]>();

/** The files that a config file was made of when it ran last, besides itself. */
export function findConfigInputs(file: string): readonly string[] {
  return inputsOf.get(file) ?? [];
}

/**
 * Runs `capix.config.*` in this process, and gives its default export. It runs before anything else of the project, and
 * nothing else of it runs: at once, as a CommonJS module, so that all that needs a setting can have it without waiting.
 *
 * @throws CliError `InvalidSettings` where it cannot be compiled, throws, or exports no object; `MissingPackage`
 * without the compiler
 */
export function evaluateConfigFile(file: string, root: string): unknown {
  const name = toProjectPath(file, root);
  const run = createRunner();
  try {
    const exported = runUserCodeAtOnce(() => run.file(file)) as Readonly<Record<string, unknown>>;
    const value = Object(exported)['__esModule'] === true ? exported['default'] : exported;
    if (isRecord(value)) return value;
    throw refuse(name, '', 'its default export is not an object of settings: `export default defineConfig({ … });`');
  } catch (error) {
    if (/^(?:InvalidSettings|MissingPackage)$/.test((error as Partial<CliError>).code ?? '')) throw error;
    if (error instanceof CompileError) {
      const [, at = file, place = ''] = /\n {4}at (.*?)(:\d+:\d+)$/.exec(error.stack ?? '') ?? [];
      const waits = /\bawait\b/.test(error.message);
      throw refuse(
        toProjectPath(at, root),
        place,
        waits ? 'settings cannot wait: top-level `await` is not available' : error.message,
      );
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(name, '', `it threw ${JSON.stringify(stripControl(reason))}`);
  } finally {
    inputsOf.set(file, run.files());
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(file: string, place: string, reason: string): CliError {
  return createCliError('InvalidSettings', { file, place, reason });
}

/** Runs files of the project, each once, as Node runs CommonJS: so the frames of a stack are those of the file. */
function createRunner() {
  const modules = new Map<string, { exports: unknown }>();
  const file = (path: string): unknown => {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} as unknown };
    modules.set(path, module);
    const { text } = readCode(path);
    if (extname(path) === '.json') return (module.exports = JSON.parse(text));
    const require = createRequire(path);
    const requireOwn = (id: string): unknown => {
      const own = findImported(id, path);
      if (own !== undefined) return file(own);
      return id === 'capix' ? toLazyLibrary(require) : require(id);
    };
    const names = ['exports', 'require', 'module', '__filename', '__dirname'];
    const code = compileToCommonJs(path, text);
    const execute = compileFunction(code, names, { filename: path }) as (...values: readonly unknown[]) => void;
    execute(module.exports, Object.assign(requireOwn, require), module, path, dirname(path));
    return module.exports;
  };
  return { file, files: (): readonly string[] => [...modules.keys()] };
}

/** The library without loading it: who only types the settings needs `defineConfig`, which gives back what it gets. */
function toLazyLibrary(require: NodeJS.Require): unknown {
  const defineConfig = (config: unknown): unknown => config;
  return new Proxy({}, { get: (_, key) => (key === 'defineConfig' ? defineConfig : require('capix')[key]) });
}
