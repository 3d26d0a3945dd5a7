import { dirname, join } from 'node:path';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import type { NamePart } from './capability-name.ts';
import type { FileChange } from './file-change.ts';
import { addLine, findListedGroups, type GroupIndex, readGroupIndex, toGroupLine } from './group-index.ts';
import { expectModuleExtension, type ModuleExtension } from './module-extension.ts';
import { type ModuleStyle, toDefaultStyle } from './module-style.ts';

/** The way from the capabilities folder to a group: every index on it, the folder's own first. */
export interface GroupChain {
  /** Absolute path of the last group's folder. */
  readonly folder: string;
  readonly index: GroupIndex;
  readonly extension: ModuleExtension;
  /** Identifiers of the groups on the way: `['products', 'variants']`. */
  readonly identifiers: readonly string[];
  /** The lines that indexes above it lack, those nearest to the group first. */
  readonly listings: readonly FileChange[];
}

/** The folder that groups lie in: `capabilities/` beside the capabilities file. */
export function capabilitiesFolder(project: Project): string {
  return join(dirname(project.entryFile), 'capabilities');
}

/**
 * Reads the indexes on the way to a group, which need not be there yet.
 *
 * @throws CliError `NameTaken` where something else has the name of a group; as `readExports`
 */
export async function readGroupChain(project: Project, groups: readonly NamePart[]): Promise<GroupChain> {
  const extension = expectModuleExtension(project);
  const readIndexOf = (at: string, style: ModuleStyle): Promise<GroupIndex> => {
    const file = join(at, `index${extension.file}`);
    return readGroupIndex({ file, shownAs: toProjectPath(file, project.root), style });
  };
  let folder = capabilitiesFolder(project);
  let index = await readIndexOf(folder, toDefaultStyle(extension.imported));
  const listings: FileChange[] = [];
  for (const { identifier, typed } of groups) {
    const listed = findListedGroups(index.text).get(identifier);
    if (listed === undefined) {
      expectFree(identifier, index, project);
      listings.unshift(toListing(index, toGroupLine(identifier, typed, index.style), project));
    }
    folder = join(folder, listed ?? typed);
    index = await readIndexOf(folder, index.style);
  }
  return { folder, index, extension, identifiers: groups.map((group) => group.identifier), listings };
}

/** The change that adds a line to an index, or makes the index with it. */
export function toListing(index: GroupIndex, line: string, project: Project): FileChange {
  return {
    kind: index.text === undefined ? 'created' : 'changed',
    file: index.file,
    path: toProjectPath(index.file, project.root),
    text: addLine(index, line),
    line,
  };
}

/** @throws CliError `NameTaken` where the index exports something of this name */
export function expectFree(identifier: string, index: GroupIndex, project: Project): void {
  if (!index.exports.has(identifier)) return;
  throw createCliError('NameTaken', { file: toProjectPath(index.file, project.root), name: identifier });
}
