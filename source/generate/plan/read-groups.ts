import { join } from 'node:path';
import type { Project } from '../../manifest/project.ts';
import { capabilitiesFolder } from './group-chain.ts';
import { findListedGroups, readTextIfThere } from './group-index.ts';
import { expectModuleExtension } from './module-extension.ts';

/** The groups that the indexes of a project list, also those that are empty still: `['products', 'products/variants']`. */
export async function readGroups(project: Project): Promise<readonly string[]> {
  return readGroupsIn(capabilitiesFolder(project), '', `index${expectModuleExtension(project).file}`);
}

async function readGroupsIn(folder: string, prefix: string, index: string): Promise<readonly string[]> {
  const listed = findListedGroups(await readTextIfThere(join(folder, index), `${prefix}${index}`));
  const groups = Array.from(listed, async ([identifier, name]) => {
    const path = `${prefix}${identifier}`;
    return [path, ...(await readGroupsIn(join(folder, name), `${path}/`, index))];
  });
  return (await Promise.all(groups)).flat();
}
