import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { fitLine, type Line, lineWidth } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { FilterLine, type LineOpener } from '../../kit/list/filter-line.tsx';
import { isFilterShown } from '../../kit/list/filter-state.ts';
import { FilteredListView } from '../../kit/list/filtered-list-view.tsx';
import { type Size, useUi } from '../../kit/theme/use-ui.ts';
import { FilteredTreeView } from '../../kit/tree/filtered-tree-view.tsx';
import type { ManifestCapability } from '../../manifest/manifest.ts';
import { WriteLines } from '../../screens/write/write-lines.tsx';
import type { PrintedLine } from '../run/call-session.ts';
import type { JudgedAnswer } from '../saved/use-saved-calls.ts';
import type { CallState } from '../use-call.ts';
import { toAnswerHead, toTabsLine } from './answer-head.ts';
import type { AnswerRow } from './answer-rows.ts';
import { type AnswerUse, useAnswer } from './use-answer.ts';
import { useAnswerKeys } from './use-answer-keys.ts';

export interface AnswerViewProps extends Size {
  readonly state: CallState;
  readonly log: readonly PrintedLine[];
  readonly judged: JudgedAnswer | undefined;
  /** The input of the form now. */
  readonly filled: unknown;
  readonly root: string;
  /** The key of the capability. */
  readonly source: ManifestCapability['source'];
  readonly isFocused: boolean;
}

const queryOpener: LineOpener = { key: '$', title: 'Query: JSONPath, or .data[].name', hint: 'query' };

/** The outcome of the last call. */
export function AnswerView({ state, log, judged, filled, root, source, columns, rows, isFocused }: AnswerViewProps) {
  const use = useAnswer({ state, log, judged, root, columns });
  const { query, setQuery, queried, write } = use;
  const isActive = isFocused && !write.isAsking;
  useAnswerKeys(use, { source, root, isActive });
  const isQueryShown = use.tab === 'tree' && isFilterShown(query);
  const height = rows - 1 - (isQueryShown ? 1 : 0) - (write.isAsking ? 2 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Head state={state} use={use} logLines={log.length} filled={filled} columns={columns} />
      <Body use={use} columns={columns} rows={height} isFocused={isActive} />
      {use.tab === 'tree' && (
        <FilterLine
          state={query}
          onState={setQuery}
          columns={columns}
          count={queried.slice(0, Math.floor(columns / 2))}
          placeholder=".data[].name"
          isActive={isActive && use.answer !== undefined}
          opener={queryOpener}
        />
      )}
      <WriteLines write={write} columns={columns} />
    </Box>
  );
}

interface HeadProps extends Pick<AnswerViewProps, 'state' | 'filled' | 'columns'> {
  readonly use: AnswerUse;
  readonly logLines: number;
}

function Head({ state, use: { answer, tab }, logLines, filled, columns }: HeadProps) {
  const { symbols } = useUi();
  const now = useNow(state.kind === 'running');
  const isOld = answer !== undefined && JSON.stringify(answer.filled) !== JSON.stringify(filled);
  const head: Line = [{ text: `${symbols.line.repeat(2)} `, token: 'muted' }, ...toAnswerHead(state, { now, isOld })];
  const left = columns - lineWidth(head) - 2;
  const hasTabs = answer !== undefined || logLines > 0;
  const line: Line = [
    ...head,
    ...(hasTabs ? [{ text: ' ' }, ...toTabsLine(tab, { logLines, columns: left })] : []),
    { text: ` ${symbols.line.repeat(columns)}`, token: 'muted' },
  ];
  return <LineView line={fitLine(line, columns, symbols.line)} />;
}

interface BodyProps extends Size {
  readonly use: AnswerUse;
  readonly isFocused: boolean;
}

function Body({ use: { tab, tree, list }, ...size }: BodyProps) {
  if (tab === 'tree') return <FilteredTreeView {...size} tree={tree} title="Answer" />;
  return <FilteredListView {...size} list={list} toLine={toRowLine} title="Answer" />;
}

function toRowLine({ line }: AnswerRow): Line {
  return line;
}

/** The interval in which the time of a running call is counted, milliseconds. */
const COUNT_MS = 100;

/** Milliseconds since 1970, drawn anew while something runs. */
function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), COUNT_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
