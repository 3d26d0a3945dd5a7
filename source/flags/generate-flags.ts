import { commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** The options of `capix generate group`. */
export const groupFlags = {
  dryRun: option.flag('Show what would be written, and write nothing'),
  ...commonOptions,
};

export type GroupValues = OptionValues<typeof groupFlags>;

/** The options of `capix generate capability`. */
export const capabilityFlags = {
  input: option.flag('Give it an input schema with an `id`'),
  force: option.flag('Replace the file of the capability where it exists'),
  ...groupFlags,
};

export type CapabilityValues = OptionValues<typeof capabilityFlags>;
