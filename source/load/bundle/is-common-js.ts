import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Whether Node reads a file of this name, or what TypeScript makes of it, as CommonJS: by its extension, else by the nearest package.json. */
export function isCommonJs(file: string): boolean {
  const extension = extname(file);
  if (/^\.[cm][jt]s$/.test(extension)) return extension[1] === 'c';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const description = join(folder, 'package.json');
    if (existsSync(description)) return !/"type"\s*:\s*"module"/.test(readFileSync(description, 'utf8'));
    if (dirname(folder) === folder) return true;
  }
}
