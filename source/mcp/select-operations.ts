import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { isReadOnly } from '../../server-runtime/mcp/tool-annotations.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { usageError } from '../cli/cli-error.ts';

/** The capabilities that the command line asks for. */
export interface Selection {
  /** Keys, in which `*` stands for any text: `users.*`. Empty for all. */
  readonly only: readonly string[];
  /** Groups, as the OpenAPI document has them for tags: `users`, `catalog.categories`. Empty for all. */
  readonly tag: readonly string[];
  /** Whether those that change something are left out. */
  readonly readOnly: boolean;
}

/**
 * The capabilities that fit one of the keys, one of the groups, and change nothing where that is asked for.
 *
 * @throws CliError `Usage` for a key or a group that fits none: a typing mistake must not serve nothing, or less than
 * was meant
 */
export function selectOperations(
  operations: readonly Operation[],
  { only, tag, readOnly }: Selection,
): readonly Operation[] {
  const keys = operations.map(({ key }) => key);
  const groups = [...new Set(operations.flatMap((operation) => toTags(operation)))];
  for (const pattern of only)
    if (!keys.some((key) => fits(key, pattern))) throw unknown('--only', pattern, { what: 'capability', names: keys });
  for (const name of tag) if (!groups.includes(name)) throw unknown('--tag', name, { what: 'group', names: groups });
  return operations.filter(
    (operation) =>
      (only.length === 0 || only.some((pattern) => fits(operation.key, pattern))) &&
      (tag.length === 0 || toTags(operation).some((name) => tag.includes(name))) &&
      (!readOnly || isReadOnly(operation)),
  );
}

/** The groups from the outermost inwards, each with those around it: `catalog`, `catalog.categories`. */
function toTags({ groups }: Operation): readonly string[] {
  return groups.map((_, at) => groups.slice(0, at + 1).join('.'));
}

function fits(key: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(key);
}

function unknown(
  option: string,
  text: string,
  { what, names }: { readonly what: string; readonly names: readonly string[] },
): Error {
  const nearest = findNearest(text, names);
  const hint = nearest === undefined ? '`capix list` shows them all.' : `Did you mean ${nearest}?`;
  return usageError(`option ${option}: no ${what} fits \`${text}\``, hint);
}
