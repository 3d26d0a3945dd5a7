import { useCallback, useMemo } from 'react';
import type { CallTarget } from '../invoke/call-target.ts';
import { emptyList } from '../kit/list-state.ts';
import type { Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { useLatest } from '../kit/use-memory.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { canConnect } from '../system/can-connect.ts';
import type { CallStore } from './call-store.ts';

export interface TargetsViewProps {
  readonly store: CallStore;
  readonly onClose: () => void;
}

/** Where the call can go, with a dot for what answers now. The target behind that of the form is selected. */
export function TargetsView({ store, onClose }: TargetsViewProps) {
  const { columns, rows } = useBodySize();
  const { targets, target } = store;
  const load = useCallback(
    () => Promise.all(targets.map(async ({ url }) => url === undefined || canConnect(url))),
    [targets],
  );
  const answers = useLatest<readonly boolean[]>(load, []);
  const all = useMemo(
    () => targets.map((each, index) => toTargetRow(each, answers[index])),
    [targets, answers],
  );
  const at = targets.findIndex(({ id }) => id === target.id);
  const list = useRows(all, `targets after ${target.id}`, {
    ...emptyList,
    index: (at + 1) % Math.max(1, targets.length),
  });
  const toNext = (): void =>
    list.onState({ ...emptyList, index: (list.state.index + 1) % Math.max(1, targets.length) });
  const choose = (): void => {
    if (list.selected !== undefined) store.choose(list.selected.target);
    onClose();
  };
  return (
    <RowsView
      list={list}
      columns={columns}
      rows={rows}
      actions={{
        go: { help: 'Call it there', hint: 'choose', run: choose },
        target: { help: 'Select the next one', hint: 'next', run: toNext },
        back: { help: 'Leave the target as it is', hint: 'close', run: onClose },
      }}
    />
  );
}

interface TargetRow extends Row {
  readonly target: CallTarget;
}

function toTargetRow(target: CallTarget, answers: boolean | undefined): TargetRow {
  const { id, text, asksFirst } = target;
  const sign = answers === false ? signs.cross : signs.live;
  const known = answers === undefined ? ' ' : sign;
  return {
    id,
    target,
    line: [
      { text: `${known} `, token: answers === false ? 'muted' : 'success' },
      { text },
      { text: answers === false ? '  nothing answers' : '', token: 'muted' },
      { text: asksFirst ? '  asks before it changes data' : '', token: 'warning' },
    ],
  };
}
