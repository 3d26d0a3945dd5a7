import { Box } from 'ink';
import { useEffect, useMemo, useState } from 'react';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { findSelected } from '../kit/list/list-state.ts';
import { useUi } from '../kit/theme/use-ui.ts';
import { FilteredTreeView } from '../kit/tree/filtered-tree-view.tsx';
import { moveInTree, toTreeRows } from '../kit/tree/tree-state.ts';
import { type FilteredTree, useFilteredTree } from '../kit/tree/use-filtered-tree.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toAnswerHead, toAnswerTree } from './answer-tree.ts';
import type { CallState } from './use-call.ts';

export interface AnswerViewProps {
  readonly state: CallState;
  /** Of the capability. */
  readonly source: ManifestCapability['source'];
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
}

const answerBindings: readonly KeyBinding<'open' | 'copy' | 'copyAll' | 'edit'>[] = [
  { action: 'open', keys: ['enter'], help: 'Open or close: an object, a list, a long text', hint: 'open' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected, as JSON', hint: 'copy' },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole answer' },
  { action: 'edit', keys: ['e'], help: 'Open the source of the capability in $EDITOR', hint: 'edit' },
];

/** What came of the last call. */
export function AnswerView({ state, source, columns, rows, isFocused }: AnswerViewProps) {
  const { copy, edit } = useScreen();
  const { symbols } = useUi();
  const nodes = useMemo(() => toAnswerTree(state, columns - 6), [state, columns]);
  const tree = useFilteredTree(nodes, 'answer');
  useKeys({
    title: 'Answer',
    bindings: answerBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && state.kind === 'answered',
    onAction: (action) => {
      if (action === 'edit') return edit(source);
      if (action === 'open') return toggleSelected(tree);
      const text = action === 'copyAll' ? nodes[0]?.copied : tree.selected?.copied;
      if (text !== undefined) copy(text, 'the answer');
    },
  });
  const rule = `${symbols.line.repeat(2)} `;
  const head: Line = [
    { text: rule, token: 'muted' },
    ...toAnswerHead(state, useNow(state.kind === 'running')),
    { text: ` ${symbols.line.repeat(columns)}`, token: 'muted' },
  ];
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <LineView line={fitLine(head, columns, symbols.line)} />
      <FilteredTreeView tree={tree} columns={columns} rows={rows - 1} title="Answer" isFocused={isFocused} />
    </Box>
  );
}

function toggleSelected({ nodes, state, onState }: FilteredTree): void {
  const rows = toTreeRows(nodes, state.toggled);
  const selected = findSelected(rows, state.list, ({ node }) => node.id);
  onState(moveInTree(state, 'toggle', { nodes, rows, selected }));
}

/** How often the time of a running call is counted, milliseconds. */
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
