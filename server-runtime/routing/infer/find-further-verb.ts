/**
 * The verb behind `And`, `Or` or `Then` by which a name says more than its first word does: `delete` of
 * `findAndDelete`. Undefined for a name that joins nouns (`getTermsAndConditions`) or further ways of reading
 * (`findOrGet`).
 */
export function findFurtherVerb(name: string): string | undefined {
  for (const [, word = ''] of name.matchAll(/(?<=[a-z0-9])(?:And|Or|Then)([A-Z][a-z]*)(?=[A-Z0-9]|$)/g)) {
    const verb = word.toLowerCase();
    if (changingVerbs.has(verb)) return verb;
  }
  return undefined;
}

/** Verbs of changes. Words that are as often nouns or parts of names (`Order`, `Share`, `Comment`) are left out. */
const changingVerbs: ReadonlySet<string> = new Set(
  (
    'create add new insert append push enqueue register make build generate upload import ' +
    'update edit patch modify change replace set put swap rename move merge upsert save write ' +
    'delete remove destroy cancel drop purge clear reset flush empty erase wipe discard trash ' +
    'increment decrement bump consume pop take claim lock unlock reserve release acquire ' +
    'mark archive restore publish unpublish approve reject accept decline confirm revoke rotate ' +
    'send notify charge pay refund capture ' +
    'start stop run execute trigger restart enable disable activate deactivate close reopen ' +
    'assign unassign attach detach subscribe unsubscribe invite ban expire invalidate sync'
  ).split(' '),
);
