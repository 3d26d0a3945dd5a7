import type { PastCall } from '../files/past-call.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { useFilteredList } from '../kit/list/use-filtered-list.ts';
import { useBodySize } from '../kit/theme/use-ui.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import { toStatusToken } from '../screens/status-token.ts';

export interface PastCallsProps {
  readonly calls: readonly PastCall[];
  readonly onPick: (call: PastCall) => void;
  readonly onClose: () => void;
}

type PastCallsAction = 'pick' | 'close';

const bindings: readonly KeyBinding<PastCallsAction>[] = [
  { action: 'pick', keys: ['enter'], help: 'Fill the form with this call', hint: 'fill in' },
  { action: 'close', keys: ['esc', 'ctrl+r'], help: 'Back to the form', hint: 'close' },
];

/** The last calls of a capability, to be made again. */
export function PastCalls({ calls, onPick, onClose }: PastCallsProps) {
  const { columns, rows } = useBodySize();
  const list = useFilteredList(calls, { name: 'history', getKey: toCallId, getText: toCallText });
  useKeys({
    title: 'Last calls',
    bindings,
    priority: keyPriority.field,
    onAction: (action) => {
      if (action === 'close') onClose();
      else if (list.selected) onPick(list.selected);
    },
  });
  return (
    <FilteredListView
      list={list}
      toLine={({ at, status, input }) => [
        { text: `${toClock(at)}  `, token: 'muted' },
        { text: `${status}  `, token: toStatusToken(status) },
        { text: JSON.stringify(input) ?? '' },
      ]}
      columns={columns}
      rows={rows}
      title="Last calls"
      empty="It was not called yet."
    />
  );
}

function toCallId({ at, input }: PastCall): string {
  return `${at} ${JSON.stringify(input)}`;
}

function toCallText({ status, input }: PastCall): string {
  return `${status} ${JSON.stringify(input) ?? ''}`;
}
