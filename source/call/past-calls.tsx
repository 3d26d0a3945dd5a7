import type { PastCall } from '../project/call-history.ts';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { findSelected, type ListState } from '../ui/list-state.ts';
import { ListView } from '../ui/list-view.tsx';
import { toClock } from '../ui/shell-status.ts';
import { useKeys } from '../ui/use-keys.ts';
import { useKept } from '../ui/use-screen.ts';
import { useBodySize } from '../ui/use-ui.ts';
import { toStatusToken } from './answer-tree.ts';

export interface PastCallsProps {
  readonly calls: readonly PastCall[];
  readonly onPick: (call: PastCall) => void;
  readonly onClose: () => void;
}

type PastCallsAction = 'pick' | 'close';

const bindings: readonly KeyBinding<PastCallsAction>[] = [
  { action: 'pick', keys: ['enter'], help: 'Fill the form with it', hint: 'fill in' },
  { action: 'close', keys: ['esc', 'ctrl+r'], help: 'Back to the form', hint: 'close' },
];

/** The last calls of a capability, to be made again. */
export function PastCalls({ calls, onPick, onClose }: PastCallsProps) {
  const { columns, rows } = useBodySize();
  const [list, setList] = useKept<ListState | undefined>('history', undefined);
  const getKey = ({ at, input }: PastCall): string => `${at} ${JSON.stringify(input)}`;
  useKeys({
    title: 'Last calls',
    bindings,
    priority: keyPriority.field,
    onAction: (action) => {
      const selected = findSelected(calls, list, getKey);
      if (action === 'close') onClose();
      else if (selected) onPick(selected);
    },
  });
  return (
    <ListView
      items={calls}
      getKey={getKey}
      toLine={({ at, status, input }) => [
        { text: `${toClock(at)}  `, token: 'muted' },
        { text: `${status}  `, token: toStatusToken(status) },
        { text: JSON.stringify(input) ?? '' },
      ]}
      state={list}
      onState={setList}
      columns={columns}
      rows={rows}
      title="Last calls"
      empty="It was not called yet."
    />
  );
}
