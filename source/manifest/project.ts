import path, { type PlatformPath } from 'node:path';

/** The place and the name of the user's project. */
export interface Project {
  /** Absolute path of the folder with the nearest package.json; without one, the folder that the command runs in. */
  readonly root: string;
  /** The name in package.json, else the folder's name. Free of escape sequences. */
  readonly name: string;
  /** Absolute path of the file that is loaded, which exists: of the capabilities, or of the server. */
  readonly entryFile: string;
}

/** A file as its user would name it: relative to the project, with forward slashes; absolute outside it. */
export function toProjectPath(
  file: string,
  root: string,
  { relative, isAbsolute }: PlatformPath = path,
): string {
  const way = relative(root, file);
  return way.startsWith('..') || isAbsolute(way) ? file : way.replaceAll('\\', '/');
}

/** The project that a manifest is of. `config`: the path of its capabilities file from there. */
export function toProject({
  name,
  root,
  config,
}: Pick<Project, 'name' | 'root'> & { readonly config: string }): Project {
  return { name, root, entryFile: path.resolve(root, config) };
}
