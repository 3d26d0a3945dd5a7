import type { FormRow } from './form-rows.ts';

/**
 * The problem of each row, by its id; under `''` that of the whole. `said`: what the schema says, by where the value is
 * in the input. A problem of a value that has no row is told at the row that it is in.
 */
export function toRowProblems(
  rows: readonly FormRow[],
  said: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  // The first of several: one that is inside of another comes behind it.
  const ids = new Map(rows.toReversed().map(({ at, id }) => [at, id]));
  const told = new Map<string, string>();
  for (const [path, message] of said) {
    const steps = path.split('.');
    let length = steps.length;
    while (length > 0 && !ids.has(steps.slice(0, length).join('.'))) length--;
    const id = length === 0 ? (ids.get('') ?? '') : (ids.get(steps.slice(0, length).join('.')) ?? '');
    const inside = steps
      .slice(length)
      .filter((step) => step !== '')
      .join('.');
    if (!told.has(id) || inside === '') told.set(id, inside === '' ? message : `${inside}: ${message}`);
  }
  return told;
}
