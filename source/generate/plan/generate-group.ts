import { createCliError } from '../../cli/errors/cli-error.ts';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import type { NamePart } from './capability-name.ts';
import { expectInProject, type FileChange } from './file-change.ts';
import type { Generated } from './generated.ts';
import { type GroupChain, readGroupChain } from './group-chain.ts';
import { loadMissingLines } from './load-missing-lines.ts';

/**
 * Works out what a new group takes: its index, still without a line, and a line for each group on the way that is not listed yet. Writes
 * nothing.
 *
 * @throws CliError `GroupExists` where the group is there and listed; `LeadsOutside`; as `readGroupChain`
 */
export async function generateGroup(project: Project, groups: readonly NamePart[]): Promise<Generated> {
  const chain = await readGroupChain(project, groups);
  const key = chain.identifiers.join('.');
  const changes = chain.index.text === undefined ? [toEmptyIndex(chain, project), ...chain.listings] : chain.listings;
  expectInProject(changes, project);
  if (changes.length > 0) return { key, changes, missing: await loadMissingLines(project) };
  const hint = `Add to it with \`capix generate capability ${chain.identifiers.join('/')} <name>\`.`;
  throw createCliError('GroupExists', { group: key, file: toProjectPath(chain.index.file, project.root) }, { hint });
}

/** A module, so that it can be imported, of nothing yet. */
function toEmptyIndex({ index }: GroupChain, project: Project): FileChange {
  const { semicolon, lineEnd } = index.style;
  const text = `export {}${semicolon}${lineEnd}`;
  return { kind: 'created', file: index.file, path: toProjectPath(index.file, project.root), text };
}
