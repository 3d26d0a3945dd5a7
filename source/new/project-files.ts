import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toHostConfig, toServerName } from '../files/host-config.ts';
import type { TemplateName } from '../flags/new-flags.ts';
import { nodeBinary } from '../terminal/terminal.ts';
import { type PackageManager, packageManagerCommands } from './package-manager.ts';
import type { ProjectPlace } from './project-place.ts';
import {
  type ProjectFile,
  type ProjectLanguage,
  projectTemplates,
  readTemplateFiles,
} from './project-templates.ts';

export interface ProjectAnswers {
  /** As it was typed: `shop`, `@acme/shop`, `.`. */
  readonly name: string;
  readonly template: TemplateName;
  readonly language: ProjectLanguage;
  readonly packageManager: PackageManager;
  readonly install: boolean;
  readonly git: boolean;
}

export interface ProjectFilesOptions
  extends Pick<ProjectAnswers, 'template' | 'language' | 'packageManager'> {
  readonly place: ProjectPlace;
  /** The version of capix that the project depends on. */
  readonly capix: string;
}

/** @throws CliError `Usage` for a template that is not in the language */
export async function readProjectFiles(
  options: ProjectFilesOptions,
): Promise<readonly ProjectFile[]> {
  const { place, template, language, packageManager, capix } = options;
  const isTyped = language === 'typescript';
  const { run, exec, ci: install, prune } = packageManagerCommands[packageManager];
  const words = isTyped
    ? { checked: 'types, then routes', tested: 'compiles and runs' }
    : { checked: 'routes', tested: 'runs' };
  const commands = { run, exec, install, prune };
  const name = place.packageName;
  const values = { name, server: toServerName(name), capix, ...commands, ...words };
  const agentFiles = projectTemplates[template].hasAgentConfig
    ? [toAgentConfig(place, isTyped ? 'ts' : 'js')]
    : [];
  return [
    ...(await readTemplateFiles({ template, language }, values)),
    ...agentFiles,
    ...findManagerFiles(packageManager, place.folder),
  ]
    .map(({ path, text }) => ({ path, text: fitManager(path, text, packageManager) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
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
