import { findNearest } from '../../server-runtime/routing/find-nearest.ts';
import { CliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { stripControl } from '../terminal/strip-control.ts';

/**
 * Finds what a key names on the command line.
 *
 * @throws CliError `UnknownCapability` with the nearest key, exit code 2
 */
export function findCapability<T extends { readonly key: string }>(key: string, capabilities: readonly T[]): T {
  const found = capabilities.find((capability) => capability.key === key);
  if (found !== undefined) return found;
  const keys = capabilities.map((capability) => capability.key);
  const nearest = findNearest(key, keys) ?? keys.find((candidate) => candidate.split('.').at(-1) === key);
  throw new CliError({
    code: 'UnknownCapability',
    message: `No capability \`${stripControl(key)}\`.`,
    hint: nearest === undefined ? '`capix list` shows them all.' : `Did you mean \`${nearest}\`?`,
    exitCode: exitCodes.usage,
  });
}
