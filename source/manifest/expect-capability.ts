import { findNearest } from '../../server-runtime/errors/find-nearest.ts';
import { CliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { stripControl } from '../terminal/strip-control.ts';

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
  const shownKey = `\`${stripControl(key)}\``;
  throw new CliError({
    code: 'UnknownCapability',
    message: isGroup ? `${shownKey} is a group, not a capability.` : `No capability ${shownKey}.`,
    hint: isGroup
      ? `It has ${toList(meant)}.`
      : meant[0] === undefined
        ? '`capix list` shows them all.'
        : `Did you mean \`${meant[0].key}\`?`,
    exitCode: exitCodes.usage,
  });
}

/** What a key may mean that names no capability: those of the group that it names, else the one that is called most like it. */
export function findMeant<T extends Keyed>(
  key: string,
  capabilities: readonly T[],
): { readonly isGroup: boolean; readonly meant: readonly T[] } {
  const members = capabilities.filter((capability) => capability.key.startsWith(`${key}.`));
  if (members.length > 0) return { isGroup: true, meant: members };
  const nearest = findNearest(
    key,
    capabilities.map((capability) => capability.key),
  );
  const alike = capabilities.find((one) => one.key === nearest) ?? capabilities.find((one) => nameOf(one) === key);
  return { isGroup: false, meant: alike === undefined ? [] : [alike] };
}

function nameOf({ key }: Keyed): string | undefined {
  return key.split('.').at(-1);
}

/** How many capabilities a message lists. */
const MAX_LISTED = 8;

function toList(capabilities: readonly Keyed[]): string {
  const listed = capabilities.slice(0, MAX_LISTED).map(({ key }) => `\`${key}\``);
  const more = capabilities.length - listed.length;
  const last = more > 0 ? `${more} more, which \`capix list\` shows` : listed.pop();
  return [listed.join(', '), last].filter(Boolean).join(' and ');
}
