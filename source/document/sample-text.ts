import { attempt } from '../values/attempt.ts';
import type { TextBranch } from './branch.ts';
import { fitsBranch } from './fits-branch.ts';

const ofFormat: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00',
  duration: 'P1D',
};

/** The longest text that is made for a lower limit. */
const LONGEST = 10_000;

/** A text that fits its format, its lengths and its patterns, as far as these are simple. */
export function toSampleText(branch: TextBranch): string {
  const { formats, patterns, counts } = branch;
  const least = Math.min(counts.minLength ?? 0, LONGEST);
  const usual = ofFormat[formats[0] ?? ''] ?? 'text';
  const candidates = [
    usual,
    usual.padEnd(least, 'text'),
    usual.slice(0, counts.maxLength),
    ...patterns.flatMap((pattern) => [1, least].map((count) => toMatch(pattern, count))),
  ];
  return candidates.find((text) => fitsBranch(branch, text, () => true)) ?? usual;
}

const PART =
  /(?<one>\\[dDwWsS]|\\.|\[(?:\\.|[^\]\\])+\]|[^\\()[\]{}*+?|^$])(?<times>[*+?]|\{\d+(?:,\d*)?\})?/g;
const ALPHABET = [...'aA1 -_.@/:+#'];

/** A text for a pattern that is a row of characters and classes, each with a count; `count`: that of `+` and `*`. */
function toMatch(pattern: string, count: number): string {
  const parts = pattern.matchAll(PART);
  return [...parts]
    .map(({ groups = {} }) => {
      const { one = '', times = '' } = groups;
      const character =
        [...ALPHABET, one.replace('\\', '')].find((each) => isMatch(one, each)) ?? '';
      return character.repeat(toCount(times, count));
    })
    .join('');
}

function toCount(times: string, count: number): number {
  if (times === '') return 1;
  if (times === '?') return 0;
  const least = /\d+/.exec(times)?.[0];
  const isOpen = least === undefined || times.endsWith(',}');
  return isOpen ? Math.max(Number(least ?? (times === '+' ? 1 : 0)), count) : Number(least);
}

function isMatch(part: string, character: string): boolean {
  return attempt(() => new RegExp(`^${part}$`, 'u').test(character)) ?? false;
}
