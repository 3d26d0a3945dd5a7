import { extname } from 'node:path';
import { createCliError } from '../cli/cli-error.ts';
import { isCommonJs } from '../load/expect-project.ts';
import { type Project, toProjectPath } from '../manifest/project.ts';

/** The names that the modules of a project have. */
export interface ModuleExtension {
  /** End of a new file: `'.ts'`. */
  readonly file: '.ts' | '.mts' | '.cts' | '.js' | '.mjs';
  /** End of its name in an import: `'.js'`. */
  readonly imported: '.js' | '.mjs' | '.cjs';
}

const extensions: Readonly<Record<string, ModuleExtension>> = {
  '.ts': { file: '.ts', imported: '.js' },
  '.tsx': { file: '.ts', imported: '.js' },
  '.mts': { file: '.mts', imported: '.mjs' },
  '.cts': { file: '.cts', imported: '.cjs' },
  '.js': { file: '.js', imported: '.js' },
  '.jsx': { file: '.js', imported: '.js' },
  '.mjs': { file: '.mjs', imported: '.mjs' },
};

/**
 * The extension of new files: that of the capabilities file, so that TypeScript stays TypeScript, and JavaScript
 * JavaScript.
 *
 * @throws CliError `UnreadableModule` for JavaScript that is CommonJS, which the new lines could not be added to
 */
export function expectModuleExtension({ entryFile, root }: Project): ModuleExtension {
  const own = extname(entryFile);
  const found = extensions[own];
  if (found !== undefined && !(found.file === '.js' && isCommonJs(entryFile))) return found;
  throw createCliError(
    'UnreadableModule',
    { place: toProjectPath(entryFile, root), reason: 'it is CommonJS, and new capabilities are ECMAScript modules' },
    { hint: 'Add "type": "module" to package.json, or name the capabilities file `.mjs`.' },
  );
}
