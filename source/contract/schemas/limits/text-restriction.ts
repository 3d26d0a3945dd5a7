import type { StringShape } from '../../../shape/shape.ts';
import { toRegExp } from '../../../shape/to-reg-exp.ts';

/** A regular expression that a text matches, a format that it has, or a format and the regular expression behind it. */
export interface TextRestriction {
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
}

/** Words that zod writes as formats, which are nothing but what their patterns say. */
const spelling: ReadonlySet<string> = new Set([
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
  'regex',
]);

/** The first pattern belongs to the first format. */
export function toRestrictions({ formats, patterns }: StringShape): readonly TextRestriction[] {
  const named = formats.filter((format) => !spelling.has(format));
  const [first, ...others] = named;
  if (first === undefined) return patterns.map((pattern) => ({ pattern }));
  const [own, ...rest] = patterns;
  return [
    { format: first, pattern: own },
    ...others.map((format) => ({ format })),
    ...rest.map((pattern) => ({ pattern })),
  ];
}

/** Whether a text fits all of several. Of a format without a pattern nothing is known but its own examples. */
export function fitsRestrictions(text: string, restrictions: readonly TextRestriction[]): boolean {
  return restrictions.every(({ format, pattern }) => {
    if (pattern !== undefined) return toRegExp(pattern)?.test(text) ?? true;
    return format === undefined || (examples[format]?.includes(text) ?? false);
  });
}

/** Texts of each format, among them those by which its kinds are told apart. */
const examples: Readonly<Record<string, readonly string[]>> = {
  uuid: [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((version) => `a1b2c3d4-0000-${version}000-8000-0123456789ab`),
    'a1b2c3d4-0000-0000-0000-0123456789ab',
    '00000000-0000-0000-0000-000000000000',
  ],
  email: [
    'ada@example.org',
    "o'hara+list@example.org",
    'grüße@example.org',
    'a_b-c@mail.example.co.uk',
    'root@localhost',
  ],
  'date-time': [
    '2026-01-31T10:20:30Z',
    '2026-01-31T10:20:30.5Z',
    '2026-01-31T10:20:30.123Z',
    '2026-01-31T10:20:30.123456Z',
    '2026-01-31T10:20Z',
    '2026-01-31T10:20:30+01:00',
    '2026-01-31T10:20:30',
  ],
  date: ['2026-01-31', '2024-02-29'],
  time: ['10:20', '10:20:30', '10:20:30.123', '10:20:30Z'],
  duration: ['P1D', 'PT1H', 'P1Y2M3DT4H5M6S'],
  uri: ['https://example.org/a?b=c', 'ftp://example.org', 'mailto:ada@example.org'],
  hostname: ['example.org', 'localhost'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1', '::1'],
  base64: ['aGk=', ''],
  base64url: ['aGk', 'a-_b'],
  e164: ['+4930123456'],
  jwt: ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
};

/** Texts of many kinds. */
export const sampleTexts: readonly string[] = [
  ...Object.values(examples).flat(),
  ...'a b c x y z A Z 0 1 9 - _ . ab abc abcd AB ABC aB a1 A1 12 123 1234 12345 007 1.5 -1 +1 a-b a_b a.b A-1 ABC-123 abc-123'.split(
    ' ',
  ),
  ...'#fff #a1b2c3 hello Hello HELLO hello-world hello_world Grüße 日本 😀 user_1 ord_1 v1 1.2.3 10115'.split(' '),
  'a b',
  'hello world',
  ' ',
];
