import { findNearest } from '../../server-runtime/errors/expect-options.ts';
import { isReadOnly } from '../../server-runtime/mcp/offers.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { usageError } from '../cli/cli-error.ts';
import type { McpValues } from '../flags/mcp-flags.ts';
import { fitsPattern } from '../values/pattern.ts';

/** The options that choose the tools: keys, such as `users.*` (none for all), and only what changes nothing. */
export type ToolSelection = Pick<McpValues, 'only' | 'readOnly'>;

/** @throws CliError `Usage` for a key that fits none: a typing mistake must not serve less than was meant */
export function selectOperations(
  operations: readonly Operation[],
  { only, readOnly }: ToolSelection,
): readonly Operation[] {
  const keys = operations.map(({ key }) => key);
  const fitting = new Set<string>();
  for (const pattern of only) {
    const found = keys.filter((key) => fitsPattern(key, pattern));
    for (const key of found) fitting.add(key);
    if (found.length > 0) continue;
    const nearest = findNearest(pattern, keys);
    const hint =
      nearest === undefined ? '`capix list` shows them all.' : `Did you mean ${nearest}?`;
    throw usageError(`option --only: no capability fits \`${pattern}\``, hint);
  }
  return operations.filter(
    (operation) =>
      (only.length === 0 || fitting.has(operation.key)) && (!readOnly || isReadOnly(operation)),
  );
}
