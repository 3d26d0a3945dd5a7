import { extname } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';
import { rewritesImports } from './hooks/compiler-options.ts';
import { isCommonJs } from './hooks/own-file.ts';

/** The ends of the names of a new file, `'.ts'`, and of its import, `'.js'` or `'.ts'`. */
export type ModuleExtension = Readonly<Record<'file' | 'imported', string>>;

/**
 * The extension of new files: that of the capabilities file, so that TypeScript stays TypeScript. Imports have that of
 * the compiled files, or of the sources where tsconfig.json says `rewriteRelativeImportExtensions`.
 *
 * @throws CliError `UnreadableModule` for JavaScript that is CommonJS, which the new lines could not be added to
 */
export function expectModuleExtension({ entryFile, root }: Project): ModuleExtension {
  const file = extname(entryFile).replace(/x$/, '');
  if (file !== '.cjs' && !(file === '.js' && isCommonJs(entryFile)))
    return { file, imported: rewritesImports(entryFile) ? file : file.replace('t', 'j') };
  throw createCliError(
    'UnreadableModule',
    {
      place: toProjectPath(entryFile, root),
      reason: 'it is CommonJS, and new capabilities are ECMAScript modules',
    },
    { hint: 'Add "type": "module" to package.json, or name the capabilities file `.mjs`.' },
  );
}
