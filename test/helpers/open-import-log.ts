import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './temporary-folder.ts';

/** What processes import of a bundle folder, in their order. */
export interface ImportLog {
  /** For the variable `NODE_OPTIONS` of the processes. */
  readonly nodeOptions: string;
  readonly read: () => readonly { readonly pid: number; readonly url: string }[];
}

/** Logs each module in `.capix` that a process is about to load, or that is missing when it is to be imported, in a file. */
export async function openImportLog(): Promise<ImportLog> {
  const folder = await temporaryFolder();
  const file = join(folder, 'imports.log');
  await writeFile(file, '');
  await writeFile(
    join(folder, 'hooks.mjs'),
    `import { appendFileSync } from 'node:fs';
const log = (url) => url.includes('/.capix/') && appendFileSync(${JSON.stringify(file)}, process.pid + ' ' + url + '\\n');
export const resolve = (specifier, context, next) =>
  next(specifier, context).catch((error) => {
    log(specifier);
    throw error;
  });
export const load = (url, context, next) => {
  log(url);
  return next(url, context);
};`,
  );
  const main = join(folder, 'main.mjs');
  await writeFile(main, "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n");
  return {
    nodeOptions: `--import ${pathToFileURL(main).href}`,
    read: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ pid: Number.parseInt(line, 10), url: line.slice(line.indexOf(' ') + 1) })),
  };
}
