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
  const kinds = new Set([...olds, ...news].map(toKind).filter((kind) => !ofTypes.has(kind)));
  return [...kinds].flatMap((kind): readonly CheckChange[] => {
    const [old = [], now = []] = [olds, news].map((checks) => checks.filter((check) => toKind(check) === kind));
    const isGone = old.length > now.length || old.some((check) => !now.includes(check));
    const isNew = now.length > old.length || now.some((check) => !old.includes(check));
    const name = names[kind] ?? 'check';
    if (!isGone && !isNew) return [];
    if ((isGone && isNew) || unordered.has(kind)) return [{ effect: 'changed', message: `has another ${name}` }];
    const effect = isNew === (kind === 'coerce' || kind === 'catch') ? 'wider' : 'narrower';
    return [{ effect, message: `${isNew ? 'got' : 'lost'} a ${name}` }];
  });
}

function toKind(check: string): string {
  return check.split(' ', 1)[0] ?? check;
}

/** The words that say more of a type, which is compared with them. */
const ofTypes: ReadonlySet<string> = new Set(['form', 'value']);

const names: Readonly<Record<string, string>> = {
  coerce: 'conversion',
  catch: 'value in the place of a wrong one',
  preprocess: 'conversion before its checks',
  overwrite: 'conversion among its checks',
  words: 'list of words',
  flags: 'flag of a regular expression',
};

/** Their effect on the values that fit depends on their code, or on what else is checked. */
const unordered: ReadonlySet<string> = new Set(['preprocess', 'overwrite', 'words', 'flags']);
