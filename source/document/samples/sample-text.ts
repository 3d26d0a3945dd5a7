import type { TextBranch } from '../branch.ts';
import { fitsBranch } from '../fits-branch.ts';
import { LONGEST, toPatternText } from './sample-pattern.ts';

/** The usual text of a format, and others where one has several forms. */
const ofFormat: Readonly<Record<string, readonly string[]>> = {
  email: ['ada@example.com'],
  uuid: ['00000000-0000-4000-8000-000000000000'],
  uri: ['https://example.com'],
  hostname: ['example.com'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  'date-time': ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00'],
  date: ['2026-01-31'],
  time: ['12:00:00'],
  duration: ['P1D'],
  jwt: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmVk'],
};

/** A text that fits its format, its lengths and its patterns, as far as these are simple. */
export function toSampleText(branch: TextBranch): string {
  const { formats, patterns, counts } = branch;
  const least = Math.min(counts.minLength ?? 0, LONGEST);
  const written = ofFormat[formats[0] ?? ''] ?? ['text'];
  const [usual = ''] = written;
  const candidates = [
    ...written,
    usual.padEnd(least, 'text'),
    usual.slice(0, counts.maxLength),
    ...toMatches(patterns, least),
  ];
  return candidates.find((text) => fitsBranch(branch, text, () => true)) ?? usual;
}

/** Texts for each pattern, and where there are several, for one after the other: of a beginning and an end. */
function toMatches(patterns: readonly string[], least: number): readonly string[] {
  return [1, 0, least].flatMap((count) =>
    [false, true].flatMap((writesLookaheads) => {
      const texts = patterns.map((pattern) => toPatternText(pattern, { count, writesLookaheads }));
      const whole = texts.join('');
      const filled = texts.join('text'.repeat(Math.ceil(least / 4)));
      return [...texts, whole, filled, whole.padEnd(least, whole)];
    }),
  );
}
