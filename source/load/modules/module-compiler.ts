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
}

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

export interface ModuleCompilerOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** Whether each map is in its module, as Chrome needs it. */
  readonly keepsMapsInside: boolean;
}

export function createModuleCompiler({ root, keepsMapsInside }: ModuleCompilerOptions): ModuleCompiler {
  const known = new Map<string, CompiledModule>();
  return {
    compile: async (graph, seen) => {
      const modules = [...graph.modules.values()];
      const times = new Map(modules.map(({ id, path }) => [id, seen?.get(path) ?? toTime(path)]));
      const changed = modules.filter(({ id }) => known.get(id)?.time !== times.get(id));
      const data = changed.filter(({ format }) => format === 'json');
      for (const { id, path } of data)
        known.set(id, { code: toDataCode(path), mapLine: '', time: times.get(id) ?? '' });
      const code = changed.filter(({ format }) => format !== 'json');
      const outputs = await compileAll(code, root);
      for (const [index, { id, path, format }] of code.entries()) {
        const text = outputs.get(`${index}.js`) ?? '';
        known.set(id, {
          code: format === 'cjs' ? withOwnPlace(text, path) : text,
          ...toMap(outputs.get(`${index}.js.map`), path, keepsMapsInside),
          time: times.get(id) ?? '',
        });
      }
      return new Map(modules.flatMap(({ id }) => toEntry(id, known.get(id))));
    },
  };
}

function toEntry(id: string, module: CompiledModule | undefined): [string, CompiledModule][] {
  return module === undefined ? [] : [[id, module]];
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
