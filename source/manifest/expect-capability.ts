import { findNearestNames } from '../../server-runtime/errors/expect-options.ts';
import { createCliError } from '../cli/cli-error.ts';

interface Keyed {
  readonly key: string;
}

/**
 * Finds what a key names on the command line.
 *
 * @throws CliError `UnknownCapability` with what may be meant, exit code 2
 */
export function expectCapability<T extends Keyed>(key: string, capabilities: readonly T[]): T {
  const found = capabilities.find((capability) => capability.key === key);
  if (found !== undefined) return found;
  const { isGroup, meant } = findMeant(key, capabilities);
  if (isGroup)
    throw createCliError('UnknownCapability', { key, detail: ': it is a group' }, { hint: `It has ${toList(meant)}.` });
  const hint = meant.length === 0 ? undefined : `Did you mean ${meant.map((one) => `\`${one.key}\``).join(' or ')}?`;
  throw createCliError('UnknownCapability', { key, detail: '' }, { hint });
}

/** The capabilities that a wrong key may mean: those of the group that it names, else the nearest. */
export function findMeant<T extends Keyed>(
  key: string,
  capabilities: readonly T[],
): { readonly isGroup: boolean; readonly meant: readonly T[] } {
  const members = capabilities.filter((capability) => capability.key.startsWith(`${key}.`));
  if (members.length > 0) return { isGroup: true, meant: members };
  const nearest = findNearestNames(
    key,
    capabilities.map((capability) => capability.key),
  );
  return { isGroup: false, meant: capabilities.filter((one) => nearest.includes(one.key)) };
}

/** The number of capabilities that a message lists. */
const MAX_LISTED = 8;

function toList(capabilities: readonly Keyed[]): string {
  const listed = capabilities.slice(0, MAX_LISTED).map(({ key }) => `\`${key}\``);
  const more = capabilities.length - listed.length;
  const last = more > 0 ? `${more} more, which \`capix list\` shows` : listed.pop();
  return [listed.join(', '), last].filter(Boolean).join(' and ');
}
