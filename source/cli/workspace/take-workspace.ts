import { isAbsolute, relative, resolve } from 'node:path';
import { findNearest } from '../../../server-runtime/errors/find-nearest.ts';
import { usageError } from '../errors/cli-error.ts';
import { findWorkspacePackages, findWorkspaceRoot, type WorkspacePackage } from './find-workspace-packages.ts';

export interface TakenWorkspace {
  /** The words without the option. */
  readonly argv: readonly string[];
  /** Absolute path of the package that the command is about. */
  readonly folder: string;
}

/**
 * Takes `-w <name>` or `--workspace <name>` from the words of a command, which then runs in the folder of that package, as `npm -w` does: all
 * of the command, so that no command has to know of it. The name is that of the package, or the path of its folder.
 *
 * @throws CliError `Usage` where there is no such package, or no workspace
 */
export function takeWorkspace(argv: readonly string[], workingDirectory: string): TakenWorkspace | undefined {
  const end = argv.indexOf('--');
  const at = argv.findIndex(
    (word, index) => (end === -1 || index < end) && /^(-w|--workspace)$|^--workspace=/.test(word),
  );
  if (at === -1) return undefined;
  const joined = /^--workspace=(.*)$/.exec(argv[at] ?? '')?.[1];
  const name = joined ?? argv[at + 1];
  if (name === undefined || name === '')
    throw usageError('option --workspace: the name of the package is missing', 'For example `capix list -w api`.');
  const rest = [...argv.slice(0, at), ...argv.slice(joined === undefined ? at + 2 : at + 1)];
  return { argv: rest, folder: expectPackage(name, workingDirectory).folder };
}

function expectPackage(name: string, workingDirectory: string): WorkspacePackage {
  const root = findWorkspaceRoot(workingDirectory);
  if (root === undefined) {
    const hint = 'The folders above have neither `workspaces` in a package.json nor a pnpm-workspace.yaml.';
    throw usageError(`option --workspace: ${JSON.stringify(name)} is in no workspace`, hint);
  }
  const packages = findWorkspacePackages(root);
  const path = relative(root, resolve(workingDirectory, name)).replaceAll('\\', '/');
  const found =
    packages.find((one) => one.name === name) ??
    packages.find((one) => one.path === path || (!isAbsolute(name) && one.path === name)) ??
    findLast(packages, name);
  if (found !== undefined) return found;
  const names = packages.map((one) => one.name);
  const nearest = findNearest(name, names);
  const hint = nearest === undefined ? `It has ${names.join(', ')}.` : `Did you mean \`${nearest}\`?`;
  throw usageError(`option --workspace: the workspace has no package ${JSON.stringify(name)}`, hint);
}

/** The only package whose name or folder ends so: `api` for `@acme/api`. */
function findLast(packages: readonly WorkspacePackage[], name: string): WorkspacePackage | undefined {
  const [found, another] = packages.filter((one) => [one.name, one.path].some((each) => each.endsWith(`/${name}`)));
  return another === undefined ? found : undefined;
}
