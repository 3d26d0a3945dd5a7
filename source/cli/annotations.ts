import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { stripControl } from '../terminal/strip-control.ts';

/** Something that a command found, as GitHub shows it beside the code. */
export interface Finding {
  readonly rule: string;
  readonly level: keyof typeof commands;
  readonly name: string;
  readonly message: string;
  /** Relative to the project, with forward slashes. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * Findings as commands of GitHub Actions, a line each: `::error file=src/a.ts,line=3,title=rule: message`. GitHub looks
 * for a file from the top of the repository, which `root`, the absolute path of the project, may lie below.
 */
export function toAnnotations(findings: readonly Finding[], root: string): string {
  const folder = findRepositoryFolder(root);
  const toPlaced = (finding: Finding): Finding =>
    finding.file === undefined ? finding : { ...finding, file: posix.join(folder, finding.file) };
  return findings.map((finding) => `${toAnnotation(toPlaced(finding))}\n`).join('');
}

/** The path of a folder from the top of its repository; without one, the folder is the top. */
function findRepositoryFolder(root: string): string {
  if (!existsSync(root)) return '';
  const folder = realpathSync(root);
  for (let at = folder; ; at = dirname(at)) {
    // A linked worktree and a submodule have a file of this name.
    if (existsSync(join(at, '.git'))) return relative(at, folder).replaceAll('\\', '/');
    if (dirname(at) === at) return '';
  }
}

function toAnnotation({ rule, level, name, message, file, line, column }: Finding): string {
  const properties = Object.entries({ file, line, col: column, title: `${rule}: ${name}` })
    .filter((property) => property[1] !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${commands[level]} ${properties.join(',')}::${escapeData(message)}`;
}

/** As GitHub's own toolkit escapes them. */
function escapeData(text: string): string {
  return stripControl(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
