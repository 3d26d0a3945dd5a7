import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { CliError, createCliError } from '../../cli/cli-error.ts';
import { defineConfig } from '../../manifest/define-config.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { compiledFile } from '../../package-root.ts';
import { divertStdout } from '../../patches/divert-stdout.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { nodeBinary } from '../../terminal/terminal.ts';
import { attempt } from '../../values/attempt.ts';
import { compileToCommonJs, obtainCompiler } from '../hooks/compile.ts';
import type { CompileError } from '../hooks/compile-error.ts';
import { findImported } from '../hooks/own-file.ts';
import { canStripTypes } from '../hooks/strip-types.ts';
import type { SettingsRead } from './settings-child.ts';

const STDERR = 2;

/**
 * The value of a file of settings. Code runs in this process before anything else of the project, as CommonJS, so that
 * all that needs a setting has it at once. Adds to `files` the paths of all that it reads, also where it throws.
 * @throws CliError `InvalidSettings`, `MissingPackage`
 */
export function readSettingsFile(root: string, name: string, files: Set<string>): unknown {
  const release = divertStdout();
  try {
    const file = join(root, name);
    const needsChild =
      !name.endsWith('.json') && canStripTypes && obtainCompiler(file) === undefined;
    const value = needsChild
      ? readInChild(file, files)
      : toDefault(runFile(file, new Map(), files));
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

function toDefault(exported: unknown): unknown {
  const { __esModule: isModule, default: own } = Object(exported) as {
    __esModule?: unknown;
    default?: unknown;
  };
  return isModule === true ? own : exported;
}

/** The value as a process of its own reads it: only a compiler makes CommonJS, which this process can run at once. */
function readInChild(file: string, files: Set<string>): unknown {
  const child = compiledFile('load/settings/settings-child.js');
  const { output } = spawnSync(nodeBinary, [child, file], {
    stdio: ['ignore', STDERR, STDERR, 'pipe'],
  });
  const {
    value,
    error,
    read = [],
  } = JSON.parse(String(output[3]) || '{}') as Partial<SettingsRead>;
  for (const each of read) files.add(each);
  if (error !== undefined) throw Object.assign(new Error(error.message), { place: error.place });
  return value;
}

/** The name of the file with the settings in a folder. One look at it costs less than one for each name. */
export function findSettingsFile(folder: string): string | undefined {
  const names = attempt(() => readdirSync(folder).toSorted());
  return names?.find((name) => /^capix\.(?:config\.[cm]?[jt]s|json)$/.test(name));
}

function toSettingsError(error: unknown, name: string, root: string): CliError {
  if (error instanceof CliError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const { place } = Object(error) as Partial<CompileError>;
  if (place !== undefined)
    return createCliError('InvalidSettings', {
      file: toProjectPath(place, root),
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
