import { join } from 'node:path';
import type { Project } from '../../manifest/project.ts';
import { capabilitiesFolder } from './group-chain.ts';
import { findListedGroups, readTextIfThere } from './group-index.ts';

/** The groups that the indexes of a project list, also those that are empty still: `['products', 'products/variants']`. */
export function readGroups(project: Project): Promise<readonly string[]> {
  return readGroupsIn(capabilitiesFolder(project), '');
}

async function readGroupsIn(folder: string, prefix: string): Promise<readonly string[]> {
  const listed = findListedGroups(await readTextIfThere(join(folder, 'index.ts'), `${prefix}index.ts`));
  const groups = Array.from(listed, async ([identifier, name]) => {
    const path = `${prefix}${identifier}`;
    return [path, ...(await readGroupsIn(join(folder, name), `${path}/`))];
  });
  return (await Promise.all(groups)).flat();
}
