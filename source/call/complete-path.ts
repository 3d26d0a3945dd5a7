import { readdirSync } from 'node:fs';
import { toAbsolutePath } from '../invoke/call-input.ts';
import { attempt } from '../values/attempt.ts';

/**
 * Completes a path as a shell does: the names that may follow where there is a choice, and the text that all of them go
 * on with. At once, since the next keys are for what it leads to.
 */
export function completePath(
  text: string,
  folder: string,
): { readonly choice: readonly string[]; readonly added: string } {
  const at = text.lastIndexOf('/') + 1;
  const start = text.slice(at);
  const isMeant = (name: string): boolean =>
    name.startsWith(start) && (start !== '' || !name.startsWith('.'));
  const names = readNames(toAbsolutePath(text.slice(0, at), folder))
    .filter(isMeant)
    .toSorted();
  let common = names[0] ?? '';
  while (!names.every((name) => name.startsWith(common))) common = common.slice(0, -1);
  return {
    choice: text === '' || names.includes(start) ? [] : names,
    added: common.slice(start.length),
  };
}

function readNames(folder: string): readonly string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
}
