import { toRegExp } from '../../shape/accepts.ts';
import type { StringShape } from '../../shape/shape.ts';

/** The regular expression by which a format is tested, of which a document says only what the format does not. */
interface Form {
  readonly format: string;
  readonly pattern: string;
}

export type BothChecks = readonly [olds: readonly string[], news: readonly string[]];

/** A format that is tested otherwise. Of two expressions nobody can tell more than what single texts show. */
export interface FormChange {
  readonly effect: 'narrower' | 'unclear';
  readonly message: string;
  readonly before: string;
  readonly after: string;
}

/** The formats that both sides test, each in its way. */
export function compareForms(olds: readonly string[], news: readonly string[]): readonly FormChange[] {
  return pairForms(olds, news)
    .filter(([old, now]) => old.pattern !== now.pattern)
    .map(([old, now]) => toFormChange(old, now));
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

function toFormChange(old: Form, now: Form): FormChange {
  const all = texts[old.format] ?? [];
  const [taken, takenNow] = [old, now].map(({ pattern }) => all.filter((text) => toRegExp(pattern)?.test(text)));
  const lost = taken?.find((text) => takenNow?.includes(text) === false);
  const gained = takenNow?.find((text) => taken?.includes(text) === false);
  const [before, after] = [old.pattern, now.pattern];
  if (lost !== undefined)
    return { effect: 'narrower', message: `admits ${old.format} such as ${lost} no longer`, before, after };
  const message =
    gained === undefined
      ? `tests ${old.format} by another regular expression`
      : `admits ${old.format} such as ${gained} now`;
  return { effect: 'unclear', message, before, after };
}

const times = ['12:00:00', '12:00:00.123', '12:00:00.123456', '12:00:00.5', '12:00'];

/** Texts of each format that not every expression for it takes. */
const texts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['Z', '+01:00', ''].flatMap((zone) => times.map((time) => `2026-01-31T${time}${zone}`)),
  date: ['2026-01-31', '2024-02-29', '0001-01-01'],
  email: ['ada@example.com', 'ada@example.org', 'ada+news@mail.example.com', 'Ada@Example.com', 'ada@localhost'],
  uuid: [
    ...[4, 7, 1, 2, 3, 5, 6, 8].map((version) => `00000000-0000-${version}000-8000-000000000000`),
    '00000000-0000-0000-0000-000000000000',
    '00000000-0000-4000-0000-000000000000',
  ],
  ipv4: ['192.0.2.1', '10.0.0.1', '127.0.0.1'],
  ipv6: ['2001:db8::1', '::1', 'fe80::1'],
};
