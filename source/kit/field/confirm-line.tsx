import { Box } from 'ink';
import { useMemo } from 'react';
import type { KeyBinding } from '../keys/key-binding.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { useUi } from '../theme/use-ui.ts';

export interface ConfirmLineProps {
  /** `'openapi.json exists.'` */
  readonly text: string;
  /** The action of `y`, for the key line: `'replace it'`. */
  readonly yes: string;
  /** The action of `n`: `'keep it'`. */
  readonly no: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
  readonly columns: number;
}

/** A question of yes or no, two rows. Nothing else takes keys until it is answered, and only `y` is a yes. */
export function ConfirmLine({ text, yes, no, onYes, onNo, columns }: ConfirmLineProps) {
  const { symbols } = useUi();
  const bindings = useMemo<readonly KeyBinding<'yes' | 'no'>[]>(
    () => [
      { action: 'yes', keys: ['y'], help: yes, hint: yes },
      { action: 'no', keys: ['n', 'esc', 'q'], help: no, hint: no },
    ],
    [yes, no],
  );
  useKeys({
    title: 'Confirm',
    bindings,
    priority: keyPriority.overlay,
    isModal: true,
    onAction: (action) => (action === 'yes' ? onYes() : onNo()),
  });
  const lines = [text, `y: ${yes}   n: ${no}`];
  return (
    <Box flexDirection="column" width={columns} height={2}>
      {lines.map((line, row) => (
        <LineView
          key={line}
          line={fitLine([{ text: ` ${line}`, token: row === 0 ? 'warning' : 'key' }], columns, symbols.ellipsis)}
        />
      ))}
    </Box>
  );
}
