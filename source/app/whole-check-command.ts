import checkCommand, { type CheckOptions } from '../check/check-command.ts';
import type { PlainProps } from '../cli/command.ts';
import { findStaleFiles } from './find-stale-files.ts';

/** `capix check` with a look at the files that other features write. */
export default async function wholeCheckCommand(props: PlainProps<CheckOptions>): Promise<number> {
  return checkCommand(props, async (loaded) => (await findStaleFiles(loaded)).map(({ problem }) => problem));
}
