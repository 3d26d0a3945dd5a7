import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toHostConfig, toServerName } from '../files/host-config.ts';
import { readTemplate, templatesFolder } from '../files/read-template.ts';
import { nodeBinary } from '../terminal/terminal.ts';
import { type PackageManager, packageManagerCommands } from './package-manager.ts';
import type { ProjectPlace } from './project-place.ts';

/** The languages that a project can be written in. */
export const projectLanguages = ['typescript', 'javascript'] as const;
export type ProjectLanguage = (typeof projectLanguages)[number];

/** A file to be, with its path from the project's folder, with forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

export interface ProjectFilesOptions {
  readonly place: ProjectPlace;
  readonly language: ProjectLanguage;
  /** The version of capix that the project depends on. */
  readonly capix: string;
  readonly packageManager: PackageManager;
  /** The version of the package manager, where it is known: `'10.34.9'`. */
  readonly version?: string | undefined;
  readonly tests: boolean;
  readonly agents: boolean;
}

/** The files of a new project, in the order of their paths. */
export async function readProjectFiles(options: ProjectFilesOptions): Promise<readonly ProjectFile[]> {
  const { place, language, packageManager, capix, tests, agents } = options;
  const { run, exec, ci: install } = packageManagerCommands[packageManager];
  const values = { name: place.packageName, capix, run, exec, install, ...words[language] };
  const templates = await readFolder('project', values);
  const files = language === 'typescript' ? templates : await toJavaScript(templates, values);
  return [...files, toAgentConfig(place, language), ...findManagerFiles(options)]
    .filter(({ path }) => (tests || !testFiles.test(path)) && (agents || !agentFiles.test(path)))
    .map(({ path, text }) => ({ path, text: fitManager(path, text, packageManager) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const testFiles = /\.test\.[jt]s$/;
const agentFiles = /^(AGENTS\.md|\.mcp\.json|\.cursor\/)/;

/** Words that depend on the language. */
const words: Readonly<Record<ProjectLanguage, Readonly<Record<string, string>>>> = {
  typescript: { checked: 'types, then routes', tested: 'compiles and runs' },
  javascript: { checked: 'routes', tested: 'runs' },
};

/** The files of a TypeScript project under other names; `templates/javascript/` has those that differ. */
async function toJavaScript(files: readonly ProjectFile[], values: Readonly<Record<string, string>>) {
  const own = await readFolder('javascript', values);
  const renamed = files
    .filter(({ path }) => path !== 'tsconfig.json')
    // Pages name files; code needs no change.
    .map(({ path, text }) => ({
      path: path.replace(/\.ts$/, '.js'),
      text: path.endsWith('.ts') ? text : text.replaceAll(/\.ts\b/g, '.js'),
    }))
    .filter(({ path }) => !own.some((file) => file.path === path));
  return [...renamed, ...own];
}

async function readFolder(name: string, values: Readonly<Record<string, string>>): Promise<readonly ProjectFile[]> {
  const root = join(templatesFolder(), name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) =>
      join(parentPath, file)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
  const read = async (path: string): Promise<ProjectFile> => ({
    path: path
      .split('/')
      .map((part) => realNames[part] ?? part)
      .join('/'),
    text: await readTemplate(`${name}/${path}`, values),
  });
  return Promise.all(paths.map(read));
}

/** npm leaves these names out of a package, or reads them as its own, so that the templates have others. */
const realNames: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  _cursor: '.cursor',
  _vscode: '.vscode',
  _github: '.github',
  '_package.json': 'package.json',
};

/**
 * The way in which an agent's host starts the tools, from any folder: absolute paths are of this machine, and so git
 * leaves the file alone.
 */
function toAgentConfig({ folder, packageName }: ProjectPlace, language: ProjectLanguage): ProjectFile {
  const entry = join(folder, 'src', language === 'typescript' ? 'capabilities.ts' : 'capabilities.js');
  const args = [join(folder, 'node_modules', 'capix', 'dist', 'cli.cjs'), 'mcp', '--config', entry];
  const server = { name: toServerName(packageName), command: nodeBinary, args };
  return { path: '.mcp.json', text: toHostConfig('claude', server) };
}

/**
 * A file that a package manager wants beside package.json. swc, which capix loads projects with, has an install
 * script that it works without; most package managers ask before they run such scripts, or fail where nobody has
 * answered.
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

/**
 * A file that the project or a folder above it has already counts: a second one would take the project out of a
 * workspace.
 */
function findManagerFiles({ packageManager, place, version }: ProjectFilesOptions): readonly ProjectFile[] {
  const file = managerFiles[packageManager];
  if (file === undefined || isAbove(file.path, place.folder)) return [];
  return packageManager === 'pnpm' && isOld(version) ? [] : [file];
}

/**
 * Before 10.5 a `pnpm-workspace.yaml` made a workspace of the project; those versions only warn of scripts, or run
 * them.
 */
function isOld(version = ''): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return major !== undefined && (Number(major) < 10 || (Number(major) === 10 && Number(minor) < 5));
}

function isAbove(name: string, folder: string): boolean {
  return existsSync(join(folder, name)) || (dirname(folder) !== folder && isAbove(name, dirname(folder)));
}

/** `allowScripts` of package.json is npm's word, `dependenciesMeta` yarn's. */
function fitManager(path: string, text: string, packageManager: PackageManager): string {
  if (path === '.gitignore' && packageManager === 'yarn') return `${text}.yarn/install-state.gz\n`;
  if (path !== 'package.json' || packageManager === 'npm') return text;
  const { allowScripts: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const meta = packageManager === 'yarn' ? { dependenciesMeta: { '@swc/core': { built: false } } } : {};
  return `${JSON.stringify({ ...rest, ...meta }, undefined, 2)}\n`;
}
