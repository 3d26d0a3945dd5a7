import { toUrlCase } from '../../server-runtime/routing/infer-route.ts';
import { usageError } from '../cli/cli-error.ts';
import { findNameProblem, toShortName } from '../files/find-name-problem.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** Names of exports: camelCase, letters and digits, starting with a letter. Their files and folders are kebab-case. */
export interface CapabilityName {
  readonly groups: readonly string[];
  readonly name: string;
}

/**
 * Reads what was typed as `[group] <name>`. Separators in either are groups: `products/variants list`,
 * `products variants/list`, `products.variants.list` are all `list` in `variants` in `products`.
 *
 * @throws CliError `Usage` for what cannot be a name, or leads out of the project
 */
export function toCapabilityName(group: string | undefined, name: string): CapabilityName {
  const parts = toNameParts(name);
  const last = parts.at(-1);
  if (last === undefined)
    throw usageError(
      'The name of the capability is empty.',
      'For example `capix generate capability users getUser`.',
    );
  if (last === 'index')
    throw usageError(
      "A capability cannot be called 'index': index.ts is the list of its group.",
      'Try `getIndex`.',
    );
  return { groups: [...toNameParts(group ?? ''), ...parts.slice(0, -1)], name: last };
}

/** Reads the name of a group: `'products/variants'` is `products`, `variants`. Throws as `toCapabilityName`. */
export function toGroupName(text: string): readonly string[] {
  const parts = toNameParts(text);
  if (parts.length > 0) return parts;
  throw usageError('The name of the group is empty.', 'For example `capix generate group users`.');
}

function toNameParts(text: string): readonly string[] {
  if (/^[\\/]|^[a-zA-Z]:/.test(text) || /(^|[\\/])\.\.?([\\/]|$)/.test(text)) {
    throw usageError(
      `'${stripControl(text)}' leads out of the capabilities folder.`,
      'Give a name such as `users` or `products/variants`.',
    );
  }
  return text
    .split(/[\\/.]/)
    .filter(Boolean)
    .map(toIdentifier);
}

function toIdentifier(typed: string): string {
  const joined = typed
    .replace(/^[ _-]+/, '')
    .replaceAll(/[ _-]+(.?)/g, (_, first: string) => first.toUpperCase());
  const identifier = toUrlCase(joined, 'camel');
  if (!/^[a-zA-Z][a-zA-Z0-9]*$/.test(identifier) || identifier === 'default') {
    throw usageError(
      `'${stripControl(toShortName(typed))}' cannot be the name of a capability or group.`,
      'Use letters and digits, starting with a letter, for example `getUser` or `order-items`.',
    );
  }
  const problem = findNameProblem(toUrlCase(identifier, 'kebab'));
  if (problem === undefined) return identifier;
  throw usageError(
    `'${stripControl(toShortName(typed))}' cannot be the name of a file or folder: ${problem}.`,
    'Choose another name, for example `getUser`.',
  );
}
