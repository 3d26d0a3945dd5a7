import { useMemo } from 'react';
import type { PastCall } from '../files/past-call.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Line } from '../kit/line/line.ts';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { useFilteredList } from '../kit/list/use-filtered-list.ts';
import { useBodySize } from '../kit/theme/use-ui.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import { toStatusToken } from '../screens/status-token.ts';
import type { SavedCall } from './saved/saved-call.ts';

export interface PastCallsProps {
  readonly calls: readonly PastCall[];
  /** The saved calls, which come first. */
  readonly saved: readonly SavedCall[];
  readonly onPick: (call: PastCall) => void;
  readonly onPickSaved: (call: SavedCall) => void;
  readonly onClose: () => void;
}

type PastCallsAction = 'pick' | 'close';

const bindings: readonly KeyBinding<PastCallsAction>[] = [
  {
    action: 'pick',
    keys: ['enter'],
    help: 'Fill the form with this call; of a saved one, after those that it needs',
    hint: 'fill in',
  },
  { action: 'close', keys: ['esc', 'ctrl+r'], help: 'Back to the form', hint: 'close' },
];

/** The saved and the last calls of a capability, to be made again. */
export function PastCalls({ calls, saved, onPick, onPickSaved, onClose }: PastCallsProps) {
  const { columns, rows } = useBodySize();
  const all = useMemo((): readonly ListedCall[] => [...saved, ...calls], [saved, calls]);
  const list = useFilteredList(all, { name: 'history', getKey: toCallId, getText: toCallText });
  useKeys({
    title: 'Last calls',
    bindings,
    priority: keyPriority.field,
    onAction: (action) => {
      if (action === 'close') onClose();
      else if (list.selected && 'name' in list.selected) onPickSaved(list.selected);
      else if (list.selected) onPick(list.selected);
    },
  });
  return (
    <FilteredListView
      list={list}
      toLine={toCallLine}
      columns={columns}
      rows={rows}
      title="Last calls"
      empty="It was not called yet."
    />
  );
}

type ListedCall = PastCall | SavedCall;

function toCallLine(call: ListedCall): Line {
  const input = { text: JSON.stringify(call.input) ?? '' };
  if ('name' in call) return [{ text: `@${call.name}  `, token: 'accent' }, input];
  return [
    { text: `${toClock(call.at)}  `, token: 'muted' },
    { text: `${call.status}  `, token: toStatusToken(call.status) },
    input,
  ];
}

function toCallId(call: ListedCall): string {
  return 'name' in call ? `@${call.name}` : `${call.at} ${JSON.stringify(call.input)}`;
}

function toCallText(call: ListedCall): string {
  return `${'name' in call ? `@${call.name}` : call.status} ${JSON.stringify(call.input) ?? ''}`;
}
