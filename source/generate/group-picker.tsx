import { useState } from 'react';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { type Line, markMatches } from '../kit/line/line.ts';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import { ListView } from '../kit/list/list-view.tsx';
import type { GroupChoice } from './group-choices.ts';

export interface GroupPickerProps {
  /** Shows what was typed, then what looks like it. */
  readonly choices: readonly GroupChoice[];
  readonly onPick: (path: string) => void;
  readonly columns: number;
  readonly rows: number;
}

const bindings: readonly KeyBinding<'pick' | 'complete'>[] = [
  { action: 'pick', keys: ['enter'], help: 'Choose the group, and go to the name', hint: 'choose' },
  { action: 'complete', keys: ['tab'], help: 'Complete the name of the nearest group', hint: 'complete' },
];

/** The groups below the field that they complete. */
export function GroupPicker({ choices, onPick, columns, rows }: GroupPickerProps) {
  const [list, setList] = useState<ListState>();
  const selected = findSelected(choices, list, ({ path }) => path);
  useKeys({
    title: 'Group',
    bindings,
    priority: keyPriority.field + 2,
    onAction: (action) => {
      const nearest = action === 'complete' && selected?.isThere === false ? choices[1] : undefined;
      onPick((nearest ?? selected)?.path ?? '');
    },
  });
  return (
    <ListView
      items={choices}
      getKey={({ path }) => path}
      toLine={({ path, matches, note }): Line => [
        ...(path === '' ? [] : [...markMatches(path, { matches }), { text: '  ' }]),
        { text: note, token: 'muted' },
      ]}
      state={list}
      onState={setList}
      columns={columns}
      rows={rows}
      title="Groups"
      priority={keyPriority.pane + 1}
    />
  );
}
