/** A line that the server wrote. */
export interface LogLine {
  /** Counts up; a line that is gone keeps its number. */
  readonly id: number;
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  readonly stream: 'stdout' | 'stderr';
  /** As it was written, escape sequences and all; a very long line is cut. */
  readonly text: string;
}

const MAX_LINES = 10_000;
const MAX_LINE_LENGTH = 2_000;

/** The newest 10,000 lines. Adding costs the same however many there are. */
export class LogBuffer {
  #lines: LogLine[] = [];
  #kept: readonly LogLine[] | undefined;
  #nextId = 0;
  #clearedId = 0;

  get size(): number {
    return Math.min(this.#lines.length, MAX_LINES);
  }

  /** Index of the first line that is kept. */
  get #start(): number {
    return this.#lines.length - this.size;
  }

  /** The number of lines that came in all, since the last `clear`. */
  get total(): number {
    return this.#nextId - this.#clearedId;
  }

  /** The number of lines whose place newer ones took. */
  get dropped(): number {
    return this.total - this.size;
  }

  add(stream: LogLine['stream'], texts: readonly string[], at: number): void {
    for (const text of texts) {
      const shown =
        text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}… (${text.length} characters)` : text;
      this.#lines.push({ id: this.#nextId++, at, stream, text: shown });
    }
    this.#kept = undefined;
    if (this.#start >= MAX_LINES) this.#lines = this.#lines.slice(this.#start);
  }

  /** The lines that are kept, the oldest first: the same array until one comes. */
  lines(): readonly LogLine[] {
    return (this.#kept ??= this.#lines.slice(this.#start));
  }

  /** A line with the indented ones that came next, as an error is printed, also where the view does not show them. */
  stackOf(line: LogLine): string {
    const at = this.#lines.indexOf(line);
    const below = at === -1 ? [] : this.#lines.slice(at + 1, at + MAX_STACK).map(({ text }) => text);
    const end = below.findIndex((text) => !/^\s/.test(text));
    return [line.text, ...(end === -1 ? below : below.slice(0, end))].join('\n');
  }

  clear(): void {
    this.#kept = undefined;
    this.#lines = [];
    this.#clearedId = this.#nextId;
  }
}

/** The lines of a stack that are looked at. */
const MAX_STACK = 100;
