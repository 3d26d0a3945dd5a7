import { toJsonRows } from '../kit/json-rows.ts';
import { type Line, toFrameLines, toLineText, toTextLines } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { toDuration } from '../kit/text.ts';
import { toStatusToken } from '../kit/theme.ts';
import { type CallFailure, FAILED_STATUS } from './run/run-call.ts';
import type { CallState, LiveOutput } from './use-call.ts';

export interface OutlineOptions {
  readonly columns: number;
  readonly live: LiveOutput;
  /** The value that is shown as the body: that of the answer, or what a query finds in it. */
  readonly body: unknown;
}

/** A call and its answer as an outline of named parts. The lines of texts have at most `columns`. */
export function toAnswerOutline(state: CallState, { columns, live, body }: OutlineOptions): readonly Row[] {
  if (state.kind === 'none') return [];
  const items = toItemRows(live, columns);
  const toLog = (isOpen: boolean): readonly Row[] => {
    const lines = live.lines.map(({ text, isError }): Line => [{ text, token: isError ? 'warning' : undefined }]);
    return toSection('log', lines, { isOpen });
  };
  if (state.kind !== 'answered') return [...toLineRows('message', toMessage(state, columns)), ...items, ...toLog(true)];
  const { status, http, failure } = state.result;
  const isFailed = status >= FAILED_STATUS;
  const headers = (http?.headers ?? []).map(
    ([name, value]): Line => [{ text: `${name}: `, token: 'accent' }, { text: value }],
  );
  return [
    toBodyRow(toJsonRows(body, { columns })[0]),
    ...toSection('error', failure === undefined ? [] : toErrorLines(failure, columns - 2), {
      told: '',
      isOpen: true,
      copied: failure?.thrown?.stack,
    }),
    ...(isFailed ? items : []),
    ...toSection('headers', headers, { isOpen: false }),
    ...toLog(isFailed),
  ];
}

function toMessage(state: Exclude<CallState, { kind: 'answered' }>, columns: number): readonly Line[] {
  if (state.kind === 'failed') return toTextLines(state.message, columns, 'danger');
  if (state.kind !== 'cancelled') return [];
  const told = state.isOnServer ? 'The server may have done it.' : 'Its process was ended.';
  return toTextLines(told, columns, 'warning');
}

/** The parts of the body are made when they are looked at, and not for this. */
function toBodyRow(row: Row | undefined): Row {
  const line = [{ text: 'body', token: 'title' as const }, { text: '  ' }, ...((row?.line ?? []) as Line)];
  return Object.create(row ?? {}, { id: { value: 'body' }, line: { value: line } }) as Row;
}

function toErrorLines({ thrown, frame, hints }: CallFailure, columns: number): readonly Line[] {
  return [
    ...(thrown === undefined ? [] : toTextLines(thrown.message, columns, 'danger')),
    ...(frame === undefined ? [] : toFrameLines(frame)),
    ...hints.flatMap((hint) => toTextLines(hint, columns, 'muted')),
  ];
}

/** The items of a stream that are drawn, the last ones. */
const LAST_ITEMS = 200;

function toItemRows({ items, itemCount }: LiveOutput, columns: number): readonly Row[] {
  if (itemCount === 0) return [];
  const last = items.slice(-LAST_ITEMS);
  const told = last.length < itemCount ? `${itemCount}, the last ${last.length} are shown` : `${itemCount}`;
  const numbered = last.map((item, index) => [itemCount - last.length + index, item] as const);
  const [row] = toJsonRows(Object.fromEntries(numbered), { columns });
  return [
    {
      id: 'items',
      line: toTitle('items', told),
      children: row?.children ?? [],
      get copied() {
        return JSON.stringify(items, undefined, 2);
      },
    },
  ];
}

/** A part that is lines; none without one. */
function toSection(
  name: string,
  lines: readonly Line[],
  { told = `${lines.length}`, ...rest }: Pick<Row, 'isOpen' | 'copied'> & { readonly told?: string },
): readonly Row[] {
  const copied = lines.map(toLineText).join('\n');
  const row = { id: name, line: toTitle(name, told), children: toLineRows(name, lines), copied, ...rest };
  return lines.length === 0 ? [] : [row];
}

function toTitle(name: string, told: string): Line {
  return [
    { text: name, token: 'title' },
    { text: told === '' ? '' : `  ${told}`, token: 'muted' },
  ];
}

function toLineRows(id: string, lines: readonly Line[]): readonly Row[] {
  return lines.map((line, index) => ({ id: `${id} ${index}`, line, copied: toLineText(line) }));
}

/** The head line of an answer: `200  12 ms  1.2 kB`. `filled`: what the form says. */
export function toAnswerHead(
  state: CallState,
  { runningMs, filled, itemCount }: Readonly<{ runningMs: number; filled: unknown; itemCount: number }>,
): Line {
  const items = itemCount === 0 ? '' : `, ${itemCount} ${itemCount === 1 ? 'item' : 'items'}`;
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: `Running … ${toSeconds(runningMs)}${items}`, token: 'muted' }];
    case 'cancelled':
      return [{ text: `Cancelled after ${toSeconds(state.afterMs)}${items}`, token: 'warning' }];
    case 'failed':
      return [{ text: `No answer${items}`, token: 'danger' }];
    case 'answered': {
      const { status, durationMs, http } = state.result;
      const size = http === undefined ? '' : `  ${toSizeText(http.bytes)}`;
      const isOld = JSON.stringify(state.filled) !== JSON.stringify(filled);
      return [
        { text: `${status}`, token: toStatusToken(status) },
        { text: `  ${toDuration(durationMs)}${size}${items}`, token: 'muted' },
        { text: isOld ? '  for another input' : '', token: 'warning' },
      ];
    }
  }
}

/** `512 B`, `1.2 kB`, `3.4 MB` */
function toSizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
