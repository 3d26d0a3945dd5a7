import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** The problem of a text, and its position: from 0 on. */
interface JsonProblem {
  readonly problem: string;
  readonly offset: number;
}

/**
 * Reads JSON without changing what it says: a number that JavaScript cannot hold is a problem. `isCommented` lets pass
 * comments and commas behind a last item.
 */
export function parseExactJson(
  text: string,
  { isCommented = false }: { readonly isCommented?: boolean } = {},
): { readonly value: unknown } | JsonProblem {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, {
    disallowComments: !isCommented,
    allowTrailingComma: isCommented,
  });
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const offset = error?.offset ?? 0;
    const reason =
      error === undefined ? 'there is no value' : toReason(printParseErrorCode(error.error));
    return { problem: `This is not JSON: ${reason} at ${toPosition(text, offset)}.`, offset };
  }
  const number = findWrongNumber(tree, text);
  return number ?? { value: toValue(tree) };
}

/** `PropertyNameExpected` is `property name expected`. */
function toReason(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

function toPosition(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  const column = `column ${(lines.at(-1) ?? '').length + 1}`;
  return lines.length === 1 && !text.includes('\n') ? column : `line ${lines.length}, ${column}`;
}

function findWrongNumber(node: Node, text: string): JsonProblem | undefined {
  if (node.type === 'number') {
    const literal = text.slice(node.offset, node.offset + node.length);
    const problem = findNumberProblem(literal);
    return problem === undefined
      ? undefined
      : { problem: `${literal}: ${problem}`, offset: node.offset };
  }
  for (const child of node.children ?? []) {
    const problem = findWrongNumber(child, text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Each name as a field of its own, also `__proto__`. */
function toValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(toValue);
  if (type !== 'object') return value as unknown;
  return Object.fromEntries(
    children.map(({ children: [name, child] = [] }) => [
      String(name?.value),
      child && toValue(child),
    ]),
  );
}

/** As the API reads numbers of a query: no `0x10`, no `Infinity`. */
const DECIMAL =
  /^(?<sign>[+-]?)(?=\.?\d)(?<whole>\d*)\.?(?<fraction>\d*)(?:e(?<exponent>[+-]?\d+))?$/i;

/** Why a text cannot be sent as its number; undefined where it can. Nothing is rounded. */
export function findNumberProblem(text: string): string | undefined {
  const exact = toDecimal(text);
  if (exact === undefined) return 'Write it as a decimal number: 12, -0.5 or 1e3.';
  return exact === toDecimal(String(Number(text)))
    ? undefined
    : 'A JSON number cannot hold so many digits: another number would be sent.';
}

/** The same for numbers that are written in several ways: `1.50` and `15e-1`. */
function toDecimal(text: string): string | undefined {
  const parts = DECIMAL.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { sign = '', whole = '', fraction = '', exponent = '0' } = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const zeros = digits.length - significant.length;
  const power = Number(exponent) - fraction.length + zeros;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
