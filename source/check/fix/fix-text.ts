import { stripControl } from '../../terminal/control/strip-control.ts';
import type { FixedCheck } from './fix-problems.ts';
import type { LeftProblem } from './plan-fixes.ts';

/**
 * The fixes, as text that ends with an empty line:
 *
 *     fixed    unsendable-field  src/users.ts:12
 *       - born: z.date(),
 *       + born: z.coerce.date(),
 *
 *     not fixed, since nothing mechanical mends it: duplicate-route (2)
 */
export function toFixText({ fixed, left }: Pick<FixedCheck, 'fixed' | 'left'>, isDry: boolean): string {
  const verb = isDry ? 'to fix' : 'fixed';
  const parts = fixed.map(({ problem: { code, file = '' }, change }) =>
    change === undefined
      ? `${verb.padEnd(7)}  ${code}  ${file}\n  written again\n`
      : `${verb.padEnd(7)}  ${code}  ${file}:${change.line}\n  - ${change.before}\n  + ${change.after}\n`,
  );
  const none = 'Nothing can be fixed mechanically.\n';
  return stripControl(`${[...(parts.length === 0 ? [none] : parts), ...toLeftText(left)].join('\n')}\n`);
}

/** The problems that stay, by the reason: their own text follows. */
function toLeftText(left: readonly LeftProblem[]): readonly string[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const codes = left.filter((each) => each.reason === reason).map(({ problem }) => problem.code);
    const counted = [...new Set(codes)].map((code) => {
      const count = codes.filter((each) => each === code).length;
      return count === 1 ? code : `${code} (${count})`;
    });
    return `not fixed, since ${reason}: ${counted.join(', ')}\n`;
  });
}

/** The same for scripts. */
export function toFixJson({ fixed, left }: Pick<FixedCheck, 'fixed' | 'left'>): object {
  return {
    fixed: fixed.map(({ problem: { code, keys, file }, change }) => ({ code, keys, file, ...change })),
    left: left.map(({ problem: { code, keys, file, line }, reason }) => ({ code, keys, file, line, reason })),
  };
}
