import { useDeferredValue, useMemo } from 'react';
import { useKept } from '../../kit/kept/use-kept.ts';
import { type FilterState, noFilter } from '../../kit/list/filter-state.ts';
import { toRowColumns } from '../../kit/list/to-scroll-marks.ts';
import { type FilteredList, useFilteredList } from '../../kit/list/use-filtered-list.ts';
import { type FilteredTree, useFilteredTree } from '../../kit/tree/use-filtered-tree.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { useWriteFile, type WriteFile } from '../../screens/write/use-write-file.ts';
import type { PrintedLine } from '../run/call-session.ts';
import type { JudgedAnswer } from '../saved/use-saved-calls.ts';
import type { Answered, CallState } from '../use-call.ts';
import { type AnswerRow, type AnswerTab, toAnswerRows } from './answer-rows.ts';
import { toAnswerTree } from './answer-tree.ts';
import { toAnswerFileName, toBodyText } from './body-text.ts';
import { queryAnswer } from './query-answer.ts';

export interface AnswerPaneOptions {
  readonly state: CallState;
  readonly log: readonly PrintedLine[];
  readonly judged: JudgedAnswer | undefined;
  /** Absolute path of the project. */
  readonly root: string;
  readonly columns: number;
}

export interface AnswerUse {
  readonly answer: Answered | undefined;
  readonly tab: AnswerTab;
  readonly setTab: (tab: AnswerTab) => void;
  readonly isWrapped: boolean;
  readonly setWrapped: (isWrapped: boolean) => void;
  readonly tree: FilteredTree;
  /** The view of the tabs that are text. */
  readonly list: FilteredList<AnswerRow>;
  readonly query: FilterState;
  readonly setQuery: (query: FilterState) => void;
  /** The result of the query: `'12 found'`, or what is wrong with it. */
  readonly queried: string;
  /** The whole answer, or what the query finds in it, as text. */
  readonly toText: () => string;
  readonly write: WriteFile;
}

/** The state of the pane of an answer: the tab, the query, what is selected. */
export function useAnswer({ state, log, judged, root, columns }: AnswerPaneOptions): AnswerUse {
  const { notify } = useScreen();
  const answer = state.kind === 'answered' ? state : undefined;
  const [tab, setTab] = useKept<AnswerTab>('answer tab', 'tree');
  const [isWrapped, setWrapped] = useKept('answer wrap', true);
  const [query, setQuery] = useKept('answer query', noFilter);
  const { shown, queried } = useQueried(state, query.field.text);
  const tree = useFilteredTree(
    useMemo(
      () => toAnswerTree(shown, { columns: toRowColumns(columns) - 2, log, judged }),
      [shown, columns, log, judged],
    ),
    'answer',
  );
  const rows = useMemo(
    () => (tab === 'tree' ? noRows : toAnswerRows(tab, { answer, log, columns: toRowColumns(columns), isWrapped })),
    [tab, answer, log, columns, isWrapped],
  );
  const list = useFilteredList(rows, { name: `answer ${tab}`, getKey: toRowId, getText: toRowText });
  const toText = (): string => (shown.kind === 'answered' ? toBodyText(shown.result) : '');
  const write = useWriteFile({
    toText,
    path: answer === undefined ? '' : toAnswerFileName(answer.result),
    note: 'from the folder where capix was started',
    root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  return { answer, tab, setTab, isWrapped, setWrapped, tree, list, query, setQuery, queried, toText, write };
}

const noRows: readonly AnswerRow[] = [];

function toRowId({ id }: AnswerRow): string {
  return id;
}

function toRowText({ copied }: AnswerRow): string {
  return copied;
}

/** The answer with what the query finds in place of its body. While the query cannot be read, it is the whole answer. */
function useQueried(state: CallState, text: string): { readonly shown: CallState; readonly queried: string } {
  // Keys go on while a large answer is searched.
  const query = useDeferredValue(text.trim());
  return useMemo(() => {
    if (state.kind !== 'answered' || query === '') return { shown: state, queried: '' };
    const said = queryAnswer(state.result.body, query);
    if ('problem' in said) return { shown: state, queried: said.problem };
    const { status, durationMs } = state.result;
    const body = said.found.length === 1 ? said.found[0] : said.found;
    return {
      shown: { ...state, result: { status, durationMs, body } },
      queried: said.found.length === 0 ? 'nothing found' : `${said.found.length} found`,
    };
  }, [state, query]);
}
