import { looksSecret } from '../../server-runtime/schema/secret-names.ts';
import type { GuardRecord, Preview, RecordedError, RequestRecord } from '../processes/request-record.ts';
import { MASK } from '../processes/to-preview.ts';
import { toFrameLine } from '../ui/code-frame.ts';
import type { Line } from '../ui/line-segments.ts';
import { toClock } from '../ui/shell-status.ts';
import { toStatusToken } from './dev-lines.ts';
import { toDuration } from './dev-text.ts';

export interface RequestLinesOptions {
  /** Lines of source around the place where its error was thrown. */
  readonly frame: string | undefined;
}

/** All that is known of a request, to be read from top to bottom. Who draws it strips escape sequences. */
export function toRequestLines(request: RequestRecord, { frame }: RequestLinesOptions): readonly Line[] {
  const { method, url, status, durationMs, bytes, capability, requestId, at, details } = request;
  const facts: readonly (readonly [string, string])[] = [
    ['capability', capability ?? 'none: no route matched'],
    ['came at', toClock(at)],
    ['took', toDuration(durationMs)],
    ['sent', bytes === undefined ? 'not measured' : `${bytes} bytes`],
    ['request id', requestId ?? 'none'],
  ];
  return [
    [
      { text: `${method} ${url}  `, token: 'title' },
      { text: status === 0 ? 'the client left' : String(status), token: toStatusToken(status) },
    ],
    ...facts.map(([name, value]): Line => [{ text: `  ${name.padEnd(12)}`, token: 'muted' }, { text: value }]),
    ...(details === undefined
      ? [
          [],
          [{ text: 'More was not kept: there were more than 100 requests a second.', token: 'muted' }] satisfies Line,
        ]
      : []),
    ...(details?.error === undefined ? [] : toErrorLines(details.error, frame)),
    ...toSection('Guards', details?.guards.map(toGuardLine)),
    ...toSection('Input, as the handler got it', toJsonLines(details?.input)),
    ...toSection('Context', toJsonLines(details?.context)),
    ...toSection('Answer', toJsonLines(details?.answer)),
    ...toSection(
      'Log',
      details?.logs.map((text): Line => [{ text: `  ${text}` }]),
    ),
    ...toSection('Headers', details?.headers.map(toHeaderLine)),
  ];
}

function toErrorLines({ name, message, meta, stack }: RecordedError, frame: string | undefined): readonly Line[] {
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return [
    [],
    [{ text: 'Error', token: 'title' }],
    [{ text: `  ${name}: ${message}`, token: 'danger' }],
    ...(toJsonLines(meta) ?? []),
    ...(frame === undefined ? [] : frame.split('\n').map((line): Line => [{ text: '  ' }, ...toFrameLine(line)])),
    ...frames.map((line): Line => [{ text: line, token: isOwnFrame(line) ? undefined : 'muted' }]),
  ];
}

function isOwnFrame(line: string): boolean {
  return !/node:|node_modules|server-runtime/.test(line);
}

function toGuardLine({ name, rejection }: GuardRecord): Line {
  return rejection === undefined
    ? [
        { text: `  ${name} `, token: undefined },
        { text: 'passed', token: 'success' },
      ]
    : [{ text: `  ${name} ` }, { text: `rejected: ${rejection}`, token: 'danger' }];
}

function toHeaderLine([name, value]: readonly [string, string]): Line {
  return [{ text: `  ${name}: `, token: 'muted' }, { text: looksSecret(name) ? MASK : value }];
}

function toJsonLines(value: Preview): readonly Line[] | undefined {
  if (value === undefined) return undefined;
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line): Line => {
      const [, before = '', name = '', rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? [];
      return [{ text: `  ${before}` }, { text: name, token: 'muted' }, { text: rest, token: toValueToken(rest) }];
    });
}

function toValueToken(text: string): 'string' | 'number' | 'keyword' | undefined {
  if (text.startsWith('"')) return 'string';
  if (/^-?\d/.test(text)) return 'number';
  return /^(true|false|null)/.test(text) ? 'keyword' : undefined;
}

function toSection(title: string, lines: readonly Line[] | undefined): readonly Line[] {
  return lines === undefined || lines.length === 0 ? [] : [[], [{ text: title, token: 'title' }], ...lines];
}
