import type { StringShape } from '../../shape/shape.ts';

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
export function withSameForms(shape: StringShape, [olds, news]: BothChecks): StringShape | undefined {
  const pairs = pairForms(olds, news);
  if (pairs.length === 0 || pairs.some(([old, now]) => old.pattern !== now.pattern)) return undefined;
  const [formats, known] = [pairs.map(([{ format }]) => format), pairs.map(([{ pattern }]) => pattern)];
  return {
    ...shape,
    formats: [...new Set([...formats, ...shape.formats])],
    patterns: shape.patterns.filter((pattern) => !known.includes(pattern)),
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
