import * as z from 'zod';
import { commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** The options of `capix diff`. */
export const diffFlags = {
  ...commonOptions,
  failOn: option.choices(
    ['breaking', 'risky', 'open', 'unread'],
    'Exit with 1 for a change of this class or worse, a lost guard, or a part not compared, once or more',
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
};

export type DiffValues = OptionValues<typeof diffFlags>;
