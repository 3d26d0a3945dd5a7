import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest `node_modules` of a project or around it, as an absolute path; undefined where there is none. */
export function findModulesFolder(root: string): string | undefined {
  for (let at = root; ; at = dirname(at)) {
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return modules;
    if (dirname(at) === at) return undefined;
  }
}
