import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toHostConfig, toServerName } from '../files/host-config.ts';
import type { TemplateName } from '../flags/new-flags.ts';
import { findUpwards } from '../system/paths.ts';
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
  const templateFiles = await readTemplateFiles({ template, language }, values);
  const allowScripts = readAllowScripts(templateFiles);
  return [
    ...templateFiles,
    ...agentFiles,
    ...findManagerFiles({ packageManager, folder: place.folder, allowScripts, capix }),
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

/** Whether npm may run the install script of each package that has one: all of them work without theirs. */
type AllowScripts = Readonly<Record<string, boolean>>;

function readAllowScripts(files: readonly ProjectFile[]): AllowScripts {
  const text = files.find(({ path }) => path === 'package.json')?.text ?? '{}';
  return (JSON.parse(text) as { readonly allowScripts?: AllowScripts }).allowScripts ?? {};
}

interface ManagerFileOptions {
  readonly packageManager: PackageManager;
  readonly folder: string;
  readonly allowScripts: AllowScripts;
  readonly capix: string;
}

/** A file that a package manager wants beside package.json. */
function findManagerFiles(options: ManagerFileOptions): readonly ProjectFile[] {
  const { packageManager, folder, allowScripts, capix } = options;
  switch (packageManager) {
    case 'npm':
      // npm would link the copy, which does not find the packages of the project: ioredis, ws, graphql.
      return /^file:.*\/node_modules\//.test(capix)
        ? [{ path: '.npmrc', text: '; capix is a copy in a folder.\ninstall-links=true\n' }]
        : [];
    case 'pnpm': {
      // It fails until a file allows or forbids each install script.
      const lines = Object.entries(allowScripts).map(([name, may]) => `  "${name}": ${may}\n`);
      const text = `# These packages work without their install scripts.\nallowBuilds:\n${lines.join('')}`;
      return unlessAbove({ path: 'pnpm-workspace.yaml', text }, folder);
    }
    case 'yarn': {
      const reason = "The TypeScript compiler does not find types in the archives of Plug'n'Play.";
      const text = `# ${reason}\nnodeLinker: node-modules\n`;
      return unlessAbove({ path: '.yarnrc.yml', text }, folder);
    }
    case 'bun':
      return [];
  }
}

/** None where one is above: a second one would take the project out of its workspace. */
function unlessAbove(file: ProjectFile, folder: string): readonly ProjectFile[] {
  const above = findUpwards(folder, (each) => existsSync(join(each, file.path)));
  return above === undefined ? [file] : [];
}

/** `allowScripts` of package.json is npm's word, `dependenciesMeta` yarn's. */
function fitManager(path: string, text: string, packageManager: PackageManager): string {
  if (path === '.gitignore' && packageManager === 'yarn') return `${text}.yarn/install-state.gz\n`;
  if (path !== 'package.json' || packageManager === 'npm') return text;
  const { allowScripts = {}, ...rest } = JSON.parse(text) as { allowScripts?: AllowScripts };
  const built = Object.entries(allowScripts).map(([name, may]) => [name, { built: may }]);
  const meta = packageManager === 'yarn' ? { dependenciesMeta: Object.fromEntries(built) } : {};
  return `${JSON.stringify({ ...rest, ...meta }, undefined, 2)}\n`;
}
