import { toRegExp } from '../fits-branch.ts';

/** What may be repeated: how often `+`, `*` and `{2,}` do, and whether the text of a lookahead is written. */
interface MatchStyle {
  readonly count: number;
  readonly writesLookaheads: boolean;
}

/**
 * A text that a pattern is likely to match: of alternatives the first, of a class its first usual character. What a
 * pattern refuses by a lookahead, or repeats by a reference, is not known here, so whoever takes the text tests it.
 */
export function toPatternText(pattern: string, style: MatchStyle): string {
  return new PatternReader(pattern, style).read();
}

/** A quantifier: `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`, lazy or not. */
const TIMES = /(?:[*+?]|\{(?<least>\d+)(?<open>,?)(?<most>\d*)\})\??/y;
/** The beginning of a group: `(`, `(?:`, `(?<name>`, and the lookarounds. */
const GROUP = /\((?:\?(?:(?<look>[=!]|<[=!])|:|<\w+>))?/y;
/** One character: a class, an escape, or what stands for itself. */
const CHARACTER = /\[\^?(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{?[\dA-Fa-f]+\}?|x..|.)|[\s\S]/uy;

/** The longest text that is made for a count or for a lower limit. */
export const LONGEST = 10_000;

class PatternReader {
  readonly #pattern: string;
  readonly #style: MatchStyle;
  #at = 0;

  constructor(pattern: string, style: MatchStyle) {
    this.#pattern = pattern;
    this.#style = style;
  }

  /** The text of the first alternative, up to the end of the group or of the pattern. */
  read(): string {
    const text = this.#readSequence();
    while (this.#pattern[this.#at] === '|') {
      this.#at += 1;
      this.#readSequence();
    }
    return text;
  }

  #readSequence(): string {
    let text = '';
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern[this.#at] ?? '')) {
      const part = this.#readPart();
      const times = toTimes(this.#take(TIMES), this.#style.count);
      const room = LONGEST - text.length;
      text += part.repeat(Math.min(times, Math.ceil(room / Math.max(1, part.length))));
    }
    return text;
  }

  #readPart(): string {
    const group = this.#take(GROUP);
    if (group === undefined) return toCharacter(this.#take(CHARACTER)?.[0] ?? '');
    const inside = this.read();
    this.#at += 1;
    const look = group.groups?.['look'];
    const isWritten = look === undefined || (look === '=' && this.#style.writesLookaheads);
    return isWritten ? inside : '';
  }

  #take(part: RegExp): RegExpExecArray | undefined {
    part.lastIndex = this.#at;
    const found = part.exec(this.#pattern) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

/** `count`: that of `+`, `*` and `{2,}`, where they allow it. */
function toTimes(quantifier: RegExpExecArray | undefined, count: number): number {
  if (quantifier === undefined) return 1;
  const { least, open, most } = quantifier.groups ?? {};
  if (least === undefined) {
    const sign = quantifier[0].charAt(0);
    if (sign === '?') return 0;
    return Math.max(sign === '+' ? 1 : 0, count);
  }
  return open === ',' && most === '' ? Math.max(Number(least), count) : Number(least);
}

/** Usual characters first, then whatever else a class may ask for. */
const ALPHABET = [
  ...'aA1 -_.@/:+#',
  ...Array.from({ length: 0x250 - 0x20 }, (_, index) => String.fromCodePoint(index + 0x20)),
  ...'\t\n中я😀',
];

/** The first character of the alphabet that a part of a pattern matches; empty for `^`, `$` and `\b`. */
function toCharacter(part: string): string {
  if (/^(?:[$^]|\\b)$/i.test(part)) return '';
  const matcher = toRegExp(`^${part}$`);
  return ALPHABET.find((each) => matcher?.test(each)) ?? '';
}
