import {
  type StyledChar,
  type Token,
  styledCharsFromTokens as toStyledChars,
  tokenize as toTokens,
} from '@alcalzone/ansi-tokenize';
import { remember } from './remember.ts';

// Stands in for `@alcalzone/ansi-tokenize` where Ink imports it. Ink only reads what these give.

export { type StyledChar, styledCharsToString } from '@alcalzone/ansi-tokenize';

export const tokenize = remember((line) => toTokens(line));

const styled = new WeakMap<readonly Token[], StyledChar[]>();

export function styledCharsFromTokens(tokens: Token[]): StyledChar[] {
  const known = styled.get(tokens);
  if (known !== undefined) return known;
  const chars = toStyledChars(tokens);
  styled.set(tokens, chars);
  return chars;
}
