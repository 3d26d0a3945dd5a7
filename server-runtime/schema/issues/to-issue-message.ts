import type { Issue } from '../schema-parser.ts';

/**
 * The reason of an issue in words from which its reader can mend the input: the branches of a union are told apart, a format has an example,
 * and of what JSON cannot carry it is said. A message of the application's own is left as it is.
 */
export function toIssueMessage(issue: Issue): string {
  const { code, message } = issue;
  if (code === 'invalid_union') return toUnionMessage(issue);
  if (code === 'invalid_format') return toFormatMessage(issue);
  if (code === 'invalid_key') return toKeyMessage(issue);
  if (code === 'invalid_type' && unsendable.has(issue.expected) && message.startsWith('Invalid input: expected'))
    return `${message}; JSON has no such value, so that no caller can send it`;
  return message;
}

const unsendable: ReadonlySet<unknown> = new Set(['bigint', 'date', 'function', 'map', 'nan', 'set', 'symbol']);

/** The number of branches of a union, and of problems of a branch, that are told: a caller who sends more wrong looks at the schema. */
const MAX_BRANCHES = 8;
const MAX_PROBLEMS = 3;

/** `Invalid input: expected number, or one in which a: expected string, received number`. */
function toUnionMessage({ message, errors = [] }: Issue): string {
  if (message !== 'Invalid input' || errors.length === 0) return message;
  const branches = errors.slice(0, MAX_BRANCHES);
  const outright = branches.filter((branch) => branch.every(({ path }) => path.length === 0));
  const inside = branches.filter((branch) => !outright.includes(branch));
  const expected = [...new Set(outright.flatMap((branch) => branch.map(toExpected)))];
  const parts = [
    ...(expected.length === 0 ? [] : [`expected ${expected.join(' or ')}`]),
    ...inside.map((branch) => `one in which ${branch.slice(0, MAX_PROBLEMS).map(toProblem).join(' and ')}`),
  ];
  return `Invalid input: ${parts.join(', or ')}`;
}

/** `number`, `1`, or the problem as it is told. */
function toExpected(issue: Issue): string {
  const { code, expected, values } = issue;
  if (code === 'invalid_type' && typeof expected === 'string') return expected;
  if (code === 'invalid_value' && values !== undefined)
    return values.map((value) => JSON.stringify(value)).join(' or ');
  if (code === 'invalid_format' && issue.format === TEMPLATE) return `a string that matches ${String(issue.pattern)}`;
  return `what is not "${toIssueMessage(issue)}"`;
}

function toProblem(issue: Issue): string {
  const message = toIssueMessage(issue).replace(/^Invalid input: /, '');
  return issue.path.length === 0 ? message : `${issue.path.map(String).join('.')}: ${message}`;
}

/** A text of several parts has a pattern like that of a regular expression, which its message does not tell. */
const TEMPLATE = 'template_literal';

/** `Invalid key in record: Invalid string: must match pattern /^[a-z]+$/`. */
function toKeyMessage({ message, issues = [] }: Issue): string {
  if (message !== 'Invalid key in record' || issues.length === 0) return message;
  return `${message}: ${issues.slice(0, MAX_PROBLEMS).map(toIssueMessage).join(' and ')}`;
}

/** `Invalid ISO datetime, such as 2026-01-31T10:00:00Z`. */
function toFormatMessage({ message, format = '', pattern }: Issue): string {
  if (format === TEMPLATE && message === 'Invalid input')
    return `Invalid string: must match pattern ${String(pattern)}`;
  const known = formats[format];
  if (known === undefined || message !== `Invalid ${known.name}`) return message;
  const pattern_ = typeof pattern === 'string' ? toRegExp(pattern) : undefined;
  const example = known.examples.find((each) => pattern_?.test(each) ?? true);
  return example === undefined ? message : `${message}, such as ${example}`;
}

/** `/^a$/u` as zod writes it. */
function toRegExp(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

/** Names as zod has them in English, and examples, of which the first that fits is told. */
const formats: Readonly<Record<string, { readonly name: string; readonly examples: readonly string[] }>> = {
  datetime: {
    name: 'ISO datetime',
    examples: [
      '2026-01-31T10:00:00Z',
      '2026-01-31T10:00:00.000Z',
      '2026-01-31T10:00Z',
      '2026-01-31T10:00:00',
      '2026-01-31T10:00',
    ],
  },
  date: { name: 'ISO date', examples: ['2026-01-31'] },
  time: { name: 'ISO time', examples: ['10:30:00', '10:30', '10:30:00.000'] },
  duration: { name: 'ISO duration', examples: ['P1DT2H30M'] },
  uuid: {
    name: 'UUID',
    examples: ['0b6f4c9e-6c1d-4f0a-9d5e-2f1c3b4a5d6e', '01890a5d-ac96-774b-bcce-b302099a8057'],
  },
  guid: { name: 'GUID', examples: ['0b6f4c9e-6c1d-4f0a-9d5e-2f1c3b4a5d6e'] },
  url: { name: 'URL', examples: ['https://example.org/path'] },
  ipv4: { name: 'IPv4 address', examples: ['192.0.2.1'] },
  ipv6: { name: 'IPv6 address', examples: ['2001:db8::1'] },
  cidrv4: { name: 'IPv4 range', examples: ['192.0.2.0/24'] },
  cidrv6: { name: 'IPv6 range', examples: ['2001:db8::/32'] },
  e164: { name: 'E.164 number', examples: ['+41791234567'] },
  base64: { name: 'base64-encoded string', examples: ['aGVsbG8='] },
  ulid: { name: 'ULID', examples: ['01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
};
