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

/** Findings as commands of GitHub Actions, a line each: `::error file=src/a.ts,line=3,title=rule: message`. */
export function toAnnotations(findings: readonly Finding[]): string {
  return findings.map((finding) => `${toAnnotation(finding)}\n`).join('');
}

function toAnnotation({ rule, level, name, message, file, line, column }: Finding): string {
  const properties = Object.entries({ file, line, col: column, title: `${rule}: ${name}` })
    .filter(([, value]) => value !== undefined)
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
