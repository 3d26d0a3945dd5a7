import { type Line, toJsonLines, wrapLine } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import { cutLong } from '../../kit/text.ts';
import { signs, type Token } from '../../kit/theme.ts';
import { isForeignFrame } from '../../manifest/find-source-place.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { toClock } from '../../values/duration.ts';
import { parseJsonObject } from '../../values/json.ts';

/**
 * A line that the server wrote, with the lines of a stack that came right below it: an error is one entry. It is read
 * where it is drawn or searched, and once.
 */
export class LogLine implements Row {
  /** Counts up. The others do not change their numbers when the oldest line is dropped. */
  readonly id: string;
  /** As it was written, escape sequences and all; a very long line is cut. */
  readonly text: string;
  readonly stream: 'stdout' | 'stderr';
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  /** The stack below it, and what Node prints of an error behind that; none for most lines. */
  readonly below: readonly string[];
  #search: string | undefined;

  constructor(number: number, { text, stream, at }: WrittenLine, below: readonly string[] = []) {
    this.id = String(number);
    this.text =
      text.length > MAX_LENGTH ? `${cutLong(text, MAX_LENGTH)}… (${text.length} characters)` : text;
    this.stream = stream;
    this.at = at;
    this.below = below;
  }

  /** The entry with one more line; itself where it has as many as are held. */
  withBelow(text: string): LogLine {
    if (this.below.length >= MAX_STACK) return this;
    return new LogLine(Number(this.id), this, [...this.below, cutLong(text, MAX_LENGTH)]);
  }

  /** Whether a line of the same stream belongs to it: a frame of a stack, or what is indented or closed behind one. */
  takes(text: string): boolean {
    return /^\s+at /.test(text) || (this.below.length > 0 && /^(?:\s+\S|\}$)/.test(text));
  }

  /** Text on stderr has a mark at its start. */
  get line(): Line {
    const time = `${toClock(parseLogLine(this).at)} `;
    const more = this.below.length === 0 ? '' : `  ${signs.closed} ${this.below.length} lines`;
    return [{ text: time, token: 'muted' }, ...toLogMessage(this), { text: more, token: 'muted' }];
  }

  get search(): string {
    if (this.#search !== undefined) return this.#search;
    const { level, message, fields, stack } = parseLogLine(this);
    this.#search = [level, message, fields, ...stack, ...this.below.map(stripControl)].join(' ');
    return this.#search;
  }
}

/** The facts of a line: see `LogLine`. */
type WrittenLine = Pick<LogLine, 'text' | 'stream' | 'at'>;

const MAX_LENGTH = 2_000;
const MAX_LINES = 10_000;
const MAX_STACK = 100;

/** The newest 10,000 entries. Adding costs the same however many there are. */
export class LogBuffer {
  #lines: LogLine[] = [];
  #newest: readonly LogLine[] | undefined;
  #nextId = 0;
  /** The number of entries that came in all, since the last `clear`. */
  total = 0;

  /** The number of entries whose place newer ones took. */
  get dropped(): number {
    return Math.max(0, this.total - MAX_LINES);
  }

  add(stream: LogLine['stream'], texts: readonly string[], at: number): void {
    for (const text of texts) this.#addLine({ text, stream, at });
    if (this.#lines.length >= 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
    this.#newest = undefined;
  }

  #addLine(line: WrittenLine): void {
    const last = this.#lines.at(-1);
    if (last?.stream === line.stream && last.takes(line.text)) {
      this.#lines[this.#lines.length - 1] = last.withBelow(line.text);
      return;
    }
    this.#lines.push(new LogLine(this.#nextId, line));
    this.#nextId += 1;
    this.total += 1;
  }

  /** The entries that the log holds, the oldest first: the same array until a line is added. */
  lines(): readonly LogLine[] {
    this.#newest ??= this.#lines.slice(-MAX_LINES);
    return this.#newest;
  }

  clear(): void {
    this.#newest = undefined;
    this.#lines = [];
    this.total = 0;
  }
}

const levelTokens = {
  trace: 'muted',
  debug: 'muted',
  info: 'text',
  warn: 'warning',
  error: 'danger',
  fatal: 'danger',
} as const satisfies Readonly<Record<string, Token>>;

type LogLevel = keyof typeof levelTokens;
const logLevels = Object.keys(levelTokens) as readonly LogLevel[];

/**
 * Reads a line of any server: the JSON of pino, bunyan, winston and their like by their usual names (`level`, `time`,
 * `msg`, `err`), and everything else as text, of level `error` where it was written to stderr. All but `json`, which is
 * as it came, is free of escape sequences; `fields` are the rest of it: `'status=200 path=/items'`.
 */
export function parseLogLine({ text, stream, at }: WrittenLine) {
  // To try every line would cost much.
  const isObject = text.startsWith('{') && text.endsWith('}');
  const json = isObject ? parseJsonObject(text) : undefined;
  const failed = json === undefined ? matchFailedCall(text) : undefined;
  if (failed !== undefined)
    return { ...failed, json, level: toLevel(undefined, stream), at, stack: [] };
  return { json, ...parseFields(json ?? { msg: text }, { stream, at }) };
}

/** The parts of a line that is the JSON of a logger. */
function parseFields(
  json: Readonly<Record<string, unknown>>,
  { stream, at }: Pick<WrittenLine, 'stream' | 'at'>,
) {
  const { level, severity, time, timestamp, msg, message, err, error, ...rest } = json;
  const { message: reason = err ?? error, stack = '' } = Object(err ?? error) as Readonly<
    Record<string, unknown>
  >;
  const others = Object.entries(rest).filter(([name]) => !/^(pid|hostname|v)$/.test(name));
  return {
    level: toLevel(level ?? severity, stream),
    at: toTime(time ?? timestamp) ?? at,
    message: stripControl(toText(msg ?? message ?? reason)),
    fields: stripControl(others.map(toField).join(' ')),
    stack: stripControl(toText(stack))
      .split('\n')
      .filter((line) => line !== '' && !isForeignFrame(line)),
  };
}

/** The line of capix about a call whose code threw has the error first: what comes last is cut in a narrow view. */
function matchFailedCall(text: string) {
  const match = /^\[capix\] (?<call>.+?) failed \(request (?<id>[^)]+)\) (?<thrown>.+)$/.exec(text);
  if (match?.groups === undefined) return undefined;
  const { call = '', id = '', thrown = '' } = match.groups;
  return { message: stripControl(thrown), fields: stripControl(`${call}  request ${id}`) };
}

/** Pino's numbers are tens; names may be in any case, `warning` and `err` among them. */
function toLevel(value: unknown, stream: LogLine['stream']): LogLevel {
  if (typeof value === 'number')
    return logLevels[Math.max(0, Math.min(5, Math.floor(value / 10) - 1))] ?? 'info';
  const name = toText(value).toLowerCase();
  return (
    logLevels.find((level) => name.startsWith(level.slice(0, 3))) ??
    (stream === 'stderr' ? 'error' : 'info')
  );
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

function toField([name, value]: readonly [string, unknown]): string {
  return `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`;
}

/** A line without its time. */
export function toLogMessage(log: WrittenLine): Line {
  const { json, level, message, fields } = parseLogLine(log);
  return [
    { text: log.stream === 'stderr' ? '! ' : '  ', token: 'danger' },
    { text: json !== undefined && level !== 'info' ? `${level} ` : '', token: levelTokens[level] },
    { text: message, token: levelTokens[level] },
    { text: fields === '' ? '' : `  ${fields}`, token: 'muted' },
  ];
}

/** An entry as it was written. */
export function toLogText({ text, below }: Pick<LogLine, 'text' | 'below'>): string {
  return [text, ...below].join('\n');
}

/** All of an entry, to be read from top to bottom: the fields of JSON stand one under the other. */
export function toLogDetails(log: LogLine, columns: number): readonly Line[] {
  const { json, level, at, message, fields, stack } = parseLogLine(log);
  const frames = [...stack, ...log.below.map(stripControl)].filter((line) => !isForeignFrame(line));
  const facts = [toClock(at), log.stream, ...(json === undefined ? [] : [level])];
  const lines: readonly Line[] = [
    [{ text: facts.join('  '), token: 'muted' }],
    [],
    ...message.split('\n').map((text): Line => [{ text, token: levelTokens[level] }]),
    ...(json === undefined && fields !== '' ? [[{ text: fields, token: 'muted' }] as Line] : []),
    ...frames.map((text): Line => [{ text, token: 'muted' }]),
    ...(json === undefined
      ? []
      : [
          [],
          ...(toJsonLines(
            JSON.parse(
              JSON.stringify(json, (name, value: unknown) =>
                name === 'stack' ? undefined : value,
              ),
            ),
          ) ?? []),
        ]),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}
