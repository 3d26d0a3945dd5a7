import type { Problem } from '../problem.ts';

/** A text as what is wrong and, from its last sentence or clause, what to do. */
export function splitHint(text: string): Pick<Problem, 'message' | 'hint'> {
  const [, message, hint] = /^(.*\S) ((?:Did you mean|Rename|Remove|Say) .*)$/s.exec(text) ?? [];
  if (message !== undefined) return { message, hint };
  const [, fault, step] = /^(.*?); (.*)$/s.exec(text) ?? [];
  if (fault === undefined || step === undefined) return { message: text };
  return { message: `${fault}.`, hint: `${step.charAt(0).toUpperCase()}${step.slice(1)}` };
}
