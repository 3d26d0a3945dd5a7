import { createCliError } from '../cli/errors/cli-error.ts';
import {
  findWorkspacePackages,
  findWorkspaceRoot,
  type WorkspacePackage,
} from '../cli/workspace/find-workspace-packages.ts';
import { stripControl } from '../terminal/control/strip-control.ts';

/**
 * The file that is wanted, of the only package that has it in the workspace whose root a command runs in; undefined where none has it, or where the
 * folder is not such a root.
 *
 * @throws CliError `SeveralProjects` where more than one package has it
 */
export function readWorkspaceFile(root: string, findFile: (folder: string) => string | undefined): string | undefined {
  if (findWorkspaceRoot(root) !== root) return undefined;
  const found = findWorkspacePackages(root).flatMap((one) => {
    const file = findFile(one.folder);
    return file === undefined ? [] : [{ file, one }];
  });
  if (found.length > 1) throw toChoice(found.map(({ one }) => one));
  return found[0]?.file;
}

function toChoice(packages: readonly WorkspacePackage[]): Error {
  const names = packages.map(({ name, path }) => stripControl(name === path ? name : `${name} (${path})`)).join(', ');
  return createCliError('SeveralProjects', { count: packages.length, names });
}
