import * as z from 'zod';
import { commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** What a new project begins as, the smallest first. */
export const templateNames = ['minimal', 'items', 'product'] as const;
export type TemplateName = (typeof templateNames)[number];

/** The options of `capix new`. */
export const newFlags = {
  force: option.flag(
    'Write into a folder that is not empty; only files of a new project are replaced',
  ),
  install: z.boolean().default(true).describe('Do not install the dependencies'),
  git: z.boolean().default(true).describe('Do not create a git repository'),
  template: option.choice(templateNames, 'What the project begins as (default: items)', 'name'),
  javascript: option.flag('Write JavaScript in place of TypeScript'),
  packageManager: option.choice(
    ['npm', 'pnpm', 'yarn', 'bun'],
    'Package manager that installs the dependencies (default: the one that runs this command)',
    'name',
  ),
  json: commonOptions.json,
  plain: commonOptions.plain,
};

export type NewValues = OptionValues<typeof newFlags>;
