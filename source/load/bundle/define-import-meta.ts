import { readFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, PluginBuild } from 'esbuild';
import { isCommonJs } from '../expect-project.ts';

/** The definitions that replace `import.meta`, whose own value is that of the bundle. */
export const importMetaDefines = {
  'import.meta.url': '__capixUrl',
  'import.meta.filename': '__capixFilename',
  'import.meta.dirname': '__capixDirname',
} as const;

export interface ImportMetaOptions {
  /** The files to look into. */
  readonly filter: RegExp;
  /** Told of each file that is read. */
  readonly onRead?: (path: string) => void;
  /** Told of each file that says `import.meta`. */
  readonly onFound?: (path: string) => void;
  /** The text to put behind that of a file. @default none */
  readonly toEnd?: (text: string) => string;
}

/** Writes the constants before the first statement, on its line, so that positions keep their line. */
export function defineImportMeta(
  build: PluginBuild,
  { filter, onRead, onFound, toEnd = () => '' }: ImportMetaOptions,
): void {
  build.onLoad({ filter }, ({ path }) => {
    onRead?.(path);
    // For thousands of small files this takes a fifth of the time of reading them aside.
    const text = readFileSync(path, 'utf8');
    const constants = [...toMetaConstants(text, path, onFound), ...toPlaceVariables(text, path)];
    const end = toEnd(text);
    if (constants.length === 0 && end === '') return undefined;
    return { contents: `${constants.join(' ')} ${text.replace(/^#!/, '//')}${end}`, loader: toLoader(path) };
  });
}

function toMetaConstants(text: string, path: string, onFound: ImportMetaOptions['onFound']): readonly string[] {
  if (!text.includes('import.meta')) return [];
  onFound?.(path);
  const values = { __capixUrl: pathToFileURL(path).href, __capixFilename: path, __capixDirname: dirname(path) };
  return Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
}

/**
 * TypeScript that is compiled to CommonJS knows its place by variables, although it is run as an ECMAScript module here. By `var`, which may
 * stand beside the parameters of a CommonJS module.
 */
function toPlaceVariables(text: string, path: string): readonly string[] {
  const isUsed = /\b__(?:dir|file)name\b/.test(text) && !/\b(?:const|let|var)\s+__(?:dir|file)name\b/.test(text);
  if (!isUsed || !/\.c?tsx?$/.test(path) || !isCommonJs(path)) return [];
  return [`var __filename = ${JSON.stringify(path)}, __dirname = ${JSON.stringify(dirname(path))};`];
}

/** Whether a bundle uses one of the constants without having it: esbuild gives no other variable the name of a missing one. */
export function missesImportMeta(code: string): boolean {
  return Object.values(importMetaDefines).some(
    (name) => new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`\\b(?:var|const) ${name}\\b`).test(code),
  );
}

function toLoader(path: string): Loader {
  const extension = extname(path).replace(/^\.[cm]?/, '');
  return extension === 'tsx' || extension === 'jsx' || extension === 'ts' ? extension : 'js';
}
