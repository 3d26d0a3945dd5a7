import { join } from 'node:path';
import { execa } from 'execa';
import { cleanEnvironment, packageRoot } from './run-capix.ts';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface PackedProject {
  /** Absolute path of the project `shop`. */
  readonly folder: string;
  /** The `capix` that made it by `create-capix`: that of the packed package, installed in a folder of its own. */
  readonly capix: string;
  /** Absolute path of the packed package. */
  readonly tarball: string;
  /** What `capix new` wrote to stdout. */
  readonly created: string;
}

/**
 * Does what a user does who was handed the packed packages: installs the tarballs, makes a project as `npm create capix shop` does, and lets it
 * install itself. npm takes what it can from its cache.
 */
export async function makePackedProject(): Promise<PackedProject> {
  const parent = await temporaryFolder();
  const { capix, tarball } = await installTool(parent);
  const create = join(parent, 'tool', 'node_modules', '.bin', 'create-capix');
  const { stdout } = await execa(create, ['shop'], { cwd: parent, ...npmEnvironment() });
  return { folder: join(parent, 'shop'), capix, tarball, created: stdout };
}

/** Packs both packages and installs them in `tool/` of a folder. */
export async function installTool(
  parent: string,
): Promise<Pick<PackedProject, 'capix' | 'tarball'>> {
  const tarball = await pack(parent);
  await writeTree(parent, { 'tool/package.json': '{ "private": true }\n' });
  const starter = await pack(parent, join(packageRoot, 'create-capix'));
  await npm(['install', tarball, starter, '--no-audit', '--no-fund'], join(parent, 'tool'));
  return { tarball, capix: join(parent, 'tool', 'node_modules', 'capix', 'dist', 'cli.cjs') };
}

/** Packs the built package, or that of another folder, as `npm pack` would, without building it again. Gives the path of the tarball. */
export async function pack(destination: string, folder = packageRoot): Promise<string> {
  const stdout = await npm(
    ['pack', '--ignore-scripts', '--json', '--pack-destination', destination],
    folder,
  );
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error('npm pack made nothing.');
  return join(destination, packed.filename);
}

/** Runs npm as its user would, and takes what it can from its cache. Gives what it wrote to stdout. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execa('npm', [...args], { cwd, ...npmEnvironment() });
  return stdout;
}

/** Of a user's shell, in which npm asks a registry again that has not answered for a minute: else it waits for five, as long as a hook may take. */
export function npmEnvironment() {
  const npmConfig = { npm_config_prefer_offline: 'true', npm_config_fetch_timeout: '60000' };
  return { env: { ...cleanEnvironment(), ...npmConfig }, extendEnv: false } as const;
}
