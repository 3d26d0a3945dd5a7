import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs packages into a folder of their own, unless they are there. */
export async function install(folder, dependencies) {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies });
  const mark = join(folder, 'installed.json');
  const installed = await readFile(mark, 'utf8').catch(() => undefined);
  if (installed === manifest) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), manifest);
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', words, { cwd: folder, shell: process.platform === 'win32' });
  await writeFile(mark, manifest);
}

/** The Node in which readers run that ask for a newer one than this package does, as npm's package `node` installs it. */
export async function installNode(folder, version) {
  await install(folder, { node: version });
  return join(folder, 'node_modules', 'node', 'bin', 'node');
}

/** What a package says of the versions of Node that it runs on. */
export async function readEngines(folder, name) {
  const file = join(folder, 'node_modules', ...name.split('/'), 'package.json');
  const { version, engines } = JSON.parse(await readFile(file, 'utf8'));
  return { version, engines: engines?.node };
}
