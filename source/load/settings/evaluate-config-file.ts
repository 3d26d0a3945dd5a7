import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { BuildFailure } from 'esbuild';
import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { runUserCodeAtOnce } from '../../system/run-user-code.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { requireEsbuild } from '../bundle/load-esbuild.ts';

/** The absolute paths of the files that each config file was made of when it ran last. */
const inputsOf = new Map<string, readonly string[]>();

/** The files that a config file was made of when it ran last, besides itself. */
export function findConfigInputs(file: string): readonly string[] {
  return inputsOf.get(file) ?? [];
}

/**
 * Runs `capix.config.*` in this process, and gives its default export. It runs before anything else of the project, and nothing else of it runs:
 * at once, as a CommonJS module, so that all that needs a setting can have it without waiting.
 *
 * @throws CliError `InvalidSettings` where it cannot be compiled, throws, or exports no object; `MissingPackage` without esbuild
 */
export function evaluateConfigFile(file: string, root: string): unknown {
  const name = toProjectPath(file, root);
  const code = compile(file, { name, root });
  try {
    const exported = runUserCodeAtOnce(() => run(code, file)) as Readonly<Record<string, unknown>>;
    const value = Object(exported)['__esModule'] === true ? exported['default'] : exported;
    if (isRecord(value)) return value;
    throw refuse(name, '', 'its default export is not an object of settings: `export default defineConfig({ … });`');
  } catch (error) {
    if ((error as Partial<CliError>).code === 'InvalidSettings') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(name, '', `it threw ${JSON.stringify(stripControl(reason))}`);
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ConfigPlace {
  /** The file as its user names it. */
  readonly name: string;
  readonly root: string;
}

function compile(file: string, { name, root }: ConfigPlace): string {
  try {
    const { outputFiles, metafile } = requireEsbuild(root).buildSync({
      entryPoints: [file],
      absWorkingDir: root,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'cjs',
      target: 'node20.19',
      write: false,
      metafile: true,
      logLevel: 'silent',
      define: {
        'import.meta.url': JSON.stringify(pathToFileURL(file).href),
        'import.meta.filename': JSON.stringify(file),
        'import.meta.dirname': JSON.stringify(dirname(file)),
      },
    });
    inputsOf.set(
      file,
      Object.keys(metafile.inputs).map((input) => resolve(root, input)),
    );
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const [first] = (error as Partial<BuildFailure>).errors ?? [];
    if (first === undefined) throw error;
    const { line, column } = first.location ?? {};
    const place = line === undefined || column === undefined ? '' : `:${line}:${column + 1}`;
    const isWaiting = first.text.startsWith('Top-level await');
    throw refuse(name, place, isWaiting ? 'settings cannot wait: top-level `await` is not available' : first.text);
  }
}

function refuse(file: string, place: string, reason: string): CliError {
  return createCliError('InvalidSettings', { file, place, reason });
}

/** As Node runs a CommonJS module, so that the frames of a stack are those of the file. */
function run(code: string, file: string): unknown {
  const module = { exports: {} };
  const require = createRequire(file);
  const requireLazily = (id: string): unknown => (id === 'capix' ? toLazyLibrary(require) : require(id));
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const execute = compileFunction(code, names, { filename: file }) as (...values: readonly unknown[]) => void;
  execute(module.exports, Object.assign(requireLazily, require), module, file, dirname(file));
  return module.exports;
}

/** The library without loading it: who only types the settings needs `defineConfig`, which gives back what it gets. */
function toLazyLibrary(require: NodeJS.Require): unknown {
  const defineConfig = (config: unknown): unknown => config;
  return new Proxy({}, { get: (_, key) => (key === 'defineConfig' ? defineConfig : require('capix')[key]) });
}
