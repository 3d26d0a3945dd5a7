/** The effect of a change of checks on the values that an input takes. */
export interface CheckChange {
  readonly effect: 'narrower' | 'wider' | 'changed';
  readonly message: string;
}

/**
 * The checks of an input that JSON Schema cannot say, each a word and what it says: `code 1f0c…`, `flags i of ^a`.
 * Nobody can tell what code lets pass, but whether a check came, went, or reads otherwise.
 */
export function compareChecks(olds: readonly string[], news: readonly string[]): readonly CheckChange[] {
  const kinds = new Set([...olds, ...news].map(toKind).filter((kind) => !ofShapes.has(kind)));
  return [...kinds].flatMap((kind): readonly CheckChange[] => {
    const [old, now] = [olds, news].map((checks) => checks.filter((check) => toKind(check) === kind));
    return old === undefined || now === undefined ? [] : compareKind(kind, old, now);
  });
}

function compareKind(kind: string, old: readonly string[], now: readonly string[]): readonly CheckChange[] {
  const isGone = old.some((check) => !now.includes(check)) || old.length > now.length;
  const isNew = now.some((check) => !old.includes(check)) || now.length > old.length;
  if (!isGone && !isNew) return [];
  const name = names[kind] ?? 'check';
  if ((isGone && isNew) || unordered.has(kind)) return [{ effect: 'changed', message: `has another ${name}` }];
  const message = isNew ? `got a ${name}` : `lost a ${name}`;
  return [{ effect: isNew === converting.has(kind) ? 'wider' : 'narrower', message }];
}

function toKind(check: string): string {
  return check.split(' ', 1)[0] ?? check;
}

const names: Readonly<Record<string, string>> = {
  coerce: 'conversion',
  catch: 'value in the place of a wrong one',
  preprocess: 'conversion before its checks',
  overwrite: 'conversion among its checks',
  words: 'list of words',
  flags: 'flag of a regular expression',
};

/** The words that say more of a shape, which is compared with them. */
const ofShapes: ReadonlySet<string> = new Set(['form', 'value']);

/** With them more values are taken. */
const converting: ReadonlySet<string> = new Set(['coerce', 'catch']);

/** Their effect on the values that fit depends on their code, or on what else is checked. */
const unordered: ReadonlySet<string> = new Set(['preprocess', 'overwrite', 'words', 'flags']);
