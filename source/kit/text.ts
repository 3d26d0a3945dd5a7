import stringWidth from 'string-width';

/** The number of columns that a text takes: wide characters and emoji two, marks none. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Cuts a text to at most `width` columns, never through a character; what was cut ends in `…`. */
export function cutText(text: string, width: number): string {
  if (width <= 0) return '';
  if (isPlain(text)) return text.length <= width ? text : text.slice(0, width - 1) + '…';
  if (stringWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const segment of toCharacters(text)) {
    const next = used + stringWidth(segment);
    if (next > width - 1) break;
    shown += segment;
    used = next;
  }
  return shown + '…';
}

/** The first `most` code units of a text, without half of a character at the end. */
export function cutLong(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** Cuts the start of a text that is wider than `width` columns: the end of a path tells it from others. */
export function cutStart(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const characters = toCharacters(text);
  let from = characters.length;
  while (from > 0 && textWidth('…' + characters.slice(from - 1).join('')) <= width) from--;
  return '…' + characters.slice(from).join('');
}

/** Cuts or fills a text to exactly `width` columns. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)));
}

/** Breaks a text into lines of at most `width` columns, at words where it can. Line feeds stay; never empty. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)));
}

function wrapLine(line: string, width: number): readonly string[] {
  if (textWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\s)/)) {
    if (textWidth(current + word.trimEnd()) <= width) {
      current += word;
      continue;
    }
    if (current.trim() !== '') lines.push(current.trimEnd());
    current = word;
    while (textWidth(current.trimEnd()) > width) {
      const head = takeColumns(current, width);
      lines.push(head);
      current = current.slice(head.length);
    }
  }
  if (current.trim() !== '' || lines.length === 0) lines.push(current.trimEnd());
  return lines;
}

/** The start of a text that fits, at least one character. */
function takeColumns(text: string, width: number): string {
  let taken = '';
  for (const segment of toCharacters(text)) {
    if (taken !== '' && textWidth(taken + segment) > width) break;
    taken += segment;
  }
  return taken;
}

/** The characters as a person counts them: an emoji with its modifiers is one. */
export function toCharacters(text: string): readonly string[] {
  if (isPlain(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The engine takes 10 ms to make it. */
let segmenter: Intl.Segmenter | undefined;

/** Whether each of its characters is a column: ASCII, and signs that screens draw with, such as the blocks of a bar. */
function isPlain(text: string): boolean {
  return /^[\u0020-\u007E\u00D7\u2022\u2026\u2500-\u25FC\u276F]*$/.test(text);
}
