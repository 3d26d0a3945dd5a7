import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Problem } from '../../manifest/problem.ts';
import { type FixEdit, findFixEdit } from './find-fix-edit.ts';

/** The edit that mends a problem. */
export interface FixedProblem {
  readonly problem: Problem;
  /** The line that changes; undefined of a file that is written again as a whole. */
  readonly change?: LineChange;
}

/** A line of a file, without the spaces around it. */
export interface LineChange {
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** A file as it was read and as the fixes make it. */
export interface FilePlan {
  /** Absolute path. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly fixed: readonly FixedProblem[];
}

export interface PlanFixesOptions {
  readonly manifest: Pick<Manifest, 'capabilities' | 'project'>;
  /** When the project was loaded, milliseconds since 1970: what was changed later is not what was checked. */
  readonly loadedAt: number;
}

/** Plans the fixes that the files of a project allow. Writes nothing, and leaves alone what is not at one place for certain. */
export async function planFixes(
  problems: readonly Problem[],
  { manifest, loadedAt }: PlanFixesOptions,
): Promise<readonly FilePlan[]> {
  const named = problems.flatMap(({ fix, file }) => (fix === undefined || file === undefined ? [] : file));
  // Those of another package have an absolute path: they are not the project's to change.
  const files = [...new Set(named)].filter((file) => !isAbsolute(file));
  const plans = await Promise.all(
    files.map(async (shown): Promise<FilePlan | undefined> => {
      const file = resolve(manifest.project.root, shown);
      const { mtimeMs } = await stat(file);
      if (mtimeMs > loadedAt) return undefined;
      const here = problems.filter((problem) => problem.file === shown);
      return planFile(file, await readFile(file, 'utf8'), { problems: here, manifest });
    }),
  );
  return plans.filter((plan) => plan !== undefined);
}

interface FileProblems {
  readonly problems: readonly Problem[];
  readonly manifest: Pick<Manifest, 'capabilities'>;
}

function planFile(file: string, before: string, { problems, manifest }: FileProblems): FilePlan | undefined {
  const found = problems.flatMap((problem) => {
    const edit = problem.fix && findFixEdit(before, problem.fix, findPlace(problem, manifest));
    return edit === undefined ? [] : [{ problem, edit }];
  });
  // Two that would change one place are one.
  const edits = found.filter(({ edit }, index) => found.findIndex((other) => isSame(other.edit, edit)) === index);
  if (edits.length === 0) return undefined;
  const ordered = edits.toSorted((a, b) => b.edit.from - a.edit.from);
  const after = ordered.reduce((text, { edit }) => withEdit(text, edit), before);
  return { file, before, after, fixed: edits.map(({ problem, edit }) => toFixed(problem, edit, { before, edits })) };
}

/** Problems of a declaration have its line alone. */
function findPlace({ keys, file, line }: Problem, { capabilities }: Pick<Manifest, 'capabilities'>) {
  const source = capabilities.find(({ key }) => keys.includes(key))?.source;
  return source?.file === file && source?.line === line ? source : undefined;
}

function isSame(one: FixEdit, other: FixEdit): boolean {
  return one.from === other.from && one.text === other.text;
}

function withEdit(text: string, { from, to, text: put }: FixEdit): string {
  return `${text.slice(0, from)}${put}${text.slice(to)}`;
}

interface FixedFile {
  readonly before: string;
  readonly edits: readonly { readonly edit: FixEdit }[];
}

function toFixed(problem: Problem, { from }: FixEdit, { before, edits }: FixedFile): FixedProblem {
  const start = before.lastIndexOf('\n', from - 1) + 1;
  const end = before.indexOf('\n', from);
  const line = before.slice(start, end === -1 ? undefined : end);
  const own = edits
    .map(({ edit }) => edit)
    .filter((edit) => edit.from >= start && edit.from <= start + line.length)
    .toSorted((a, b) => b.from - a.from);
  const after = own.reduce(
    (text, edit) => withEdit(text, { ...edit, from: edit.from - start, to: edit.to - start }),
    line,
  );
  const number = before.slice(0, start).split('\n').length;
  return { problem, change: { line: number, before: line.trim(), after: after.trim() } };
}
