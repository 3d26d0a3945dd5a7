import type { Listed } from '../listed.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { checkRules } from './check-rules.ts';

/** A problem of one capability, with what its rule says of how bad it is. */
export function toMistake(
  code: ProblemCode,
  { key, facts: { source } }: Pick<Listed, 'key' | 'facts'>,
  said: Pick<Problem, 'message' | 'hint'>,
): Problem {
  return { severity: checkRules[code].severity, code, keys: [key], file: source?.file, line: source?.line, ...said };
}

/** A problem of the project, or of one of its files. */
export function toProjectProblem(code: ProblemCode, said: Pick<Problem, 'message' | 'hint' | 'file'>): Problem {
  return { severity: checkRules[code].severity, code, keys: [], ...said };
}
