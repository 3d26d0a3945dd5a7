import { Box } from 'ink';
import { TextField } from '../../../kit/field/text-field.tsx';
import type { TextFieldState } from '../../../kit/field/text-field-state.ts';
import type { KeyBinding } from '../../../kit/keys/key-binding.ts';
import { keyPriority } from '../../../kit/keys/key-stack.ts';
import { useKeys } from '../../../kit/keys/use-keys.ts';
import { LineView } from '../../../kit/line/line-view.tsx';

export interface SearchLineProps {
  readonly field: TextFieldState;
  readonly columns: number;
  readonly onField: (field: TextFieldState) => void;
  /** With the text, or without where it was given up. */
  readonly onEnd: (text?: string) => void;
}

const searchBindings: readonly KeyBinding<'find' | 'cancel'>[] = [
  { action: 'find', keys: ['enter'], help: 'Search', hint: 'find' },
  { action: 'cancel', keys: ['esc'], help: 'Cancel the search', hint: 'cancel' },
];

/** The line where the text to find is typed. Takes one row. */
export function SearchLine({ field, columns, onField, onEnd }: SearchLineProps) {
  useKeys<'find' | 'cancel'>({
    title: 'Find',
    bindings: searchBindings,
    priority: keyPriority.field + 1,
    onAction: (action) => (action === 'find' ? onEnd(field.text) : onEnd()),
  });
  return (
    <Box height={1}>
      <LineView line={[{ text: ' find ', token: 'key' }]} />
      <TextField state={field} onState={onField} columns={columns - 7} placeholder="text to find" />
    </Box>
  );
}
