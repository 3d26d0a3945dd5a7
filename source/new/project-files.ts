import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { toHostConfig, toServerName } from '../files/host-config.ts';
import { readTemplate, templatesFolder } from '../files/read-template.ts';
import { nodeBinary } from '../terminal/terminal.ts';
import { type PackageManager, packageManagerCommands } from './package-manager.ts';
import type { ProjectPlace } from './project-place.ts';

export const projectLanguages = ['typescript', 'javascript'] as const;

export interface ProjectAnswers {
  /** As it was typed: `shop`, `@acme/shop`, `.`. */
  readonly name: string;
  readonly language: (typeof projectLanguages)[number];
  readonly packageManager: PackageManager;
  readonly install: boolean;
  readonly git: boolean;
}

/** A file to be, with its path from the project's folder, with forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

export interface ProjectFilesOptions extends Pick<ProjectAnswers, 'language' | 'packageManager'> {
  readonly place: ProjectPlace;
  /** The version of capix that the project depends on. */
  readonly capix: string;
}

export async function readProjectFiles(
  options: ProjectFilesOptions,
): Promise<readonly ProjectFile[]> {
  const { place, language, packageManager, capix } = options;
  const isTyped = language === 'typescript';
  const { run, exec, ci: install } = packageManagerCommands[packageManager];
  const words = isTyped
    ? { checked: 'types, then routes', tested: 'compiles and runs' }
    : { checked: 'routes', tested: 'runs' };
  const values = { name: place.packageName, capix, run, exec, install, ...words };
  const templates = await readFolder('project', values);
  const files = isTyped
    ? templates
    : toJavaScript(templates, await readFolder('javascript', values));
  return [
    ...files,
    toAgentConfig(place, isTyped ? 'ts' : 'js'),
    ...findManagerFiles(packageManager, place.folder),
  ]
    .map(({ path, text }) => ({ path, text: fitManager(path, text, packageManager) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files of a TypeScript project under other names. `own`: those that differ, in their place. */
function toJavaScript(
  files: readonly ProjectFile[],
  own: readonly ProjectFile[],
): readonly ProjectFile[] {
  const renamed = files.map(({ path, text }) => ({
    path: path.replace(/\.ts$/, '.js'),
    // Pages name files; code needs no change.
    text: path.endsWith('.ts') ? text : text.replaceAll(/\.ts\b/g, '.js'),
  }));
  const isOther = ({ path }: ProjectFile) =>
    path !== 'tsconfig.json' && own.every((file) => file.path !== path);
  return [...renamed.filter(isOther), ...own];
}

async function readFolder(
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const root = join(templatesFolder(), name);
  const entries = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) =>
    relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
  );
  return Promise.all(
    paths.map(async (path) => ({
      path: toRealPath(path),
      text: await readTemplate(`${name}/${path}`, values),
    })),
  );
}

/** npm leaves files such as `.gitignore` out of a package, or reads them as its own: templates begin with `_`. */
function toRealPath(path: string): string {
  return path === '_package.json' ? 'package.json' : path.replace(/^_/, '.');
}

/**
 * The way in which an agent's host starts the tools, from any folder: absolute paths are of this machine, and so git
 * leaves the file alone.
 */
function toAgentConfig({ folder, packageName }: ProjectPlace, ending: 'ts' | 'js'): ProjectFile {
  const entry = join(folder, 'src', `capabilities.${ending}`);
  const args = [join(folder, 'node_modules', 'capix', 'dist', 'cli.cjs'), 'mcp', '--config', entry];
  const server = { name: toServerName(packageName), command: nodeBinary, args };
  return { path: '.mcp.json', text: toHostConfig('claude', server) };
}

/**
 * A file that a package manager wants beside package.json. swc, which capix loads projects with, has an install script
 * that it works without; pnpm fails until a file allows or forbids that script.
 */
const managerFiles: Readonly<Partial<Record<PackageManager, ProjectFile>>> = {
  pnpm: {
    path: 'pnpm-workspace.yaml',
    text: '# @swc/core works without its install script.\nallowBuilds:\n  "@swc/core": false\n',
  },
  yarn: {
    path: '.yarnrc.yml',
    text: "# The TypeScript compiler does not find types in the archives of Plug'n'Play.\nnodeLinker: node-modules\n",
  },
};

/** None where one is above: a second one would take the project out of its workspace. */
function findManagerFiles(packageManager: PackageManager, folder: string): readonly ProjectFile[] {
  const file = managerFiles[packageManager];
  const isAbove = (name: string, from: string): boolean =>
    existsSync(join(from, name)) || (dirname(from) !== from && isAbove(name, dirname(from)));
  return file === undefined || isAbove(file.path, folder) ? [] : [file];
}

/** `allowScripts` of package.json is npm's word, `dependenciesMeta` yarn's. */
function fitManager(path: string, text: string, packageManager: PackageManager): string {
  if (path === '.gitignore' && packageManager === 'yarn') return `${text}.yarn/install-state.gz\n`;
  if (path !== 'package.json' || packageManager === 'npm') return text;
  const { allowScripts: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const meta =
    packageManager === 'yarn' ? { dependenciesMeta: { '@swc/core': { built: false } } } : {};
  return `${JSON.stringify({ ...rest, ...meta }, undefined, 2)}\n`;
}
