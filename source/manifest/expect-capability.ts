import { findNearestNames } from '../../server-runtime/errors/expect-options.ts';
import { createCliError } from '../cli/cli-error.ts';

interface Keyed {
  readonly key: string;
}

/** The number of capabilities that a message lists. */
const MAX_LISTED = 8;

/**
 * Finds what a key names on the command line.
 *
 * @throws CliError `UnknownCapability` with what may be meant, exit code 2
 */
export function expectCapability<T extends Keyed>(key: string, capabilities: readonly T[]): T {
  const found = capabilities.find((capability) => capability.key === key);
  if (found !== undefined) return found;
  const { isGroup, meant } = findMeant(key, capabilities);
  const keys = meant.map((one) => `\`${one.key}\``);
  const more =
    keys.length > MAX_LISTED
      ? [`${keys.length - MAX_LISTED} more, which \`capix list\` shows`]
      : [];
  const members = `It has ${new Intl.ListFormat('en-GB').format([...keys.slice(0, MAX_LISTED), ...more])}.`;
  const nearest = keys.length === 0 ? undefined : `Did you mean ${keys.join(' or ')}?`;
  const detail = isGroup ? ': it is a group' : '';
  throw createCliError('UnknownCapability', { key, detail }, { hint: isGroup ? members : nearest });
}

/** The capabilities that a wrong key may mean: those of the group that it names, else the nearest. */
export function findMeant<T extends Keyed>(
  key: string,
  capabilities: readonly T[],
): { readonly isGroup: boolean; readonly meant: readonly T[] } {
  const members = capabilities.filter((capability) => capability.key.startsWith(`${key}.`));
  const keys = capabilities.map((capability) => capability.key);
  const nearest = members.length > 0 ? [] : findNearestNames(key, keys);
  const meant =
    members.length > 0 ? members : capabilities.filter((one) => nearest.includes(one.key));
  return { isGroup: members.length > 0, meant };
}
