import { resolve } from 'node:path';
import { readSourceText } from '../code-frame.ts';
import type { Manifest } from '../manifest.ts';
import { toProjectPath } from '../project.ts';

/** The place of an override by its key: in the capabilities file, then in its imports; undefined without one. */
export function findOverridePlace(
  key: string,
  { project, files }: Pick<Manifest, 'project' | 'files'>,
): { readonly file: string; readonly line: number } | undefined {
  const name = key.replaceAll('.', String.raw`\.`);
  const quoted = `(["'\`])${name}\\1`;
  const entry = new RegExp(`^(?!\\s*(?://|\\*)).*(?:${quoted}|(?<![\\w$.])${name})\\s*:\\s*\\{`);
  for (const file of new Set([resolve(project.root, project.config), ...files])) {
    const at = readSourceText(file)
      .split('\n')
      .findIndex((line) => entry.test(line));
    if (at !== -1) return { file: toProjectPath(file, project.root), line: at + 1 };
  }
  return undefined;
}
