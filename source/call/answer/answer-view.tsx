import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { fitLine, type Line, lineWidth } from '../../kit/line/line.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { FilterLine, type LineOpener } from '../../kit/list/filter-line.tsx';
import { isFilterShown } from '../../kit/list/list-state.ts';
import { RowsView } from '../../kit/rows/rows-view.tsx';
import { signs } from '../../kit/theme/tokens.ts';
import { type Size } from '../../kit/theme/use-ui.ts';
import type { CallState } from '../use-call.ts';
import { toAnswerHead } from './answer-head.ts';
import { type AnswerOptions, useAnswer } from './use-answer.ts';

export interface AnswerViewProps extends Size, Omit<AnswerOptions, 'columns'> {
  /** The input of the form now. */
  readonly filled: unknown;
}

const queryOpener: LineOpener = { keys: ['$'], help: 'Query: JSONPath, or .data[].name', hint: 'query' };

/** The outcome of the last call. */
export function AnswerView({ filled, rows, ...options }: AnswerViewProps) {
  const { state, live, columns, isFocused } = options;
  const { list, query, setQuery, queried } = useAnswer(options);
  const height = rows - 1 - (isFilterShown(query) ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Head state={state} itemCount={live.itemCount} filled={filled} columns={columns} />
      <RowsView list={list} title="Answer" columns={columns} rows={height} isFocused={isFocused} empty="" />
      <FilterLine
        state={query}
        onState={setQuery}
        columns={columns}
        count={queried.slice(0, Math.floor(columns / 2))}
        placeholder=".data[].name"
        isActive={isFocused && state.kind === 'answered'}
        opener={queryOpener}
      />
    </Box>
  );
}

interface HeadProps {
  readonly state: CallState;
  readonly itemCount: number;
  readonly filled: unknown;
  readonly columns: number;
}

function Head({ state, itemCount, filled, columns }: HeadProps) {
  const now = useNow(state.kind === 'running');
  const isOld = state.kind === 'answered' && JSON.stringify(state.filled) !== JSON.stringify(filled);
  const line: Line = [
    { text: `${signs.line.repeat(2)} `, token: 'muted' },
    ...toAnswerHead(state, { now, isOld, itemCount }),
    { text: ' ' },
  ];
  const rule = signs.line.repeat(Math.max(0, columns - lineWidth(line)));
  return <LineView line={fitLine([...line, { text: rule, token: 'muted' }], columns)} />;
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
