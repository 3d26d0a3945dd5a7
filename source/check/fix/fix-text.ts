import { stripControl } from '../../terminal/control/strip-control.ts';
import type { FixedProblem } from './plan-fixes.ts';

/**
 * The fixes, as text that ends with an empty line:
 *
 *     fixed    unsendable-field  src/users.ts:12
 *       - born: z.date(),
 *       + born: z.coerce.date(),
 */
export function toFixText(fixed: readonly FixedProblem[], isDry: boolean): string {
  const verb = isDry ? 'to fix' : 'fixed';
  const parts = fixed.map(({ problem: { code, file = '' }, change }) =>
    change === undefined
      ? `${verb.padEnd(7)}  ${code}  ${file}\n  written again\n`
      : `${verb.padEnd(7)}  ${code}  ${file}:${change.line}\n  - ${change.before}\n  + ${change.after}\n`,
  );
  const none = 'Nothing can be fixed mechanically.\n';
  return stripControl(`${parts.length === 0 ? none : parts.join('\n')}\n`);
}

/** The same for scripts. */
export function toFixJson(fixed: readonly FixedProblem[]): readonly object[] {
  return fixed.map(({ problem: { code, keys, file }, change }) => ({ code, keys, file, ...change }));
}
