import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { cleanEnvironment, packageRoot, runCapix } from './run-capix.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Made {
  /** The folder that it was written for, which some of the files name. */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What `capix new` wrote for a name and options: but for its folder, it writes the same each time. */
const made = new Map<string, Promise<Made>>();

/**
 * Makes a project as the built `capix new` does, which runs once for each name and set of options. In place of an installation its dependencies are
 * links to those of this checkout, which takes no network and no time. Gives its folder.
 */
export async function scaffold(name = 'shop', options: readonly string[] = []): Promise<string> {
  const key = [name, ...options].join(' ');
  const project = made.get(key) ?? runNew(name, options);
  made.set(key, project);
  const { folder: madeIn, files } = await project;
  const folder = join(await temporaryFolder(), name);
  const texts = Object.entries(files).map(([path, text]) => [
    path,
    text.replaceAll(madeIn, folder),
  ]);
  await writeTree(folder, Object.fromEntries(texts));
  await mkdir(join(folder, 'node_modules'));
  await symlink(packageRoot, join(folder, 'node_modules', 'capix'), 'junction');
  for (const dependency of ['zod', 'typescript', '@types', '@typescript', 'undici-types']) {
    await symlink(
      join(packageRoot, 'node_modules', dependency),
      join(folder, 'node_modules', dependency),
      'junction',
    );
  }
  return folder;
}

async function runNew(name: string, options: readonly string[]): Promise<Made> {
  const parent = await temporaryFolder();
  const { exitCode, stderr } = await runCapix(
    ['new', name, '--no-install', '--no-git', ...options],
    { cwd: parent },
  );
  if (exitCode !== 0) throw new Error(`capix new failed: ${stderr}`);
  const folder = join(parent, name);
  return { folder, files: await readTree(folder) };
}

/** What the project's own compiler says of it; empty where all is well. */
export async function typeErrors(folder: string, config = 'tsconfig.json'): Promise<string> {
  // On several threads it takes a third more CPU.
  const args = [compiler, '--noEmit', '--singleThreaded', '-p', config];
  const { stdout, stderr } = await execa(process.execPath, args, { cwd: folder, reject: false });
  return stdout + stderr;
}

/** Runs a script of the project's package.json, as `npm run` does, with the programs of this checkout in place of installed ones. */
export function runScript(folder: string, script: string) {
  const modules = join(packageRoot, 'node_modules');
  // `tsc` of `.bin` may be that of an older compiler: npm links whichever of their packages it installs last.
  const programs = [
    join(modules, 'typescript', 'bin'),
    join(modules, '.bin'),
    process.env['PATH'],
  ].join(delimiter);
  return execa('npm', ['run', '--silent', script], {
    cwd: folder,
    env: { ...cleanEnvironment(), PATH: programs },
    extendEnv: false,
    reject: false,
    all: true,
  });
}

/** Every file of a folder as path and text, in the order of the paths. */
export async function readTree(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = paths
    .toSorted()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')]);
  return Object.fromEntries(await Promise.all(files)) as Record<string, string>;
}

/** Writes files, and the folders above them. */
export async function writeTree(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
