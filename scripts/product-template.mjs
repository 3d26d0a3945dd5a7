import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What an example has besides its sources, where somebody works in it. */
const made = /^(?:node_modules|dist|files|pgdata|package-lock\.json|public\/page\.js)$/;

/**
 * Writes the template `product`: the example that the tutorial ends in, with marks where a new project has a name and a
 * version of capix of its own. Its readers know `_package.json` and `_gitignore`, which npm would read as its own.
 */
export async function writeProductTemplate({ baseDir, outDir }) {
  const example = join(baseDir, 'examples', 'clinic');
  const folder = join(outDir, 'templates', 'product');
  await mkdir(join(outDir, 'templates'), { recursive: true });
  const isSource = (file) => !made.test(relative(example, file).replaceAll('\\', '/'));
  await cp(example, folder, { recursive: true, filter: isSource });
  const project = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (project.dependencies.capix === undefined)
    throw new Error('examples/clinic/package.json does not depend on capix.');
  const dependencies = { ...project.dependencies, capix: '{{capix}}' };
  const marked = { ...project, name: '{{name}}', dependencies };
  await writeFile(join(folder, '_package.json'), `${JSON.stringify(marked, undefined, 2)}\n`);
  await rename(join(folder, '.gitignore'), join(folder, '_gitignore'));
  await rm(join(folder, 'package.json'));
}
