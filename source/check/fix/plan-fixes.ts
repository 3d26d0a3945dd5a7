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

export interface PlannedFixes {
  readonly plans: readonly FilePlan[];
  /** The problems that no plan mends. */
  readonly left: readonly LeftProblem[];
}

/** A problem that stays. */
export interface LeftProblem {
  readonly problem: Problem;
  /** The reason as the rest of a sentence: 'was changed while it was checked'. */
  readonly reason: string;
}

/** Plans the fixes that the files of a project allow. Writes nothing, and leaves alone what is not at one place for certain. */
export async function planFixes(
  problems: readonly Problem[],
  { manifest, loadedAt }: PlanFixesOptions,
): Promise<PlannedFixes> {
  const named = problems.flatMap(({ fix, file }) => (fix === undefined || file === undefined ? [] : file));
  // Files of another package have an absolute path: they are not the project's to change.
  const files = [...new Set(named)].filter((file) => !isAbsolute(file));
  const changed = new Set<string>();
  const planned = await Promise.all(
    files.map(async (shown): Promise<SourcePlan | undefined> => {
      const file = resolve(manifest.project.root, shown);
      const { mtimeMs } = await stat(file);
      if (mtimeMs > loadedAt) {
        changed.add(shown);
        return undefined;
      }
      const here = problems.filter((problem) => problem.file === shown);
      return planFile(file, await readFile(file, 'utf8'), { problems: here, manifest });
    }),
  );
  const plans = planned.filter((plan) => plan !== undefined);
  const mended = new Set(plans.flatMap(({ problems: found }) => found));
  const left = problems.filter((problem) => !mended.has(problem));
  return { plans, left: left.map((problem) => ({ problem, reason: toReason(problem, changed) })) };
}

function toReason({ fix, file }: Problem, changed: ReadonlySet<string>): string {
  if (fix === undefined || file === undefined) return 'nothing mechanical mends it';
  if (isAbsolute(file)) return 'it is in a file of another package';
  return changed.has(file) ? 'its file was changed while it was checked' : 'its place in the source is not certain';
}

interface FileProblems {
  readonly problems: readonly Problem[];
  readonly manifest: Pick<Manifest, 'capabilities'>;
}

function planFile(file: string, before: string, { problems, manifest }: FileProblems): SourcePlan | undefined {
  const found = problems.flatMap((problem) => {
    const edit = problem.fix && findFixEdit(before, problem.fix, findPlace(problem, manifest));
    return edit === undefined ? [] : [{ problem, edit }];
  });
  // Two that would change one place are one.
  const edits = found.filter(({ edit }, index) => found.findIndex((other) => isSame(other.edit, edit)) === index);
  if (edits.length === 0) return undefined;
  const ordered = edits.toSorted((a, b) => b.edit.from - a.edit.from);
  const after = ordered.reduce((text, { edit }) => withEdit(text, edit), before);
  const fixed = edits.map(({ problem, edit }) => toFixed(problem, edit, { before, edits }));
  return { file, before, after, fixed, problems: found.map(({ problem }) => problem) };
}

/** The plan of a source file, with all problems that it mends: several may be mended by one edit. */
interface SourcePlan extends FilePlan {
  readonly problems: readonly Problem[];
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
