import { toAnnotations } from '../findings/annotations.ts';
import type { Finding } from '../findings/finding.ts';
import { toJunit } from '../findings/junit.ts';
import { toSarif } from '../findings/sarif.ts';
import { checkRules } from '../manifest/mistakes/check-rules.ts';
import type { Problem } from '../manifest/problem.ts';

export interface CheckFormatOptions {
  readonly format: 'github' | 'sarif' | 'junit';
  /** Whether warnings are failures. */
  readonly strict: boolean;
  /** Keys of all capabilities. */
  readonly keys: readonly string[];
}

/** The findings as a build machine reads them. */
export function toCheckFormat(problems: readonly Problem[], { format, strict, keys }: CheckFormatOptions): string {
  const findings = problems.map(toFinding);
  switch (format) {
    case 'github':
      return toAnnotations(findings);
    case 'sarif':
      return toSarif(findings, new Map(Object.entries(checkRules).map(([id, { when }]) => [id, when])));
    case 'junit':
      return toJunit(findings, {
        suite: 'capix check',
        names: keys,
        isFailure: ({ level }) => level === 'error' || strict,
      });
  }
}

function toFinding({ code, severity, message, hint, keys, file, line }: Problem): Finding {
  const text = [message, hint].filter((part) => part !== undefined).join('\n');
  return { rule: code, level: severity, name: keys[0] ?? 'project', message: text, file, line };
}
