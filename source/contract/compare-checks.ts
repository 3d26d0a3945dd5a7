import type { Branch } from '../document/branch.ts';

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

/** The words that say more of a type, which is compared with them. */
const ofTypes: ReadonlySet<string> = new Set(['form', 'value']);

/** With them more values are taken. */
const converting: ReadonlySet<string> = new Set(['coerce', 'catch']);

/** Their effect on the values that fit depends on their code, or on what else is checked. */
const unordered: ReadonlySet<string> = new Set(['preprocess', 'overwrite', 'words', 'flags']);
/** The regular expression by which a format is tested, of which a document says only what the format does not. */
interface Form {
  readonly format: string;
  readonly pattern: string;
}

export type BothChecks = readonly [olds: readonly string[], news: readonly string[]];

/** The formats that both sides test, each in its way: nobody can tell how two expressions differ. */
export function compareForms(olds: readonly string[], news: readonly string[]) {
  return pairForms(olds, news)
    .filter(([old, now]) => old.pattern !== now.pattern)
    .map(([old, now]) => ({
      message: `tests ${old.format} by another regular expression`,
      before: old.pattern,
      after: now.pattern,
    }));
}

/** A text with the formats that both sides test in the same way, and without the expressions behind them. */
export function withSameForms(branch: Branch, [olds, news]: BothChecks): Branch | undefined {
  const pairs = pairForms(olds, news);
  if (pairs.length === 0 || pairs.some(([old, now]) => old.pattern !== now.pattern)) return undefined;
  const [formats, known] = [pairs.map(([{ format }]) => format), pairs.map(([{ pattern }]) => pattern)];
  return {
    ...branch,
    formats: [...new Set([...formats, ...branch.formats])],
    patterns: branch.patterns.filter((pattern) => !known.includes(pattern)),
  };
}

function pairForms(olds: readonly string[], news: readonly string[]): readonly (readonly [Form, Form])[] {
  const others = news.flatMap(parseForm);
  return olds.flatMap(parseForm).flatMap((old) => {
    const now = others.find(({ format }) => format === old.format);
    return now === undefined ? [] : [[old, now] as const];
  });
}

function parseForm(check: string): readonly Form[] {
  const [, format, pattern] = /^form (\S+) (.*)$/s.exec(check) ?? [];
  return format === undefined || pattern === undefined ? [] : [{ format, pattern }];
}
