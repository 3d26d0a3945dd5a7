import { useState } from 'react';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import type { Size } from '../kit/theme/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toCommandLines } from './command-lines.ts';

export interface CommandPaneProps extends Size {
  /** The words after `capix`. */
  readonly usage: string;
  readonly onClose: () => void;
}

const bindings: readonly KeyBinding<'close' | 'copy'>[] = [
  { action: 'close', keys: ['esc', 'enter'], help: 'Back to home', hint: 'back' },
  { action: 'copy', keys: ['y'], help: 'Copy the command', hint: 'copy' },
];

/** A command that has no screen, and how to run it. */
export function CommandPane({ usage, columns, rows, onClose }: CommandPaneProps) {
  const { copy, help } = useScreen();
  const [offset, setOffset] = useState(0);
  useKeys({
    title: 'Command',
    bindings,
    onAction: (action) => {
      if (action === 'close') return onClose();
      const command = `capix ${usage.split(' ')[0]}`;
      copy(command, command);
    },
  });
  const lines = toCommandLines(usage, help.program, columns);
  return (
    <ScrollView lines={lines} offset={offset} onOffset={setOffset} columns={columns} rows={rows} title="Command" />
  );
}
