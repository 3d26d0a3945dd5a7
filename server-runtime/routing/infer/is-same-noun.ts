/**
 * Whether two camel-case names are equal, or singular and plural of each other by `s`, `es` or `y`/`ies`.
 * Letter case does not count: `UserGroup` and `userGroups` are the same noun.
 */
export function isSameNoun(one: string, other: string): boolean {
  const a = one.toLowerCase();
  const b = other.toLowerCase();
  return a === b || isPluralOf(a, b) || isPluralOf(b, a);
}

function isPluralOf(plural: string, singular: string): boolean {
  return (
    plural === `${singular}s` ||
    plural === `${singular}es` ||
    (singular.endsWith('y') && plural === `${singular.slice(0, -1)}ies`)
  );
}
