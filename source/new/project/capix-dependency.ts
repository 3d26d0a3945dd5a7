import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

export interface CapixDependencyOptions {
  /** Absolute path of the running copy of capix, without symbolic links. */
  readonly packageRoot: string;
  readonly version: string;
  /** Absolute path of the new project, without symbolic links. */
  readonly projectFolder: string;
}

/**
 * The version that a new project writes beside `"capix"` in its dependencies: the version, where the running copy was
 * installed from a release, else the copy itself: `file:../capix`. A version that was never published, or that is
 * another's, must not be asked of the registry.
 */
export function toCapixDependency({ packageRoot, version, projectFolder }: CapixDependencyOptions): string {
  return isRelease(packageRoot) ? version : toFileDependency(packageRoot, projectFolder);
}

/** `npm publish` leaves a mark in the package that it makes; `npm pack`, a checkout and a link have none. */
function isRelease(packageRoot: string): boolean {
  return /[\\/]node_modules[\\/]/.test(packageRoot) && existsSync(join(packageRoot, 'dist', 'release.json'));
}

function toFileDependency(packageRoot: string, projectFolder: string): string {
  const path = relative(projectFolder, packageRoot);
  return `file:${(isAbsolute(path) ? packageRoot : path).replaceAll('\\', '/')}`;
}
