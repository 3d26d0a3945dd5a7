import type { TextBranch } from '../../document/branch.ts';
import { fitsBranch, toRegExp } from '../../document/fits-branch.ts';
import type { LimitChange } from './limits.ts';

/**
 * Compares the expressions of two texts by examples. An example that fitted before and fits no more proves a loss.
 * Nobody can prove by examples that nothing is lost, but for expressions whose parts the examples cover completely: the
 * versions of a UUID, and the offset and the precision of a time.
 */
export function comparePatterns(old: TextBranch, now: TextBranch): LimitChange['effect'] {
  const isLost = loses(old, now);
  const isGained = loses(now, old);
  if (isLost && isGained) return 'other';
  const isKnown = [...toExpressions(old), ...toExpressions(now)].every(isForm);
  if (isLost) return isKnown ? 'narrower' : 'other';
  return isGained && isKnown ? 'wider' : 'unclear';
}

/** The expressions behind the formats of a text, by these, as documents of the tool tell them: `form uuid ^[a-f…`. */
export function findForms({ checks }: TextBranch): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const check of checks) {
    const form = /^form (?<format>\S+) (?<test>.*)$/s.exec(check)?.groups;
    if (form !== undefined) forms.set(form['format'] ?? '', form['test'] ?? '');
  }
  return forms;
}

function toExpressions(branch: TextBranch): readonly string[] {
  return [...branch.patterns, ...findForms(branch).values()];
}

/** Whether some example fits the first and not all expressions of the second. */
function loses(from: TextBranch, to: TextBranch): boolean {
  const mine = toTests(from);
  const others = toTests(to);
  if (mine === undefined || others === undefined) return false;
  return toExamples(from).some(
    (text) =>
      fitsBranch(from, text, () => true) &&
      mine.every((test) => test.test(text)) &&
      others.some((test) => !test.test(text)),
  );
}

/** Undefined where one of the expressions is none of JavaScript's. */
function toTests(branch: TextBranch): readonly RegExp[] | undefined {
  const tests = toExpressions(branch).map(toRegExp);
  const known = tests.filter((test) => test !== undefined);
  return known.length === tests.length ? known : undefined;
}

/** Texts that fit the format of a branch, whose meaning its expressions do not tell. */
function toExamples({ formats }: TextBranch): readonly string[] {
  const [format, ...others] = formats;
  if (others.length > 0) return [];
  return format === undefined ? [...words, ...times, ...uuids] : (ofFormats[format] ?? []);
}

const fractions = [
  '',
  ...[...'123456789'].map((_, index) => `.${'123456789'.slice(0, index + 1)}`),
];
const offsets = ['Z', '+02:00', '-05:30'];
const seconds = fractions.map((fraction) => `12:34:56${fraction}`);
const instants = seconds.flatMap((time) => offsets.map((offset) => `2024-02-28T${time}${offset}`));

/** Times of all precisions, with an offset and without, with a date and without. */
const times = ['12:34', ...seconds].flatMap((time) =>
  ['', ...offsets].flatMap((offset) => [`${time}${offset}`, `2024-02-28T${time}${offset}`]),
);

const versions = [...'0123456789abcdef'];
const uuids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ...versions.flatMap((version) =>
    ['8', 'b', 'B', '0', 'c'].map(
      (variant) => `3f2504e0-4f89-${version}1d3-${variant}a0c-0305e82c3301`,
    ),
  ),
  '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
];

const words = [
  ['', 'a', 'b', 'z', 'A', 'B', 'Z', '0', '1', '2', '9'],
  'aa ab aB AB a1 1a 12 abc ABC 123 a-b a_b a.b a/b é HelloWorld user@example.com'.split(' '),
  ['a b', 'hello world', 'https://example.com/a?b=c'],
].flat();

const ofFormats: Readonly<Record<string, readonly string[]>> = {
  'date-time': instants,
  uuid: uuids,
  email: ['user@example.com', 'first.last+tag@mail.example.co.uk', "o'brien@example.com"],
};

/** Whether an expression is one that zod writes for UUIDs or times, of parts that the examples distinguish. */
function isForm(pattern: string): boolean {
  return uuidForm.test(pattern) || timeForm.test(pattern.replace(DATE, ''));
}

/** The expression that zod writes for a date and the `T` behind it. */
const DATE = [
  String.raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|`,
  String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|`,
  String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T`,
].join('');

/** Parts of the expressions that zod writes for UUIDs. */
const uuidParts = [
  String.raw`[()|-]|\[0-9a-fA-F\]\{\d+\}|\[1-8\]|[0-8](?=\[0-9a-fA-F\])|\[89abAB\]`,
  '0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12}',
];
const uuidForm = new RegExp(String.raw`^\^(?:${uuidParts.join('|')})+\$$`);

const timeForm =
  /^\^?(?:\(\?:|[()|:?Z]|\[01\]\\d|2\[0-3\]|\[0-5\]\\d|\\d|\\\.\\d(?:\+|\{[1-9]\})|\[\+-\])+\$$/;
