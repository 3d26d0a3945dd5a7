import { type JsonValue, query } from 'jsonpath-rfc9535';
import { useDeferredValue, useMemo } from 'react';
import { type CallFailure, type CallResult, hasFailed } from '../invoke/perform-call.ts';
import { toJsonRows } from '../kit/json-rows.ts';
import { type Line, toFrameLines, toLineText, toTextLines } from '../kit/line.ts';
import { noFilter, toRowColumns } from '../kit/list-state.ts';
import { type Row, withOverrides } from '../kit/row.ts';
import { signs, toStatusToken } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useMemory } from '../kit/use-ui.ts';
import type { Listed } from '../manifest/manifest.ts';
import { useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import {
  toCountsText,
  toRepeatedLines,
  toWaterfall,
  toWaterfallLines,
} from '../screens/waterfall.ts';
import { toCount, toSize } from '../values/count.ts';
import { toDuration, toSeconds } from '../values/duration.ts';
import { findAnswerItems, findOrder, type ItemOrder, toAnswerTable } from './answer-table.ts';
import type { CallState } from './call-store.ts';
import type { LiveOutput } from './live-call.ts';

export interface AnswerOptions {
  readonly state: CallState;
  readonly live: LiveOutput;
  readonly root: string;
  readonly source: Listed['facts']['source'];
  readonly columns: number;
  readonly isFocused: boolean;
  /** Saves the call. */
  readonly onKeep: () => void;
}

/** The state of the pane of an answer, the query and the selection, and its keys. */
export function useAnswer({ state, live, root, source, columns, onKeep }: AnswerOptions) {
  const { notify, ask, edit, openInPager, copy } = useServices();
  const { body: whole, http, failure } = state.kind === 'answered' ? state.result : {};
  const [filter, setFilter] = useMemory('answer query', noFilter);
  // Keys go on while a large answer is searched.
  const typed = useDeferredValue(filter.field.text.trim());
  const { value: body, summary: found } = useMemo(() => queryAnswer(whole, typed), [whole, typed]);
  const width = toRowColumns(columns) - 2;
  const items = useMemo(
    () => (state.kind === 'answered' ? findAnswerItems(body) : undefined),
    [state, body],
  );
  const [isTable, setIsTable] = useMemory('answer table', true);
  const [order, setOrder] = useMemory<ItemOrder | undefined>('answer order', undefined);
  const table = useMemo(
    () => (items && isTable ? toAnswerTable(items, width, order) : undefined),
    [items, isTable, width, order],
  );
  const sort = async (sorted: NonNullable<typeof items>): Promise<void> => {
    const text = await ask({
      label: 'Sort by',
      placeholder: 'total, or -total for the largest first',
      note: {
        text: 'A field of the answer; none for the order in which it came',
        isProblem: false,
      },
    });
    if (text === undefined) return;
    const found = findOrder(sorted, text.trim());
    if (found === undefined && text.trim() !== '') notify(`No field begins with ${text.trim()}`);
    else setOrder(found);
  };
  const outline = useMemo(
    () => toAnswerOutline(state, { columns: width, live, body, table: table?.rows }),
    [state, width, live, body, table],
  );
  const list = useRows(outline, 'answer');
  const name = typeof whole === 'string' ? 'answer.txt' : 'answer.json';
  /** The answer, or what the query finds in it: indented JSON, or what came. */
  const toText = (): string => {
    const isText = body === whole && typeof body === 'string' && http !== undefined;
    return `${isText ? body.replace(/\n$/, '') : JSON.stringify(body ?? null, undefined, 2)}\n`;
  };
  const note = 'from the folder where capix was started';
  const write = useWriteFile({
    toText,
    path: name,
    note,
    root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  const { selected } = list;
  const isAnswered = state.kind === 'answered';
  const actions = {
    go: {
      help: 'Open or close: a part, an object, a list, a long text',
      run: () => selected && list.toggle(selected.id),
    },
    copy: {
      help: 'Copy what is selected; on the name of a part all of it',
      run: () => selected?.copied && copy(selected.copied, 'the answer'),
    },
    ...(items !== undefined && { table: () => setIsTable(!isTable) }),
    ...(table !== undefined && items !== undefined && { sort: () => void sort(items) }),
    write: {
      help: 'Write the answer, or what the query finds, to a file',
      run: () => isAnswered && write(),
    },
    keep: {
      help: 'Save the call with this answer, for capix call @name',
      off: isAnswered ? undefined : 'There is no answer yet',
      run: onKeep,
    },
    outside: {
      help: 'Open the whole answer in $PAGER',
      hint: 'pager',
      run: () => isAnswered && openInPager({ name, text: toText() }),
    },
    edit: {
      help: 'Open the line that threw, or the source, in $EDITOR',
      run: () => edit(failure?.place ?? source),
    },
  };
  return { list, actions, toHeader: table?.toTitles, filter, setFilter, found };
}

interface OutlineOptions extends Pick<AnswerOptions, 'columns' | 'live'> {
  /** The value that is shown as the body: that of the answer, or what a query finds in it. */
  readonly body: unknown;
  /** The rows of the table that stands in its place; undefined where it is a tree. */
  readonly table: readonly Row[] | undefined;
}

/** A call and its answer as an outline of named parts. The lines of texts have at most `columns`. */
function toAnswerOutline(
  state: CallState,
  { columns, live, body, table }: OutlineOptions,
): readonly Row[] {
  if (state.kind === 'none') return [];
  const items = toItemRows(live, columns);
  if (state.kind === 'failed')
    return [...toFailureRows(state, columns), ...items, ...toLogSection(live, { isOpen: true })];
  if (state.kind !== 'answered') return [...items, ...toLogSection(live, { isOpen: true })];
  const { http, failure } = state.result;
  const isFailed = hasFailed(state.result);
  const headers = (http?.headers ?? []).map(
    ([name, value]): Line => [{ text: `${name}: `, token: 'accent' }, { text: value }],
  );
  return [
    ...(table ?? [toBodyRow(toJsonRows(body, { columns })[0])]),
    ...toSection('error', failure === undefined ? [] : toErrorLines(failure, columns - 2), {
      summary: '',
      isOpen: true,
      copied: failure?.thrown?.stack,
    }),
    ...(isFailed ? items : []),
    ...toSection('headers', headers, { isOpen: false }),
    ...toLogSection(live, { isOpen: isFailed }),
    ...toTimeSection(state.result, columns),
  ];
}

function toFailureRows(
  { message, cancelledAfterMs }: Extract<CallState, { readonly kind: 'failed' }>,
  columns: number,
): readonly Row[] {
  const token = cancelledAfterMs === undefined ? 'danger' : 'warning';
  return toLineRows('message', message === '' ? [] : toTextLines(message, columns, token));
}

function toLogSection({ lines }: LiveOutput, options: Pick<Row, 'isOpen'>): readonly Row[] {
  const shown = lines.map(
    ({ text, isError }): Line => [{ text, token: isError ? 'warning' : undefined }],
  );
  return toSection('log', shown, options);
}

/** Where the time of a call in a process of the tool went: its bars, behind one line. */
function toTimeSection({ marks, durationMs }: CallResult, columns: number): readonly Row[] {
  if (marks === undefined || marks.list.length === 0) return [];
  const waterfall = toWaterfall(marks, durationMs);
  const lines = [
    ...toRepeatedLines(marks, columns),
    ...toWaterfallLines(waterfall, columns - 4, MOST_BARS),
  ];
  const summary =
    marks.repeated.length > 0 ? `${toCountsText(marks)} ${signs.warning}` : toCountsText(marks);
  return toSection('time', lines, { summary, isOpen: false });
}

const MOST_BARS = 30;

function toBodyRow(row: Row | undefined): Row {
  const line = [
    { text: 'body', token: 'title' as const },
    { text: '  ' },
    ...((row?.line ?? []) as Line),
  ];
  return withOverrides(row ?? { id: 'body', line }, { id: 'body', line });
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
  const summary =
    last.length < itemCount ? `${itemCount}, the last ${last.length} are shown` : `${itemCount}`;
  const numbered = last.map((item, index) => [itemCount - last.length + index, item] as const);
  const [row] = toJsonRows(Object.fromEntries(numbered), { columns });
  return [
    {
      id: 'items',
      line: toTitle('items', summary),
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
  {
    summary = `${lines.length}`,
    ...rest
  }: Pick<Row, 'isOpen' | 'copied'> & { readonly summary?: string },
): readonly Row[] {
  const copied = lines.map(toLineText).join('\n');
  const row = {
    id: name,
    line: toTitle(name, summary),
    children: toLineRows(name, lines),
    copied,
    ...rest,
  };
  return lines.length === 0 ? [] : [row];
}

function toTitle(name: string, summary: string): Line {
  return [
    { text: name, token: 'title' },
    { text: summary === '' ? '' : `  ${summary}`, token: 'muted' },
  ];
}

function toLineRows(id: string, lines: readonly Line[]): readonly Row[] {
  return lines.map((line, index) => ({ id: `${id} ${index}`, line, copied: toLineText(line) }));
}

/** The head line of an answer: `200  12 ms  1.2 kB`. `filled`: what the form says. */
export function toAnswerHead(
  state: CallState,
  {
    runningMs,
    filled,
    itemCount,
  }: Readonly<{ runningMs: number; filled: unknown; itemCount: number }>,
): Line {
  const items = itemCount === 0 ? '' : `, ${toCount(itemCount, 'item')}`;
  switch (state.kind) {
    case 'none':
      return [{ text: 'No call yet: Enter sends.', token: 'muted' }];
    case 'running':
      return [{ text: `Running … ${toSeconds(runningMs)}${items}`, token: 'muted' }];
    case 'failed':
      return state.cancelledAfterMs === undefined
        ? [{ text: `No answer${items}`, token: 'danger' }]
        : [
            {
              text: `Cancelled after ${toSeconds(state.cancelledAfterMs)}${items}`,
              token: 'warning',
            },
          ];
    case 'answered': {
      const { status, durationMs, http } = state.result;
      const size = http === undefined ? '' : `  ${toSize(http.bytes)}`;
      const isOld = JSON.stringify(state.filled) !== JSON.stringify(filled);
      return [
        { text: `${status}`, token: toStatusToken(status) },
        { text: `  ${toDuration(durationMs)}${size}${items}`, token: 'muted' },
        { text: isOld ? '  for another input' : '', token: 'warning' },
      ];
    }
  }
}

/**
 * Finds values by a query: JSONPath (RFC 9535), `$.data[?@.price > 10].name`, or its beginnings as jq has them:
 * `.data[].name`, `data[0]`. Gives all of them, the only one, or the whole without a query, and how many there are.
 */
export function queryAnswer(
  whole: unknown,
  text: string,
): { readonly value: unknown; readonly summary: string } {
  if (text === '') return { value: whole, summary: '' };
  const path = toJsonPath(text);
  try {
    const found = query(whole as JsonValue, path);
    const summary = found.length === 0 ? 'nothing found' : `${found.length} found`;
    return { value: found.length === 1 ? found[0] : found, summary };
  } catch (error) {
    const { location } = error as {
      readonly location?: { readonly start: { readonly offset: number } };
    };
    const rest = path.slice(location?.start.offset ?? 0);
    return {
      value: whole,
      summary: rest === '' ? 'not complete yet' : `cannot be read from ${rest} on`,
    };
  }
}

/** `.data[].name`, `data[].name` and `[].name` as JSONPath. */
export function toJsonPath(text: string): string {
  if (text.startsWith('$')) return text;
  const path = text.replaceAll('[]', '[*]').replaceAll('.[', '[').replace(/^\.$/, '');
  return /^$|^[.[]/.test(path) ? `$${path}` : `$.${path}`;
}
