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

/** The newest 10,000 lines. Adding costs the same however many there are. Those that were cleared stay until newer ones take their place. */
export class LogBuffer {
  #lines: LogLine[] = [];
  /** Index of the first line that is not cleared. */
  #start = 0;
  #nextId = 0;
  #clearedId = 0;

  get size(): number {
    return this.#lines.length - this.#start;
  }

  /** The number of lines that were cleared and can be brought back. */
  get cleared(): number {
    return this.#start - this.#oldest;
  }

  /** Index of the first line that is kept. */
  get #oldest(): number {
    return Math.max(0, this.#lines.length - MAX_LINES);
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
    const oldest = this.#oldest;
    this.#start = Math.max(this.#start, oldest);
    if (oldest < MAX_LINES) return;
    this.#lines = this.#lines.slice(oldest);
    this.#start -= oldest;
  }

  /** Line by its place, 0 for the oldest. */
  at(index: number): LogLine | undefined {
    return this.#lines[this.#start + index];
  }

  filter(matches: (line: LogLine) => boolean): readonly LogLine[] {
    const found: LogLine[] = [];
    for (let index = this.#start; index < this.#lines.length; index++) {
      const line = this.#lines[index];
      if (line !== undefined && matches(line)) found.push(line);
    }
    return found;
  }

  clear(): void {
    this.#start = this.#lines.length;
    this.#clearedId = this.#nextId;
  }

  /** Brings back what was cleared. */
  restore(): void {
    this.#start = this.#oldest;
    this.#clearedId = 0;
  }
}
