import { toJsonRows } from '../kit/json-rows.ts';
import { type Line, toFrameLines, toLineText, toTextLines } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { toDuration } from '../kit/text.ts';
import { toStatusToken } from '../kit/theme.ts';
import { toScreenHint } from './run/call-text.ts';
import { type CallResult, FAILED_STATUS } from './run/run-call.ts';
import type { CallState, LiveOutput } from './use-call.ts';

export interface OutlineOptions {
  readonly columns: number;
  readonly live: LiveOutput;
  /** The value that is shown as the body: that of the answer, or what a query finds in it. */
  readonly body: unknown;
  /** The capabilities file. */
  readonly file: string;
}

/** The items of a stream that are drawn while it runs, the last ones. */
const LAST_ITEMS = 200;

/** A call and its answer as an outline of named parts. The lines of texts have at most `columns`. */
export function toAnswerOutline(state: CallState, { columns, live, body, file }: OutlineOptions): readonly Row[] {
  const toOutput = (isOpen: boolean): readonly Row[] => [
    ...toItemRows(live, columns),
    ...toLinesSection('messages', live.messages.map(toPlainLine), isOpen),
    ...toPrintedRows(live, isOpen),
  ];
  switch (state.kind) {
    case 'none':
      return [];
    case 'running':
      return toOutput(true);
    case 'cancelled': {
      const told = state.isOnServer ? 'The server may have done it.' : 'Its process was ended.';
      return [...toLineRows('cancelled', toTextLines(told, columns, 'warning')), ...toOutput(true)];
    }
    case 'failed':
      return [...toLineRows('message', toTextLines(state.message, columns, 'danger')), ...toOutput(true)];
    case 'answered': {
      const { result } = state;
      const isFailed = result.status >= FAILED_STATUS;
      const headers = (result.http?.headers ?? []).map(
        ([name, value]): Line => [{ text: `${name}: `, token: 'accent' }, { text: value }],
      );
      return [
        toNamedRow('body', toJsonRows(body, { columns })[0]),
        ...toErrorRows(result, { columns: columns - 2, file }),
        ...(isFailed ? toItemRows(live, columns) : []),
        ...toLinesSection('headers', headers, false),
        ...toLinesSection('messages', live.messages.map(toPlainLine), false),
        ...toPrintedRows(live, isFailed),
      ];
    }
  }
}

function toPlainLine(text: string): Line {
  return [{ text }];
}

/** A part that is a row of JSON. What of it is made when it is looked at is not made for this. */
function toNamedRow(name: string, row: Row | undefined): Row {
  const line = [{ text: name, token: 'title' as const }, { text: '  ' }, ...((row?.line ?? []) as Line)];
  return Object.create(row ?? {}, { id: { value: name }, line: { value: line } }) as Row;
}

function toErrorRows(result: CallResult, { columns, file }: Pick<OutlineOptions, 'columns' | 'file'>): readonly Row[] {
  const { thrown, frame } = result.failure ?? {};
  const lines = [
    ...(thrown === undefined ? [] : toTextLines(thrown.message, columns, 'danger')),
    ...(frame === undefined ? [] : toFrameLines(frame)),
  ];
  const hint = toScreenHint(result, file);
  const hints = hint === '' ? [] : toTextLines(hint, columns, 'muted');
  const rows = toLineRows('error', [...lines, ...hints]);
  return rows.length === 0 ? [] : [toSection('error', rows, { isOpen: true, copied: thrown?.stack })];
}

function toItemRows({ items, itemCount }: LiveOutput, columns: number): readonly Row[] {
  if (itemCount === 0) return [];
  const last = items.slice(-LAST_ITEMS);
  const told = last.length < itemCount ? `${itemCount}, the last ${last.length} are shown` : `${itemCount}`;
  const numbered = last.map((item, index) => [itemCount - last.length + index, item] as const);
  const [row] = toJsonRows(Object.fromEntries(numbered), { columns });
  const section = toSection('items', row?.children ?? [], { told, isOpen: true });
  // Made when it is copied: there may be many.
  return [Object.create(section, { copied: { get: () => JSON.stringify(items, undefined, 2) } }) as Row];
}

function toPrintedRows({ printed }: LiveOutput, isOpen: boolean): readonly Row[] {
  const lines = printed.map(({ text, isError }): Line => [{ text, token: isError ? 'warning' : undefined }]);
  return toLinesSection('printed', lines, isOpen);
}

/** A part that is lines; none without one. */
function toLinesSection(name: string, lines: readonly Line[], isOpen: boolean): readonly Row[] {
  if (lines.length === 0) return [];
  const copied = lines.map(toLineText).join('\n');
  return [toSection(name, toLineRows(name, lines), { told: `${lines.length}`, isOpen, copied })];
}

function toLineRows(id: string, lines: readonly Line[]): readonly Row[] {
  return lines.map((line, index) => ({ id: `${id} ${index}`, line, copied: toLineText(line) }));
}

function toSection(
  name: string,
  children: readonly Row[],
  { told = '', ...rest }: Pick<Row, 'isOpen' | 'copied'> & { readonly told?: string },
): Row {
  const line: Line = [
    { text: name, token: 'title' },
    { text: told === '' ? '' : `  ${told}`, token: 'muted' },
  ];
  return { id: name, line, children, ...rest };
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
      return [
        { text: 'No answer', token: 'danger' },
        { text: items, token: 'muted' },
      ];
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
