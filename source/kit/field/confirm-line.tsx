import { Box } from 'ink';
import { useMemo } from 'react';
import { toBindings } from '../keys/actions.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine, type Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { wrapText } from '../text/text-width.ts';

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
  const bindings = useMemo(
    () => toBindings(['yes', 'no'], { yes: { help: yes, hint: yes }, no: { help: no, hint: no } }),
    [yes, no],
  );
  useKeys({
    title: 'Confirm',
    bindings,
    priority: keyPriority.overlay,
    isModal: true,
    onAction: (action) => (action === 'yes' ? onYes() : onNo()),
  });
  // The key line has the two answers as well, so a long question takes their row.
  const [first = '', ...rest] = wrapText(text, columns - 1);
  const lines: readonly Line[] = [
    [{ text: ` ${first}`, token: 'warning' }],
    rest.length === 0
      ? [{ text: ` y: ${yes}   n: ${no}`, token: 'key' }]
      : [{ text: ` ${rest.join(' ')}`, token: 'warning' }],
  ];
  return (
    <Box flexDirection="column" width={columns} height={2}>
      {lines.map((line, row) => (
        <LineView key={row === 0 ? 'question' : 'rest'} line={fitLine(line, columns)} />
      ))}
    </Box>
  );
}
