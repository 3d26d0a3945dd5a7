import { readFile } from 'node:fs/promises';
import { diffArrays } from 'diff';
import { createSecretCheck, type IsSecret } from '../../../server-runtime/schema/secret-names.ts';
import {
  fitLine,
  type Line,
  lineWidth,
  type Segment,
  toFrameLines,
  toJsonLines,
  toLineText,
  wrapLine,
} from '../../kit/line.ts';
import { signs, toStatusToken } from '../../kit/theme.ts';
import { toCodeFrame } from '../../manifest/code-frame.ts';
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
import { toFieldText } from '../session/called-text.ts';
import { toCloseMeaning, toCloser } from '../session/close-codes.ts';
import { toLogMessage } from './log-lines.ts';

export interface RequestLinesOptions {
  /** Lines of source around the place where its error was thrown. */
  readonly frame: string | undefined;
  readonly columns: number;
  /** Whether its headers are those of a request that stands beside it. @default false */
  readonly isRepeated?: boolean;
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
/** What differs stands below them. */
const BARS_OF_BOTH = 3;

/** Where its time went: what it did again and again, and its longest bars. */
function toTimeLines(
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

/** The times of a request and of the one that it repeats, side by side where there is room. */
function toBothTimes(
  before: RoutedRequest,
  after: RoutedRequest,
  columns: number,
): readonly Line[] {
  const isWide = columns >= 100;
  const room = isWide ? Math.floor(columns / 2) - 1 : columns;
  const toLines = (request: RoutedRequest, when: string): readonly Line[] => {
    const lines = toTimeLines(request, room, BARS_OF_BOTH).slice(2);
    const count = toCountsText(request.details?.marks);
    const took = `${when}: ${toDuration(request.durationMs)}${count === '' ? '' : `, ${count}`}`;
    return lines.length === 0 ? [] : [[{ text: took, token: 'title' }], ...lines, []];
  };
  const [first, second] = [toLines(before, 'Before'), toLines(after, 'Now')];
  if (!isWide) return [...first, ...second];
  const count = Math.max(first.length, second.length);
  return Array.from({ length: count }, (_, at) => [
    ...fitLine(first[at] ?? [], room),
    { text: '  ' },
    ...(second[at] ?? []),
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
export async function findErrorFrame(
  stack: string | undefined,
  root: string,
): Promise<string | undefined> {
  const place = findErrorPlace(stack, root);
  if (place === undefined) return undefined;
  try {
    const frame = toCodeFrame({ ...place, text: await readFile(place.file, 'utf8') });
    return `${toProjectPath(place.file, root)}:${place.line}\n${frame}`;
  } catch {
    return undefined; // The stack says where it was.
  }
}

/** A request, and the one that it repeats. */
interface RepeatedRequest extends RoutedRequest {
  readonly before?: RoutedRequest | undefined;
}

/** Facts that differ each time, and tell nothing. */
const ownFacts =
  /^ {2}(came at|took|request id) |^ {2}(date|x-request-id|connection|keep-alive): /i;

/** A request that repeats another one, with the lines of both where they differ. */
export function compareRequests(
  after: RepeatedRequest,
  options: RequestLinesOptions,
): readonly Line[] {
  const { before = after } = after;
  const toLines = (request: RoutedRequest) =>
    toRequestLines(request, { ...options, columns: options.columns - 2, isRepeated: true }).map(
      (line) => ({
        line,
        compared: toCompared(line, request),
      }),
    );
  const parts = diffArrays(toLines(before), toLines(after), {
    comparator: (one, other) => one.compared === other.compared,
  });
  const count = parts.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? value.length : 0),
    0,
  );
  return [
    [
      {
        text: `Sent again: ${count === 0 ? 'no differences' : `${count} lines differ`}`,
        token: 'title',
      },
      {
        text: `, ${toDuration(before.durationMs)} before, ${toDuration(after.durationMs)} now`,
        token: 'muted',
      },
    ],
    [],
    ...toBothTimes(before, after, options.columns),
    ...parts.flatMap(({ added, removed, value }) =>
      value.map(({ line }): Line => {
        if (!added && !removed) return [{ text: '  ' }, ...line];
        return [
          { text: `${added ? '+' : '-'} ${toLineText(line)}`, token: added ? 'added' : 'removed' },
        ];
      }),
    ),
  ];
}

/** The text of a line that is compared: the id of a request may stand anywhere in it. */
function toCompared(line: Line, { requestId }: RoutedRequest): string {
  const text = toLineText(line);
  return (
    ownFacts.exec(text)?.[0] ??
    (requestId === undefined ? text : text.replaceAll(requestId, 'its id'))
  );
}

/** One line below that of the server: what saves made worse, as much as has room. */
export function toEffectLines(texts: readonly string[], columns: number): readonly Line[] {
  if (texts.length === 0) return [];
  for (let shown = texts.length; shown > 0; shown -= 1) {
    const rest = texts.length - shown;
    const more = rest === 0 ? '' : ` · ${rest} more`;
    const line: Line = [
      { text: ` ${signs.warning} `, token: 'warning' },
      { text: texts.slice(0, shown).join(' · ') + more, token: 'warning' },
    ];
    if (shown === 1 || lineWidth(line) <= columns) return [line];
  }
  return [];
}
