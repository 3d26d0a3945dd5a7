import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { usageError } from '../cli/cli-error.ts';
import { renderTemplate } from '../files/read-template.ts';
import type { TemplateName } from '../flags/new-flags.ts';
import { packageRoot } from '../package-root.ts';

export const projectLanguages = ['typescript', 'javascript'] as const;
export type ProjectLanguage = (typeof projectLanguages)[number];

/** A file to be, with its path from the project's folder, with forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

interface ProjectTemplate {
  /** Folders of this package, of which a later one replaces files of those before it. */
  readonly folders: readonly string[];
  /** Those with what differs in JavaScript; undefined where the template is in TypeScript alone. */
  readonly javascript: readonly string[] | undefined;
  /** Whether it gets a file for the hosts of agents with the paths of this machine. */
  readonly hasAgentConfig: boolean;
  /** A path that answers as soon as the server runs. */
  readonly answers: string;
}

export const projectTemplates: Readonly<Record<TemplateName, ProjectTemplate>> = {
  minimal: {
    folders: ['templates/base', 'templates/minimal'],
    javascript: ['templates/javascript/base', 'templates/javascript/minimal'],
    hasAgentConfig: false,
    answers: '/hello',
  },
  items: {
    folders: ['templates/base', 'templates/agents', 'templates/items'],
    javascript: ['templates/javascript/base', 'templates/javascript/items'],
    hasAgentConfig: true,
    answers: '/items',
  },
  product: {
    folders: ['templates/agents', 'dist/templates/product', 'templates/product'],
    javascript: undefined,
    hasAgentConfig: false,
    answers: '/app/',
  },
};

/** @throws CliError `Usage` for a template that is not in the language */
export async function readTemplateFiles(
  { template, language }: { readonly template: TemplateName; readonly language: ProjectLanguage },
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const { folders, javascript } = projectTemplates[template];
  const typed = await readFolders(folders, values);
  if (language === 'typescript') return typed;
  if (javascript === undefined)
    throw usageError(
      `The template ${template} is in TypeScript only.`,
      'Leave out --javascript, or choose the template items or minimal.',
    );
  const own = await readFolders(javascript, values);
  return [...typed.map(toJavaScript).filter((file) => isOther(file, own)), ...own];
}

/** A file of TypeScript under its name in JavaScript. Its code has no types, or is in the folder of JavaScript too. */
function toJavaScript({ path, text }: ProjectFile): ProjectFile {
  return { path: path.replace(/\.ts$/, '.js'), text: text.replaceAll(/\.ts\b/g, '.js') };
}

/** Whether a file stays beside those of JavaScript. */
function isOther({ path }: ProjectFile, own: readonly ProjectFile[]): boolean {
  return path !== 'tsconfig.json' && own.every((file) => file.path !== path);
}

async function readFolders(
  names: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const folders = await Promise.all(names.map((name) => readFolder(name, values)));
  const files = new Map(folders.flat().map(({ path, text }) => [path, text]));
  return [...files].map(([path, text]) => ({ path, text }));
}

async function readFolder(
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<readonly ProjectFile[]> {
  const root = join(packageRoot(), name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = toRealPath(relative(root, file).replaceAll('\\', '/'));
      return { path, text: renderTemplate(await readFile(file, 'utf8'), values) };
    }),
  );
}

/** npm leaves files such as `.gitignore` out of a package, or reads them as its own: templates begin with `_`. */
function toRealPath(path: string): string {
  return path === '_package.json' ? 'package.json' : path.replace(/^_/, '.');
}
