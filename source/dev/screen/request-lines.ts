import { createSecretCheck, type IsSecret } from '../../../server-runtime/schema/secret-names.ts';
import { type Line, type Segment, toFrameLines, toJsonLines, wrapLine } from '../../kit/line.ts';
import { toStatusToken } from '../../kit/theme.ts';
import { findCodeFrame } from '../../manifest/code-frame.ts';
import { findErrorPlace, isForeignFrame } from '../../manifest/find-source-place.ts';
import { toProjectPath } from '../../manifest/project.ts';
import { MASK } from '../../record/preview.ts';
import { type RoutedRequest, toShownUrl } from '../../record/replace-url-secrets.ts';
import type {
  FieldRecord,
  GuardRecord,
  RecordedError,
  RequestDetails,
} from '../../record/request-record.ts';
import {
  toCountsText,
  toRepeatedLines,
  toWaterfall,
  toWaterfallLines,
} from '../../screens/waterfall.ts';
import { toClock, toDuration } from '../../values/duration.ts';
import { toCloseMeaning, toCloser, toFieldText } from '../session/request-words.ts';
import { toLogMessage } from './log-lines.ts';

export interface RequestLinesOptions {
  /** Lines of source around the place where its error was thrown. */
  readonly frame: string | undefined;
  readonly columns: number;
  /** Whether its headers are those of a request that stands beside it. @default false */
  readonly isRepeated?: boolean;
}

/** The title of an operation, or else the URL without its secrets. */
export function toTitle(request: RoutedRequest): string {
  return request.operation?.title ?? toShownUrl(request);
}

/**
 * All that is known of a request, to be read from top to bottom. The component that draws it strips escape sequences.
 */
export function toRequestLines(
  request: RoutedRequest,
  { frame, columns, isRepeated = false }: RequestLinesOptions,
): readonly Line[] {
  const { method, status, durationMs, bytes, requestId, operation, at, details } = request;
  const sent = `${method} ${toShownUrl(request)}`;
  const facts: Readonly<Record<string, string>> = {
    ...(operation === undefined ? toCapabilityFact(request) : { 'sent as': sent }),
    'came at': toClock(at),
    took: toDuration(durationMs),
    sent: bytes === undefined ? 'not measured' : `${bytes} bytes`,
    'request id': requestId ?? 'none',
  };
  const lines: readonly Line[] = [
    [
      { text: `${status === 0 ? 'the client left' : status}  `, token: toStatusToken(status) },
      { text: operation ? `${operation.kind} ${operation.title}` : sent, token: 'title' },
    ],
    ...toFactLines(facts),
    ...(isRepeated ? [] : toTimeLines(request, columns)),
    ...(status === 101 ? toSection('Connection', toConnectionLines(request)) : []),
    ...(operation === undefined ? [] : toFieldsLines(request, frame)),
    ...(details === undefined
      ? [[], [noDetails]]
      : toDetailLines(details, { at, frame, isRepeated })),
  ];
  return lines.flatMap((line) => wrapLine(line, columns));
}

const MOST_BARS = 8;

/** Where its time went: what it did again and again, and its longest bars. */
export function toTimeLines(
  { details, durationMs }: RoutedRequest,
  columns: number,
  most = MOST_BARS,
): readonly Line[] {
  if (details?.marks === undefined || details.marks.list.length === 0) return [];
  const { marks } = details;
  const bars = toWaterfallLines(toWaterfall(marks, durationMs), columns - 1, most);
  const repeated = toRepeatedLines(marks, columns - 3).map(indent);
  const count = toCountsText(marks);
  return toSection(`Where the time went${count === '' ? '' : `: ${count}`}`, [
    ...repeated,
    ...bars,
  ]);
}

function toCapabilityFact({ capability, status }: RoutedRequest): { readonly capability: string } {
  const none =
    status === 101
      ? 'none: it opened a WebSocket, and each call over it is a line of its own'
      : 'none: no route matched';
  return { capability: capability ?? none };
}

function toConnectionLines({ closed }: Pick<RoutedRequest, 'closed'>): readonly Line[] {
  if (closed === undefined) return [[{ text: '  It is open, unless its server has crashed.' }]];
  const { code, reason, calls, received, sent, openMs } = closed;
  return toFactLines({
    'closed by': toCloser(closed),
    code: `${code}: ${toCloseMeaning(code)}`,
    reason: reason === '' ? 'none' : reason,
    'open for': toDuration(openMs),
    calls: String(calls),
    messages: `${received} received, ${sent} sent`,
  });
}

interface DetailOptions extends Pick<RequestLinesOptions, 'frame' | 'isRepeated'> {
  readonly at: number;
}

function toDetailLines(
  details: RequestDetails,
  { at, frame, isRepeated }: DetailOptions,
): readonly Line[] {
  const logs = details.logs.filter(({ text }) => !isForeignFrame(text));
  const isSecret = createSecretCheck(details.secretNames ?? []);
  return [
    ...toCallLines(details, frame),
    ...toSection(
      'Log',
      logs.map((log) => toLogMessage({ ...log, at })),
    ),
    ...toSection('Headers of the answer', toHeaderLines(details.answerHeaders, isSecret)),
    ...toSection(
      'Headers of the request',
      isRepeated ? [] : toHeaderLines(details.headers, isSecret),
    ),
  ];
}

function toCallLines(details: RequestDetails, frame: string | undefined): readonly Line[] {
  return [
    ...(details.error === undefined ? [] : toErrorLines(details.error, frame)),
    ...toSection('Guards', details.guards.map(toGuardLine)),
    ...toSection(
      details.hasRun ? 'Input, as the handler got it' : 'Input, as it was sent',
      toJsonLines(details.input),
    ),
    ...toSection('Context', toJsonLines(details.context)),
    ...toSection('Answer', toJsonLines(details.answer)),
  ];
}

/** The fields of an operation: all on a line of their own, and then each with what became of it. */
function toFieldsLines(request: RoutedRequest, frame: string | undefined): readonly Line[] {
  const { fields = [] } = request;
  const width = Math.max(...fields.map(({ path }) => path.length));
  const thrown = findThrown(request);
  const overview = fields.flatMap((field) => toFieldLines(field, width));
  return [
    ...toSection('Fields', overview),
    // Of many calls it is the first one that failed, or else the first one.
    ...fields.flatMap(({ path, calls, details }) => {
      const lines = toCallLines(details, details.error === thrown ? frame : undefined);
      const title = calls === 1 ? `Field ${path}` : `Field ${path}, one of ${calls} calls`;
      return toSection(title, lines.slice(1).map(indent));
    }),
  ];
}

/** `  listBooks  books.listBooks 200 in 1.2 ms`, and its first error. */
function toFieldLines(field: FieldRecord, width: number): readonly Line[] {
  const { path, status, durationMs, failed, calls, error } = field;
  const count = failed > 0 && calls > 1 ? `, ${failed} failed` : '';
  const line: Line = [
    { text: `  ${path.padEnd(width)}  ` },
    { text: `${toFieldText(field)} in ${toDuration(durationMs)}${count}`, token: 'muted' },
  ];
  if (error === undefined) return [line];
  return [line, [{ text: `    ${error.name}: ${error.message}`, token: toStatusToken(status) }]];
}

/** The error of a request, or that of its first field that has one. */
export function findThrown({
  details,
  fields = [],
}: Pick<RoutedRequest, 'details' | 'fields'>): RecordedError | undefined {
  const all = [details, ...fields.map((field) => field.details)];
  return all.find((each) => each?.error !== undefined)?.error;
}

function indent(line: Line): Line {
  return line.length === 0 ? line : [{ text: '  ' }, ...line];
}

const noDetails: Segment = {
  text: 'Details are kept for up to 100 requests per second, on ports that capix opens.',
  token: 'muted',
};

function toErrorLines({ name, message, meta, stack }: RecordedError, frame = ''): readonly Line[] {
  const frames =
    stack?.split('\n').filter((line) => /^\s+at /.test(line) && !isForeignFrame(line)) ?? [];
  return toSection('Error', [
    [{ text: `  ${name}: ${message}`, token: 'danger' }],
    ...(toJsonLines(meta) ?? []),
    ...(frame === '' ? [] : toFrameLines(frame)).map((line): Line => [{ text: '  ' }, ...line]),
    ...frames.map(
      (line): Line => [
        { text: line, token: /node:|node_modules/.test(line) ? 'muted' : undefined },
      ],
    ),
  ]);
}

function toGuardLine({ name, rejection }: GuardRecord): Line {
  const verdict: Segment =
    rejection === undefined
      ? { text: 'passed', token: 'success' }
      : { text: `rejected: ${rejection}`, token: 'danger' };
  return [{ text: `  ${name} ` }, verdict];
}

function toHeaderLines(
  headers: readonly (readonly [string, string])[],
  isSecret: IsSecret,
): readonly Line[] {
  return headers.map(([name, value]) => [
    { text: `  ${name}: `, token: 'muted' },
    { text: isSecret(name) ? MASK : value },
  ]);
}

/** `  attempts    2 of 5` */
export function toFactLines(facts: Readonly<Record<string, string>>): readonly Line[] {
  return Object.entries(facts).map(
    ([name, value]): Line => [{ text: `  ${name.padEnd(12)}`, token: 'muted' }, { text: value }],
  );
}

export function toSection(title: string, lines: readonly Line[] | undefined): readonly Line[] {
  return lines === undefined || lines.length === 0
    ? []
    : [[], [{ text: title, token: 'title' }], ...lines];
}

/** The project's lines around the place where an error was thrown; undefined where it was thrown elsewhere. */
export function findErrorFrame(stack: string | undefined, root: string): string | undefined {
  const place = findErrorPlace(stack, root);
  const frame = place && findCodeFrame(place);
  return frame && `${toProjectPath(place.file, root)}:${place.line}\n${frame}`;
}
