import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { CliError, createCliError } from '../../cli/cli-error.ts';
import { defineConfig } from '../../manifest/define-config.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { divertStdout } from '../../patches/divert-stdout.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { CompileError, compileToCommonJs } from '../hooks/compile.ts';
import { findImported } from '../hooks/own-file.ts';

/**
 * The value of a file of settings. Code runs in this process before anything else of the project, as CommonJS, so that
 * all that needs a setting has it at once. Adds to `files` the paths of all that it reads, also where it throws.
 * @throws CliError `InvalidSettings`, `MissingPackage`
 */
export function readSettingsFile(root: string, name: string, files: Set<string>): unknown {
  const release = divertStdout();
  try {
    const exported = runFile(join(root, name), new Map(), files);
    const { __esModule: isModule, default: own } = Object(exported) as {
      __esModule?: unknown;
      default?: unknown;
    };
    const value = isModule === true ? own : exported;
    if (
      name.endsWith('.json') ||
      (typeof value === 'object' && value !== null && !Array.isArray(value))
    )
      return value;
  } catch (error) {
    throw toSettingsError(error, name, root);
  } finally {
    release();
  }
  const reason =
    'its default export is not an object of settings: `export default defineConfig({ … });`';
  throw createCliError('InvalidSettings', { file: name, place: '', reason });
}

/** The name of the file with the settings in a folder. One look at it costs less than one for each name. */
export function findSettingsFile(folder: string): string | undefined {
  try {
    const names = readdirSync(folder).toSorted();
    return names.find((name) => /^capix\.(?:config\.[cm]?[jt]s|json)$/.test(name));
  } catch {
    return undefined;
  }
}

function toSettingsError(error: unknown, name: string, root: string): CliError {
  if (error instanceof CliError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CompileError)
    return createCliError('InvalidSettings', {
      file: toProjectPath(error.place, root),
      place: '',
      reason: message,
    });
  const reason = name.endsWith('.json')
    ? message
    : `it threw ${JSON.stringify(stripControl(message))}`;
  return createCliError('InvalidSettings', { file: name, place: '', reason });
}

interface Module {
  exports: unknown;
}

/** Runs a file of the project, once, as Node runs CommonJS: so the frames of a stack are those of the file. */
function runFile(path: string, modules: Map<string, Module>, files: Set<string>): unknown {
  const known = modules.get(path);
  if (known !== undefined) return known.exports;
  const module: Module = { exports: {} };
  modules.set(path, module);
  files.add(path);
  const text = readFileSync(path, 'utf8');
  if (extname(path) === '.json') {
    module.exports = JSON.parse(text);
    return module.exports;
  }
  const require = createRequire(path);
  const requireOwn = (id: string): unknown => {
    // The project may have no capix of its own, or one that is not built.
    if (id === 'capix/config') return { defineConfig };
    const own = findImported(id, path);
    return own === undefined ? require(id) : runFile(own, modules, files);
  };
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const run = compileFunction(compileToCommonJs(path, text), names, { filename: path }) as (
    ...all: unknown[]
  ) => void;
  run(module.exports, Object.assign(requireOwn, require), module, path, dirname(path));
  return module.exports;
}
