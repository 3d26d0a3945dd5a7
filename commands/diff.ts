import { argument } from 'pastel';
import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import { option } from '../source/cli/common-options.ts';
import { diffFlags } from '../source/flags/diff-flags.ts';

/** A capabilities file as the newer side is the project that is opened. */
const isCode = (side = ''): boolean => /\.[cm]?[jt]sx?$/.test(side);

export default command({
  summary: 'Tell what changes for callers, and whom it breaks',
  group: 'Inspect',
  details:
    'A side is a git ref, a capabilities file, an OpenAPI 3 document (file or URL), a running server or a lock ' +
    'file; without a second one, the project as it is. Exits with 0 whatever it finds, unless --fail-on says so.',
  page: 'gate.md',
  examples: ['capix diff main... --fail-on breaking', 'capix diff v1.2.0 HEAD --markdown'],
  options: diffFlags,
  args: [
    z
      .string()
      .describe(
        argument({ name: 'before', description: 'Ref, file or URL of the contract as it was' }),
      ),
    option.operand('after', 'Ref, file or URL of the contract as it is now (default: the project)'),
  ],
  plain: () => import('../source/diff/diff-command.ts'),
  // Its screen loads the project that is open.
  isComplete: ({ options: { markdown, format, semver, run } }) =>
    markdown || semver || !run || format !== undefined,
  opens: ([before, after], options) => ({
    screen: 'diff',
    before,
    after: isCode(after) ? undefined : after,
    options,
  }),
  toConfig: (sides) => (isCode(sides[1]) ? sides[1] : undefined),
});
