import { stripControl } from '../../../terminal/control/strip-control.ts';
import { isToolFrame } from '../requests/is-tool-frame.ts';
import type { LogLine } from './log-buffer.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LogLevel = (typeof logLevels)[number];

/** A line in readable form; its text is free of escape sequences. */
export interface LogEntry {
  /** The whole of a JSON line, as it came; undefined for text. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly level: LogLevel;
  /** Milliseconds since 1970: what the line says, else when it came. */
  readonly at: number;
  readonly message: string;
  /** The rest of a JSON line: `'status=200 path=/items'`. */
  readonly fields: string;
  /** The stack of an error in it, a line each. */
  readonly stack: readonly string[];
}

/**
 * Reads a line of any server: the JSON of pino, bunyan, winston and their like by their usual names (`level`, `time`,
 * `msg`, `err`), and everything else as text, of level `error` where it was written to stderr.
 */
export function parseLogLine({ text, stream, at }: Pick<LogLine, 'text' | 'stream' | 'at'>): LogEntry {
  const fields = parseObject(text);
  if (fields === undefined)
    return {
      json: undefined,
      level: stream === 'stderr' ? 'error' : 'info',
      at,
      message: stripControl(text),
      fields: '',
      stack: [],
    };
  const {
    level,
    severity,
    time,
    timestamp,
    msg,
    message,
    err,
    error,
    pid: _pid,
    hostname: _hostname,
    v: _v,
    ...rest
  } = fields;
  const failure = toFailure(err ?? error);
  return {
    json: fields,
    level: toLevel(level ?? severity, stream),
    at: toTime(time ?? timestamp) ?? at,
    message: stripControl(toText(msg ?? message ?? failure.message)),
    fields: stripControl(Object.entries(rest).map(toField).join(' ')),
    stack: failure.stack,
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

/** Pino's numbers are tens; names come in any case, `warning` and `err` among them. */
function toLevel(value: unknown, stream: LogLine['stream']): LogLevel {
  if (typeof value === 'number') return logLevels[Math.max(0, Math.min(5, Math.floor(value / 10) - 1))] ?? 'info';
  const name = toText(value).toLowerCase();
  return logLevels.find((level) => name.startsWith(level.slice(0, 3))) ?? (stream === 'stderr' ? 'error' : 'info');
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toTime(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

function toFailure(value: unknown): { readonly message?: string; readonly stack: readonly string[] } {
  if (typeof value === 'string') return { message: value, stack: [] };
  if (typeof value !== 'object' || value === null) return { stack: [] };
  const { message, stack } = value as { readonly message?: unknown; readonly stack?: unknown };
  return {
    ...(typeof message === 'string' && { message }),
    stack:
      typeof stack === 'string'
        ? stripControl(stack)
            .split('\n')
            .filter((line) => !isToolFrame(line))
        : [],
  };
}

function toField([name, value]: readonly [string, unknown]): string {
  return `${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`;
}
