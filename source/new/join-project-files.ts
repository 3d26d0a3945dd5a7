import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFile } from './project-templates.ts';

interface JoinedFiles {
  readonly files: readonly ProjectFile[];
  /** The paths of the files that stay as they are. */
  readonly left: readonly string[];
}

/**
 * Fits the files of a new project to those that its folder holds: a `.gitignore` gets the lines that it lacks, so that
 * what it hides stays hidden, and every other file stays as it is, or is replaced by `force`.
 */
export async function joinProjectFiles(
  files: readonly ProjectFile[],
  { folder, force }: { readonly folder: string; readonly force: boolean },
): Promise<JoinedFiles> {
  const joined = await Promise.all(
    files.map(async ({ path, text }) => {
      const file = join(folder, path);
      if (path === '.gitignore') {
        const before = await readFile(file, 'utf8').catch(() => '');
        return { path, text: addLines(before, text) };
      }
      return { path, text: existsSync(file) && !force ? undefined : text };
    }),
  );
  return {
    files: joined.flatMap(({ path, text }) => (text === undefined ? [] : { path, text })),
    left: joined.flatMap(({ path, text }) => (text === undefined ? path : [])),
  };
}

/** Adds the rules that a `.gitignore` lacks, and those with `!` again, since the last rule that fits counts. */
function addLines(before: string, rules: string): string {
  if (before.trim() === '') return rules;
  const own = new Set(before.split('\n').map((line) => line.trim()));
  const missing = rules.split('\n').filter((line) => line !== '' && !own.has(line));
  if (missing.length === 0) return before;
  const added = rules.split('\n').filter((line) => missing.includes(line) || line.startsWith('!'));
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  return `${before.replace(/\r?\n?$/, end)}${added.join(end)}${end}`;
}
