import path, { type PlatformPath } from 'node:path';

/**
 * Whether a path is that of a folder, or of something in it. Both are absolute. On Windows, capital letters do not
 * count, and another drive is outside. `flavour`: the paths of a system. @default those of this one
 */
export function isInside(file: string, folder: string, { relative, isAbsolute, sep }: PlatformPath = path): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
