import { useMemo } from 'react';
import type { PastCall } from '../files/past-call.ts';
import { toFormBindings } from '../kit/keys/actions.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Line } from '../kit/line/line.ts';
import type { Row } from '../kit/rows/row.ts';
import { RowsView } from '../kit/rows/rows-view.tsx';
import { useRows } from '../kit/rows/use-rows.ts';
import { toStatusToken } from '../kit/theme/tokens.ts';
import { useBodySize } from '../kit/theme/use-ui.ts';
import { toClock } from '../screens/shell/shell-status.ts';
import type { SavedCall } from './saved/saved-call.ts';

export interface PastCallsProps {
  readonly calls: readonly PastCall[];
  /** The saved calls, which come first. */
  readonly saved: readonly SavedCall[];
  readonly onPick: (call: PastCall) => void;
  readonly onPickSaved: (call: SavedCall) => void;
  readonly onClose: () => void;
}

const bindings = toFormBindings(['go', 'back', 'history'], {
  go: { help: 'Fill the form with this call; of a saved one, after those that it needs', hint: 'fill in' },
  back: { help: 'Back to the form', hint: 'close' },
  history: { help: 'Back to the form', hint: undefined },
});

/** The saved and the last calls of a capability, to be made again. */
export function PastCalls({ calls, saved, onPick, onPickSaved, onClose }: PastCallsProps) {
  const { columns, rows } = useBodySize();
  const all = useMemo(() => [...saved, ...calls].map(toCallRow), [saved, calls]);
  const list = useRows(all, 'history');
  useKeys({
    title: 'Last calls',
    bindings,
    priority: keyPriority.field,
    onAction: (action) => {
      const call = list.selected?.call;
      if (action !== 'go') onClose();
      else if (call && 'name' in call) onPickSaved(call);
      else if (call) onPick(call);
    },
  });
  return <RowsView list={list} columns={columns} rows={rows} title="Last calls" empty="It was not called yet." />;
}

interface CallRow extends Row {
  readonly call: PastCall | SavedCall;
}

function toCallRow(call: PastCall | SavedCall): CallRow {
  const id = 'name' in call ? `@${call.name}` : `${call.at} ${JSON.stringify(call.input)}`;
  return { id, line: toCallLine(call), call };
}

function toCallLine(call: CallRow['call']): Line {
  const input = { text: JSON.stringify(call.input) ?? '' };
  if ('name' in call) return [{ text: `@${call.name}  `, token: 'accent' }, input];
  return [
    { text: `${toClock(call.at)}  `, token: 'muted' },
    { text: `${call.status}  `, token: toStatusToken(call.status) },
    input,
  ];
}
