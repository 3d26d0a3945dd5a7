import { toJsonRows } from '../kit/json-rows.ts';
import { type Line, toFrameLines } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { toDuration, wrapText } from '../kit/text.ts';
import { type Token, toStatusToken } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toScreenHint } from './run/call-text.ts';
import type { CallResult } from './run/run-call.ts';
import type { Queried } from './use-answer.ts';
import type { CallState, LiveOutput } from './use-call.ts';

export interface OutlineOptions {
  readonly columns: number;
  readonly live: LiveOutput;
  /** The result of a query over the body, which is shown in its place. */
  readonly queried: Queried | undefined;
  /** The capabilities file. */
  readonly file: string;
}

/** The items of a stream that are drawn while it runs, the last ones. */
const LAST_ITEMS = 200;

/** A call and its answer as an outline of named parts. The lines of texts have at most `columns`. */
export function toAnswerOutline(state: CallState, options: OutlineOptions): readonly Row[] {
  const { columns, live } = options;
  switch (state.kind) {
    case 'none':
      return [];
    case 'running':
      return toLiveRows(live, columns);
    case 'cancelled': {
      const told = state.isOnServer ? 'The server may have done it.' : 'Its process was ended.';
      return [...toTextRows('cancelled', told, { columns, token: 'warning' }), ...toLiveRows(live, columns)];
    }
    case 'failed':
      return [...toTextRows('message', state.message, { columns, token: 'danger' }), ...toLiveRows(live, columns)];
    case 'answered': {
      const { result } = state;
      return [
        toBodyNode(result, options),
        ...toErrorRows(result, options),
        ...(result.status >= FAILED ? toItemRows(live, columns) : []),
        ...toHeaderRows(result),
        ...toMessageRows(live, false),
        ...toPrintedRows(live, result.status >= FAILED),
      ];
    }
  }
}

const FAILED = 400;

function toLiveRows(live: LiveOutput, columns: number): readonly Row[] {
  return [...toItemRows(live, columns), ...toMessageRows(live, true), ...toPrintedRows(live, true)];
}

function toBodyNode({ body }: CallResult, { columns, queried }: OutlineOptions): Row {
  const found = queried !== undefined && 'found' in queried ? queried.found : undefined;
  const value = found === undefined ? body : found.length === 1 ? found[0] : found;
  const [root] = toJsonRows(value, { columns });
  return {
    id: 'body',
    line: [{ text: 'body', token: 'title' }, { text: '  ' }, ...(root?.line ?? [])],
    isOpen: root?.isOpen ?? true,
    hasChildren: root?.hasChildren ?? false,
    get children() {
      return root?.children ?? [];
    },
    get copied() {
      return root?.copied;
    },
  };
}

function toErrorRows(result: CallResult, { columns, file }: OutlineOptions): readonly Row[] {
  const { thrown, frame } = result.failure ?? {};
  const lines = frame === undefined ? [] : toFrameLines(frame);
  const nodes = [
    ...toTextRows('thrown', thrown?.message ?? '', { columns: columns - 2, token: 'danger' }),
    ...lines.map((line, index) => ({ id: `frame ${index}`, line, copied: frame })),
    ...toTextRows('hint', toScreenHint(result, file) ?? '', { columns: columns - 2, token: 'muted' }),
  ];
  return nodes.length === 0 ? [] : [toSection('error', { isOpen: true, children: () => nodes, copied: thrown?.stack })];
}

function toItemRows({ items, itemCount }: LiveOutput, columns: number): readonly Row[] {
  if (itemCount === 0) return [];
  const last = items.slice(-LAST_ITEMS);
  const told = last.length < itemCount ? `${itemCount}, the last ${last.length} are shown` : `${itemCount}`;
  const children = () =>
    last.map((item, index): Row => {
      const number = itemCount - last.length + index;
      const [node] = toJsonRows(item, { columns: columns - 4 });
      return {
        ...(node ?? { line: [] }),
        id: `item ${number}`,
        line: [{ text: `${number}: ` }, ...(node?.line ?? [])],
      };
    });
  return [toSection('items', { told, isOpen: true, children, copied: items })];
}

function toHeaderRows({ http }: CallResult): readonly Row[] {
  if (http === undefined) return [];
  const children = () =>
    http.headers.map(
      ([name, value], index): Row => ({
        id: `header ${index}`,
        line: [{ text: `${name}: `, token: 'accent' }, { text: value }],
        copied: `${name}: ${value}`,
      }),
    );
  return [toSection('headers', { told: `${http.headers.length}`, isOpen: false, children })];
}

function toMessageRows({ messages }: LiveOutput, isOpen: boolean): readonly Row[] {
  if (messages.length === 0) return [];
  const children = () => messages.map((text, index) => ({ id: `message ${index}`, line: [{ text }], copied: text }));
  return [toSection('messages', { told: `${messages.length}`, isOpen, children, copied: messages.join('\n') })];
}

function toPrintedRows({ printed }: LiveOutput, isOpen: boolean): readonly Row[] {
  if (printed.length === 0) return [];
  const children = () =>
    printed.map(
      ({ text, isError }, index): Row => ({
        id: `printed ${index}`,
        line: [{ text, token: isError ? 'warning' : undefined }],
        copied: text,
      }),
    );
  const copied = printed.map(({ text }) => text).join('\n');
  return [toSection('printed', { told: `${printed.length}`, isOpen, children, copied })];
}

interface SectionOptions {
  readonly told?: string;
  readonly isOpen: boolean;
  readonly children: () => readonly Row[];
  readonly copied?: unknown;
}

function toSection(name: string, { told = '', isOpen, children, copied }: SectionOptions): Row {
  let made: readonly Row[] | undefined;
  return {
    id: name,
    line: [
      { text: name, token: 'title' },
      { text: told === '' ? '' : `  ${told}`, token: 'muted' },
    ],
    isOpen,
    hasChildren: true,
    get children() {
      return (made ??= children());
    },
    get copied() {
      return typeof copied === 'string' || copied === undefined ? copied : JSON.stringify(copied, undefined, 2);
    },
  };
}

function toTextRows(
  id: string,
  text: string,
  { columns, token }: { readonly columns: number; readonly token: Token },
): readonly Row[] {
  if (text === '') return [];
  return wrapText(stripControl(text), columns).map((part, index) => ({
    id: `${id} ${index}`,
    line: [{ text: part, token }],
    copied: text,
  }));
}

export interface HeadOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the form says something else than what was answered. */
  readonly isOld: boolean;
  /** The items of the stream that came. */
  readonly itemCount: number;
}

/** The head line of an answer: `200  12 ms  1.2 kB`. */
export function toAnswerHead(state: CallState, { now, isOld, itemCount }: HeadOptions): Line {
  const items = itemCount === 0 ? '' : `, ${itemCount} ${itemCount === 1 ? 'item' : 'items'}`;
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: `Running … ${toSeconds(now - state.startedAt)}${items}`, token: 'muted' }];
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

/** The clock that is drawn may be a moment behind the one that a call began with. */
function toSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
