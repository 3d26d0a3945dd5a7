import { argument } from 'pastel';
import * as z from 'zod';
import { command } from '../source/app/define-command.ts';
import { commonOptions, option } from '../source/cli/common-options.ts';

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
  options: {
    ...commonOptions,
    failOn: option.choices(
      ['breaking', 'risky', 'open', 'unread'],
      'Exit with 1 for a change of this class or a worse one, where a guard is gone, or something ' +
        'was not compared, once or more',
      'what',
    ),
    markdown: option.flag('Print Markdown for a pull request'),
    format: option.choice(['github'], 'Print annotations for a build on GitHub', 'format'),
    semver: option.flag('Print by how much the version must go up'),
    run: z
      .boolean()
      .default(true)
      .describe('Run no code: compare the lock files that are committed beside it'),
    env: option.flag('Give env files and secrets to the code of every ref, not only of the past'),
    allow: option.list(
      'Folder, file or address that documents may refer to besides their own, once or more',
      'place',
    ),
    maxSize: option.number(
      'MiB that a document of a URL may have (default: 64)',
      'MiB',
      z.number().positive(),
    ),
  },
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
  opens: ([before, after], { failOn, env, maxSize, allow }) => ({
    screen: 'diff',
    before,
    after: isCode(after) ? undefined : after,
    failOn,
    reading: { givesEnv: env, maxSize, allow },
  }),
  toConfig: (sides) => (isCode(sides[1]) ? sides[1] : undefined),
});
