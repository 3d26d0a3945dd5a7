import { type Line, toJsonLines, wrapLine } from '../../kit/line.ts';
import type { Row } from '../../kit/row.ts';
import type { Token } from '../../kit/theme.ts';
import { toClock } from '../../screens/shell-status.ts';
import { stripControl } from '../../terminal/strip-control.ts';
import { isCapixFrame } from '../session/stack-frames.ts';

/** A line that the server wrote. It is read where it is drawn or searched, and once. */
export class LogLine implements Row {
  /** Counts up. The others do not change their numbers when the oldest line is dropped. */
  readonly id: string;
  /** As it was written, escape sequences and all; a very long line is cut. */
  readonly text: string;
  readonly stream: 'stdout' | 'stderr';
  /** When it came, milliseconds since 1970. */
  readonly at: number;
  #search: string | undefined;

  constructor(number: number, { text, stream, at }: WrittenLine) {
    this.id = String(number);
    this.text =
      text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text;
    this.stream = stream;
    this.at = at;
  }

  /** Text on stderr has a mark at its start. */
  get line(): Line {
    return [{ text: `${toClock(parseLogLine(this).at)} `, token: 'muted' }, ...toLogMessage(this)];
  }

  get search(): string {
    if (this.#search !== undefined) return this.#search;
    const { level, message, fields, stack } = parseLogLine(this);
    this.#search = [level, message, fields, ...stack].join(' ');
    return this.#search;
  }
}

/** The facts of a line: see `LogLine`. */
type WrittenLine = Pick<LogLine, 'text' | 'stream' | 'at'>;

const MAX_LENGTH = 2_000;
const MAX_LINES = 10_000;
const MAX_STACK = 100;

/** The newest 10,000 lines. Adding costs the same however many there are. */
export class LogBuffer {
  #lines: LogLine[] = [];
  #newest: readonly LogLine[] | undefined;
  #nextId = 0;
  /** The number of lines that came in all, since the last `clear`. */
  total = 0;

  /** The number of lines whose place newer ones took. */
  get dropped(): number {
    return Math.max(0, this.total - MAX_LINES);
  }

  add(stream: LogLine['stream'], texts: readonly string[], at: number): void {
    for (const text of texts) this.#lines.push(new LogLine(this.#nextId++, { text, stream, at }));
    if (this.#lines.length >= 2 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
    this.total += texts.length;
    this.#newest = undefined;
  }

  /** The lines that the log holds, the oldest first: the same array until a line is added. */
  lines(): readonly LogLine[] {
    this.#newest ??= this.#lines.slice(-MAX_LINES);
    return this.#newest;
  }

  /** A line with the indented ones that came next, as an error is printed, also where the view does not show them. */
  stackOf(line: LogLine): string {
    const at = this.#lines.indexOf(line);
    const below =
      at === -1 ? [] : this.#lines.slice(at + 1, at + MAX_STACK).map(({ text }) => text);
    const end = below.findIndex((text) => !/^\s/.test(text));
    return [line.text, ...(end === -1 ? below : below.slice(0, end))].join('\n');
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
  const json = parseObject(text);
  const { level, severity, time, timestamp, msg, message, err, error, ...rest } = json ?? {
    msg: text,
  };
  const { message: reason = err ?? error, stack = '' } = Object(err ?? error) as Readonly<
    Record<string, unknown>
  >;
  const others = Object.entries(rest).filter(([name]) => !/^(pid|hostname|v)$/.test(name));
  return {
    json,
    level: toLevel(level ?? severity, stream),
    at: toTime(time ?? timestamp) ?? at,
    message: stripControl(toText(msg ?? message ?? reason)),
    fields: stripControl(others.map(toField).join(' ')),
    stack: stripControl(toText(stack))
      .split('\n')
      .filter((line) => line !== '' && !isCapixFrame(line)),
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
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

/** All of a line, to be read from top to bottom: the fields of JSON stand one under the other. */
export function toLogDetails(log: LogLine, columns: number): readonly Line[] {
  const { json, level, at, message, stack } = parseLogLine(log);
  const facts = [toClock(at), log.stream, ...(json === undefined ? [] : [level])];
  const lines: readonly Line[] = [
    [{ text: facts.join('  '), token: 'muted' }],
    [],
    ...message.split('\n').map((text): Line => [{ text, token: levelTokens[level] }]),
    ...stack.map((text): Line => [{ text, token: 'muted' }]),
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
