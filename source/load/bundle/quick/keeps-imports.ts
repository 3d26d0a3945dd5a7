import { init } from 'es-module-lexer';
import { toModuleParts } from '../../modules/imports/module-parts.ts';
import type { CompileAgain, CompiledModule, SeenTimes } from '../../modules/module-compiler.ts';
import { toInputName, toModuleGraph } from '../../modules/module-graph.ts';
import type { KnownFiles } from './prepare-changed-build.ts';

export interface KeepsImportsOptions extends SeenTimes {
  readonly known: KnownFiles;
  /** Absolute path of the project. */
  readonly root: string;
  readonly compileAgain: CompileAgain;
}

/**
 * Whether changed files import what they did, so that nobody need be asked what their imports lead to: their code, which is made all the same, tells.
 * False where that is not sure. `paths`: absolute.
 */
export async function keepsImports(
  paths: readonly string[],
  { known, root, compileAgain, before, now }: KeepsImportsOptions,
): Promise<boolean> {
  const { modules } = toModuleGraph(known.metafile, root);
  const changed = paths.flatMap((path) => modules.get(toInputName(path, root)) ?? []);
  if (changed.length < paths.length || !changed.every(({ format, path }) => format === 'esm' && isCode(path)))
    return false;
  const compiled = await compileAgain(changed, { before, now });
  await init;
  return compiled?.every(([old, code]) => toImportKey(old) !== '' && toImportKey(old) === toImportKey(code)) ?? false;
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

/** The same while a module imports the same; empty where its code does not tell, or imports nothing, so that it may be CommonJS by now. */
function toImportKey(module: CompiledModule): string {
  if (PERHAPS.test(module.code)) return '';
  const imports = toModuleParts(module, 'esm').imports.map(({ text, attributes }) => [text, attributes]);
  return imports.length === 0 ? '' : JSON.stringify([imports, module.code.includes('__capix')]);
}

/** An import that is made while the code runs: a build may see that it never is. */
const PERHAPS = /\bimport\s*\(|\brequire\b/;
