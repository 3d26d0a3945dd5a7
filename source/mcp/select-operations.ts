import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { isReadOnly } from '../../server-runtime/mcp/tool-annotations.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { usageError } from '../cli/cli-error.ts';
import type { McpCommandOptions } from './mcp-command.ts';

/**
 * The capabilities that fit one of the keys (`users.*`), one of the groups, and change nothing where that is asked for.
 *
 * @throws CliError `Usage` for a key or a group that fits none: a typing mistake must not serve nothing, or less than
 * was meant
 */
export function selectOperations(
  operations: readonly Operation[],
  { only, tag, readOnly }: Pick<McpCommandOptions, 'only' | 'tag' | 'readOnly'>,
): readonly Operation[] {
  const keys = operations.map(({ key }) => key);
  const groups = [...new Set(operations.flatMap(toGroups))];
  for (const pattern of only)
    if (!keys.some((key) => fits(key, pattern))) throw unknown('--only', pattern, { what: 'capability', names: keys });
  for (const name of tag) if (!groups.includes(name)) throw unknown('--tag', name, { what: 'group', names: groups });
  return operations.filter(
    (operation) =>
      (only.length === 0 || only.some((pattern) => fits(operation.key, pattern))) &&
      (tag.length === 0 || toGroups(operation).some((name) => tag.includes(name))) &&
      (!readOnly || isReadOnly(operation)),
  );
}

/** The group with those around it: `catalog`, `catalog.categories`. */
function toGroups({ groups }: Operation): readonly string[] {
  return groups.map((_, at) => groups.slice(0, at + 1).join('.'));
}

/** `*` stands for any text. */
function fits(key: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '.*')}$`).test(key);
}

interface Known {
  readonly what: string;
  readonly names: readonly string[];
}

function unknown(option: string, text: string, { what, names }: Known): Error {
  const nearest = findNearest(text, names);
  const hint = nearest === undefined ? '`capix list` shows them all.' : `Did you mean ${nearest}?`;
  return usageError(`option ${option}: no ${what} fits \`${text}\``, hint);
}
