/** A project with pinned packages and the packed package of this project, as a user has it. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes it in `node_modules/.cache/<name>`, without what an earlier run has left in `src`. Gives its folder. */
export async function makePackedProject(name, dependencies) {
  const folder = join(root, 'node_modules', '.cache', name);
  await rm(join(folder, 'src'), { recursive: true, force: true });
  await mkdir(join(folder, 'src'), { recursive: true });
  const text = JSON.stringify({ private: true, type: 'module', dependencies });
  await writeFile(join(folder, 'package.json'), text);
  const words = ['--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
  run('npm', ['install', '--ignore-scripts', ...words], folder);
  // It has no dependencies of its own. npm would take that of an earlier run, which has the same version.
  const own = join(folder, 'node_modules', 'capix');
  await rm(own, { recursive: true, force: true });
  await mkdir(own);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const tarball = join(folder, `capix-${version}.tgz`);
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', own], folder);
  return folder;
}

/** Writes the bookshop of docs/graphql.md into `src`, as the page shows it; it listens at any free port. */
export async function writeBookshop(folder) {
  const recipes = join(root, 'test', 'docs', 'graphql-recipes');
  for (const name of ['capabilities.ts', 'server.ts']) {
    const text = await readFile(join(recipes, name), 'utf8');
    const code = text
      .replaceAll(/(?:\.\.\/){3}server-runtime(\/\w+)?\/index\.ts/g, 'capix$1')
      .replaceAll(/'(\.\/[\w-]+)\.ts'/g, "'$1.js'");
    await writeFile(join(folder, 'src', name), code);
  }
}

/** @throws Error where the command fails */
export function run(command, words, cwd) {
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit', shell });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status}`);
}
