import { readFile } from 'node:fs/promises';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import { expectModuleExtension } from './module-extension.ts';
import { readExports } from './read-exports.ts';

/** The lines that the capabilities file lacks to read the folder beside it. */
export interface MissingLines {
  /** `'the capabilities file does not read its folder; add this line to it'` */
  readonly advice: string;
  readonly lines: readonly string[];
  /** Another way, where there are two. */
  readonly otherwise?: { readonly advice: string; readonly lines: readonly string[] };
}

/**
 * The lines that make the capabilities file read its folder, such as compile with what it exports already and leave that as it is; undefined
 * where it reads the folder.
 */
export async function loadMissingLines(project: Project): Promise<MissingLines | undefined> {
  const { entryFile, root } = project;
  const text = await readFile(entryFile, 'utf8');
  if (/['"]\.\/capabilities(\/[^'"]*)?['"]/.test(text)) return undefined;
  const shownAs = toProjectPath(entryFile, root);
  // A file that cannot be read may be what the user is about to mend.
  const exported = await readExports({ file: entryFile, text, shownAs }).catch(() => new Set<string>());
  const index = `'./capabilities/index${expectModuleExtension(project).imported}'`;
  const exportAll = `export * as capabilities from ${index};`;
  if (exported.has('capabilities')) return toSpread('export const capabilities =', index);
  if (exported.has('default')) return toSpread('export default', index);
  const isAlone = [...exported].every((name) => name === 'restOptions' || name === 'context');
  return { advice: `${unread}; add this line to it`, lines: [isAlone ? exportAll : `export * from ${index};`] };
}

const unread = 'the capabilities file does not read its folder';

/** A second export of the name would not compile, or would hide the first. */
function toSpread(declaration: string, index: string): MissingLines {
  return {
    advice: `${unread}; add the folder to what it exports`,
    lines: [`import * as generated from ${index};`, `${declaration} { ...generated, /* what is there now */ };`],
    otherwise: { advice: 'or put this line in place of that', lines: [`export * as capabilities from ${index};`] },
  };
}
