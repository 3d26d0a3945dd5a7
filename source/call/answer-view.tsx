import { Box } from 'ink';
import { useMemo } from 'react';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { findSelected } from '../ui/list-state.ts';
import { newTree, toTreeRows } from '../ui/tree-state.ts';
import { TreeView } from '../ui/tree-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useUi } from '../ui/use-ui.ts';
import { toAnswerHead, toAnswerTree } from './answer-tree.ts';
import type { CallState } from './use-call.ts';

export interface AnswerViewProps {
  readonly state: CallState;
  readonly columns: number;
  readonly rows: number;
  readonly isFocused: boolean;
}

const answerBindings: readonly KeyBinding<'copy' | 'copyAll'>[] = [
  { action: 'copy', keys: ['y'], help: 'Copy what is selected, as JSON', hint: 'copy' },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole answer' },
];

/** What came of the last call. */
export function AnswerView({ state, columns, rows, isFocused }: AnswerViewProps) {
  const { copy } = useScreen();
  const { symbols } = useUi();
  const [tree, setTree] = useKept('answer', newTree);
  const nodes = useMemo(() => toAnswerTree(state, columns - 6), [state, columns]);
  useKeys({
    title: 'Answer',
    bindings: answerBindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && state.kind === 'answered',
    onAction: (action) => {
      const selected = findSelected(toTreeRows(nodes, tree.toggled), tree.list, ({ node }) => node.id);
      const text = action === 'copyAll' ? nodes[0]?.copied : selected?.node.copied;
      if (text !== undefined) copy(text, 'the answer');
    },
  });
  const rule = `${symbols.line.repeat(2)} `;
  const head: Line = [
    { text: rule, token: 'muted' },
    ...toAnswerHead(state),
    { text: ` ${symbols.line.repeat(columns)}`, token: 'muted' },
  ];
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <LineView line={fitLine(head, columns, symbols.line)} />
      <TreeView
        nodes={nodes}
        state={tree}
        onState={setTree}
        columns={columns}
        rows={rows - 1}
        title="Answer"
        isFocused={isFocused}
        empty=""
      />
    </Box>
  );
}
