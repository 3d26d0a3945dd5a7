import { type Line, toJsonLines, wrapLine } from '../../../kit/line.ts';
import type { Token } from '../../../kit/theme.ts';
import { toClock } from '../../../screens/shell/shell-status.ts';
import type { LogLine } from './log-buffer.ts';
import { type LogLevel, parseLogLine } from './parse-log-line.ts';

const levelTokens: Readonly<Record<LogLevel, Token>> = {
  trace: 'muted',
  debug: 'muted',
  info: 'text',
  warn: 'warning',
  error: 'danger',
  fatal: 'danger',
};

/** A line of the log. Text on stderr has a mark at its start. */
export function toLogLine(log: LogLine): Line {
  return [{ text: `${toClock(parseLogLine(log).at)} `, token: 'muted' }, ...toLogMessage(log)];
}

/** The same without its time. */
export function toLogMessage(log: Pick<LogLine, 'text' | 'stream' | 'at'>): Line {
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
    ...(json === undefined ? [] : [[], ...(toJsonLines(withoutStacks(json)) ?? [])]),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}

/** Stacks are shown by themselves. */
function withoutStacks(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value: unknown) => (name === 'stack' ? undefined : value)));
}
