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

/** Reads the files of a new project, in the order of their paths. */
export async function readProjectFiles(values: ProjectValues): Promise<readonly ProjectFile[]> {
  const entries = await readdir(join(templatesFolder(), 'project'), { recursive: true, withFileTypes: true });
  const root = join(templatesFolder(), 'project');
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
  const files = await Promise.all(
    paths.map(async (path) => ({ path: toRealPath(path), text: await readTemplate(`project/${path}`, values) })),
  );
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function toRealPath(path: string): string {
  return path
    .split('/')
    .map((name) => realNames[name] ?? name)
    .join('/');
}
