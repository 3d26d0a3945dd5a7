import jsTokens from 'js-tokens';
import type { ProblemFix } from '../../manifest/mistakes/problem-fix.ts';

/** A change of a text: `text` in the place of what is between two offsets. */
export interface FixEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Token {
  readonly type: string;
  readonly value: string;
  /** The offset where it starts, in characters. */
  readonly from: number;
}

/** A place in a text, counted from 1. */
export interface FixPlace {
  readonly line: number;
  readonly column: number;
}

/** The edit of a fix in a source text; undefined where its place is not there, or is there twice. */
export function findFixEdit(source: string, fix: ProblemFix, place: FixPlace | undefined): FixEdit | undefined {
  const tokens = toTokens(source);
  const [first, last] = fix.within === 'file' ? [0, tokens.length] : findDeclaration(tokens, toOffset(source, place));
  if (last === undefined || first === undefined) return undefined;
  const starts = fix.within === 'start' ? [first] : Array.from({ length: last - first }, (_, index) => first + index);
  const found = starts.filter((start) => start < last && isMatch(tokens, start, fix.find));
  const [start] = found;
  const token = start === undefined ? undefined : tokens[start + fix.at];
  if (start === undefined || token === undefined || found.length > 1) return undefined;
  const name = tokens[start + fix.find.indexOf('*')]?.value ?? '';
  return toEdit(token, { ...fix, text: fix.text.replace('{name}', name) }, tokens[start + fix.at + 1]);
}

/** All but what stands between: spaces and comments. */
function toTokens(source: string): readonly Token[] {
  let from = 0;
  const tokens: Token[] = [];
  for (const { type, value } of jsTokens(source)) {
    if (!/Comment|WhiteSpace|LineTerminator/.test(type)) tokens.push({ type, value, from });
    from += value.length;
  }
  return tokens;
}

function toOffset(source: string, place: FixPlace | undefined): number {
  if (place === undefined) return -1;
  const before = source.split('\n').slice(0, place.line - 1);
  return before.reduce((sum, line) => sum + line.length + 1, 0) + place.column - 1;
}

/** The text from the parenthesis of the call at an offset to the end of the calls that follow it. */
function findDeclaration(tokens: readonly Token[], offset: number): readonly [first?: number, last?: number] {
  const named = tokens.findIndex(({ from, type }) => from === offset && type === 'IdentifierName');
  if (named === -1) return [];
  let first = named + 1;
  while (tokens[first]?.value === '.' && tokens[first + 1]?.type === 'IdentifierName') first += 2;
  if (tokens[first]?.value !== '(') return [];
  let last = findEnd(tokens, first);
  while (tokens[last]?.value === '.' && tokens[last + 2]?.value === '(') last = findEnd(tokens, last + 2);
  return [first, last];
}

/** The index after the bracket that closes the one at an index. */
function findEnd(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { type, value = '' } = tokens[at] ?? {};
    if (type === 'TemplateHead' || (type === 'Punctuator' && '([{'.includes(value))) depth++;
    if (type === 'TemplateTail' || (type === 'Punctuator' && ')]}'.includes(value))) depth--;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

function isMatch(tokens: readonly Token[], start: number, find: readonly string[]): boolean {
  return find.every((wanted, index) => {
    const { type, value = '' } = tokens[start + index] ?? {};
    if (wanted === '*') return type === 'IdentifierName';
    if (wanted.startsWith("'")) return isLiteral(type) && value.slice(1, -1) === wanted.slice(1, -1);
    // A field may be written with quotes.
    return value === wanted || (type === 'StringLiteral' && value.slice(1, -1) === wanted);
  });
}

function isLiteral(type: string | undefined): boolean {
  return type === 'StringLiteral' || type === 'NoSubstitutionTemplate';
}

function toEdit({ from, value }: Token, { where, text }: ProblemFix, next: Token | undefined): FixEdit {
  const to = from + value.length;
  if (where === 'before') return { from, to: from, text };
  // The last of a list needs no comma.
  if (where === 'after') return { from: to, to, text: next?.value === '}' ? `${text.replace(/,$/, '')} ` : text };
  const quote = value.charAt(0);
  return { from, to, text: `${quote}${text}${quote}` };
}
