import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTemplate, templatesFolder } from '../../files/read-template.ts';

/** A file to be, with its path from the project's folder, with forward slashes. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** Values of the marks in `templates/project/`. */
export type ProjectValues = Readonly<Record<'name' | 'capix' | 'run' | 'exec' | 'install', string>>;

/** npm leaves these names out of a package, or reads them as its own, so that the templates have others. */
const realNames: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  _cursor: '.cursor',
  _vscode: '.vscode',
  _github: '.github',
  '_package.json': 'package.json',
};

/** The languages that a project can be written in. */
export const projectLanguages = ['typescript', 'javascript'] as const;
export type ProjectLanguage = (typeof projectLanguages)[number];

/** Words that depend on the language. */
const words: Readonly<Record<ProjectLanguage, Readonly<Record<string, string>>>> = {
  typescript: { checked: 'types, then routes', tested: 'compiles and runs' },
  javascript: { checked: 'routes', tested: 'runs' },
};

/**
 * Reads the files of a new project, in the order of their paths. In JavaScript they are those of a TypeScript project under other names, but for
 * those that `templates/javascript/` has and what only the compiler needs.
 */
export async function readProjectFiles(
  values: ProjectValues,
  language: ProjectLanguage,
): Promise<readonly ProjectFile[]> {
  const all = { ...values, ...words[language] };
  const files = await readFolder('project', all);
  if (language === 'typescript') return toSorted(files);
  const own = await readFolder('javascript', all);
  const renamed = files
    .filter(({ path }) => path !== 'tsconfig.json')
    .map(({ path, text }) => ({ path: path.replace(/\.ts$/, '.js'), text: withoutTypeScript(path, text) }))
    .filter(({ path }) => !own.some((file) => file.path === path));
  return toSorted([...renamed, ...own]);
}

/** Pages name files; code needs no change, since what has types stands in `templates/javascript/`. */
function withoutTypeScript(path: string, text: string): string {
  return path.endsWith('.ts') ? text : text.replaceAll(/\.ts\b/g, '.js');
}

function toSorted(files: readonly ProjectFile[]): readonly ProjectFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function readFolder(name: string, values: Readonly<Record<string, string>>): Promise<readonly ProjectFile[]> {
  const root = join(templatesFolder(), name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
  return Promise.all(
    paths.map(async (path) => ({ path: toRealPath(path), text: await readTemplate(`${name}/${path}`, values) })),
  );
}

function toRealPath(path: string): string {
  return path
    .split('/')
    .map((name) => realNames[name] ?? name)
    .join('/');
}
