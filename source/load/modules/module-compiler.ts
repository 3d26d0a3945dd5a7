import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { defineImportMeta } from '../bundle/define-import-meta.ts';
import { loadEsbuild } from '../bundle/load-esbuild.ts';
import { userCodeSyntax } from '../bundle/user-code-build-options.ts';
import type { ModuleGraph, OwnModule } from './module-graph.ts';
import { toTime } from './waiting-files.ts';

/** Makes JavaScript of files one by one, each as it is: its imports are still those of the source. */
export interface ModuleCompiler {
  /** Modules by id. Only what has changed is compiled. `seen`: times of files, by their absolute paths, that need not be asked for; see `toTime`. */
  readonly compile: (
    graph: ModuleGraph,
    seen?: ReadonlyMap<string, string>,
  ) => Promise<ReadonlyMap<string, CompiledModule>>;
  readonly compileAgain: CompileAgain;
}

/** Times of files by their absolute paths, see `toTime`: when they were known, and now. */
export interface SeenTimes {
  readonly before: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, string>;
}

/**
 * Compiles modules that have changed: the code of each as it was known and as it is now. Undefined where one cannot be compiled, or was or is another
 * than that of these times. What it has compiled is known to the next `compile`.
 */
export type CompileAgain = (
  modules: readonly OwnModule[],
  times: SeenTimes,
) => Promise<readonly (readonly [CompiledModule, CompiledModule])[] | undefined>;

export interface CompiledModule {
  readonly code: string;
  /** The last line, which leads to the source; empty for data, and where `map` is. */
  readonly mapLine: string;
  /** The source map, as JSON, where it is so large that Node reads it faster from a file of its own. */
  readonly map?: string | undefined;
  /** The same while the source is. */
  readonly time: string;
}

/** The length from which a map is large, characters. */
const LARGE_MAP = 100_000;
/** Instead of a time, where a file was saved while it was read; no file has it. */
const OTHER_TIME = 'other';

export interface ModuleCompilerOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** Whether each map is in its module, as Chrome needs it. */
  readonly keepsMapsInside: boolean;
}

export function createModuleCompiler({ root, keepsMapsInside }: ModuleCompilerOptions): ModuleCompiler {
  const known = new Map<string, CompiledModule>();

  async function compileChanged(modules: readonly OwnModule[], times: ReadonlyMap<string, string>): Promise<void> {
    const [data, code] = [modules.filter(isData), modules.filter((module) => !isData(module))];
    for (const { id, path } of data) known.set(id, { code: toDataCode(path), mapLine: '', time: times.get(id) ?? '' });
    const outputs = await compileAll(code, root);
    for (const [index, { id, path, format }] of code.entries()) {
      const text = outputs.get(`${index}.js`) ?? '';
      const time = times.get(id) ?? '';
      known.set(id, {
        code: format === 'cjs' ? withOwnPlace(text, path) : text,
        ...toMap(outputs.get(`${index}.js.map`), path, keepsMapsInside),
        // A file that was saved meanwhile is compiled again: its imports may not be those that are known.
        time: toTime(path) === time ? time : OTHER_TIME,
      });
    }
  }

  return {
    compile: async (graph, seen) => {
      const modules = [...graph.modules.values()];
      const times = new Map(modules.map(({ id, path }) => [id, seen?.get(path) ?? toTime(path)]));
      await compileChanged(
        modules.filter(({ id }) => known.get(id)?.time !== times.get(id)),
        times,
      );
      return new Map(modules.flatMap(({ id }) => toEntry(id, known.get(id))));
    },
    compileAgain: async (modules, { before, now }) => {
      const old = modules.flatMap(({ id, path }) => toEntry(id, known.get(id), before.get(path) ?? ''));
      if (old.length < modules.length) return undefined;
      const times = new Map(modules.map(({ id, path }) => [id, now.get(path) ?? '']));
      // Somebody else says what is wrong with the code.
      await compileChanged(modules, times).catch(() => undefined);
      const both = old.flatMap(([id, code]) =>
        toEntry(id, known.get(id), times.get(id)).map(([, each]) => [code, each] as const),
      );
      return both.length < modules.length ? undefined : both;
    },
  };
}

function isData({ format }: OwnModule): boolean {
  return format === 'json';
}

/** `time`: of which it must be. */
function toEntry(id: string, module: CompiledModule | undefined, time = module?.time): [string, CompiledModule][] {
  return module === undefined || module.time !== time ? [] : [[id, module]];
}

/** All in one call: the files that it makes, by their names. */
async function compileAll(modules: readonly OwnModule[], root: string): Promise<ReadonlyMap<string, string>> {
  if (modules.length === 0) return new Map();
  const { build } = await loadEsbuild();
  const { outputFiles } = await build({
    ...userCodeSyntax,
    absWorkingDir: root,
    entryPoints: modules.map(({ path }, index) => ({ in: path, out: String(index) })),
    bundle: false,
    outdir: root,
    write: false,
    sourcemap: 'external',
    plugins: [importMetaPlugin],
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

const importMetaPlugin: Plugin = {
  name: 'import-meta',
  setup: (build) => defineImportMeta(build, { filter: /\.[cm]?[jt]sx?$/ }),
};

function toMap(map: string | undefined, path: string, keepsInside: boolean): Pick<CompiledModule, 'map' | 'mapLine'> {
  if (map === undefined) return { mapLine: '' };
  const text = withSource(map, pathToFileURL(path).href);
  if (text.length >= LARGE_MAP && !keepsInside) return { mapLine: '', map: text };
  return { mapLine: `//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n` };
}

/** With the source's own URL: the compiled file may lie anywhere. A map that leads to more sources than one was made from another map. */
function withSource(map: string, url: string): string {
  const sources = `"sources":${JSON.stringify([url])}`;
  const text = map.replace(/"sources":\s*\["(?:[^"\\]|\\.)*"\]/, () => sources);
  return text === map ? JSON.stringify({ ...JSON.parse(map), sources: [url] }) : text;
}

/** The variables of CommonJS name the source. They stand on the first line, behind a directive, so that positions keep their line. */
function withOwnPlace(code: string, path: string): string {
  const [directive = ''] = /^"use strict";/.exec(code) ?? [];
  const place = `__filename = ${JSON.stringify(path)}; __dirname = ${JSON.stringify(dirname(path))}; require = require("node:module").createRequire(__filename); `;
  return `${directive}${place}${code.slice(directive.length)}`;
}

/** JSON as a module: all of it, and each of its parts under its name. */
function toDataCode(path: string): string {
  const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  const names = Object.keys(Object(JSON.parse(text))).filter((name) => name !== 'default' && /^[\w$]+$/.test(name));
  const parts = names.map((name, index) => `const __${index} = data[${JSON.stringify(name)}];`);
  const exports = names.map((name, index) => `__${index} as ${JSON.stringify(name)}`);
  return `const data = ${text};\nexport default data;\n${parts.join(' ')}\nexport { ${exports.join(', ')} };\n`;
}
