import { commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** The options of `capix check`. */
export const checkFlags = {
  ...commonOptions,
  strict: option.flag('Fail on warnings too'),
  agents: option.flag('Look for what keeps AI agents from using the tools, too'),
  format: option.choice(['github'], 'Print annotations for a build on GitHub', 'format'),
};

export type CheckValues = OptionValues<typeof checkFlags>;
