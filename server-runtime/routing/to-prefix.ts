import { parsePathPattern } from './path-pattern.ts';

/**
 * Gives the text before every path: empty, or begins with a slash and ends with none.
 *
 * @throws TypeError for what is not a path of static text
 */
export function toPrefix(prefix: unknown = ''): string {
  if (prefix === '') return '';
  const pattern = typeof prefix === 'string' ? parsePathPattern(prefix) : undefined;
  if (pattern?.kind === 'pattern' && pattern.params.length === 0) return pattern.path === '/' ? '' : pattern.path;
  const reason = pattern?.kind === 'invalid' ? `it ${pattern.reason}` : 'it has parameters';
  throw new TypeError(
    `prefix: expected a path such as '/api', got ${JSON.stringify(prefix)}${pattern ? `: ${reason}` : ''}.`,
  );
}
