import { stripControl } from '../terminal/control/strip-control.ts';
import type { Finding } from './finding.ts';

export interface JunitOptions {
  /** The name of the suite: `capix diff`. */
  readonly suite: string;
  /** Names that passed unless a finding concerns them. */
  readonly names: readonly string[];
  /** Whether a finding is a failed test; others are told as its output. */
  readonly isFailure: (finding: Finding) => boolean;
}

/** Findings as a JUnit report: a test for each name, which fails by its findings. */
export function toJunit(findings: readonly Finding[], { suite, names, isFailure }: JunitOptions): string {
  const cases = [...new Set([...names, ...findings.map(({ name }) => name)])].map((name) => {
    const own = findings.filter((finding) => finding.name === name);
    const parts = own.map((finding) => (isFailure(finding) ? toFailure(finding) : toOutput(finding)));
    const open = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(suite)}"`;
    return parts.length === 0 ? `${open}/>` : `${open}>\n${parts.join('\n')}\n    </testcase>`;
  });
  const failures = findings.filter(isFailure).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(suite)}" tests="${cases.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function toFailure({ rule, message, file, line }: Finding): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return `      <failure type="${escapeXml(rule)}" message="${escapeXml(message)}">${escapeXml(`${message}${place}`)}</failure>`;
}

function toOutput({ rule, level, message }: Finding): string {
  return `      <system-out>${escapeXml(`${level} ${rule}: ${message}`)}</system-out>`;
}

function escapeXml(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' } as const;
  return stripControl(text).replaceAll(/[&<>"\n]/g, (character) => entities[character as keyof typeof entities]);
}
