import { Box } from 'ink';
import { toBindings } from '../keys/actions.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { textWidth } from '../text/text-width.ts';
import { signs } from '../theme/tokens.ts';
import { TextField } from './text-field.tsx';
import type { TextFieldState } from './text-field-state.ts';

export interface PromptLineProps {
  /** The question: `'Write to'`. */
  readonly label: string;
  readonly state: TextFieldState;
  readonly onState: (state: TextFieldState) => void;
  readonly onEnter: () => void;
  /** Missing where it cannot be left unanswered. */
  readonly onCancel?: (() => void) | undefined;
  readonly columns: number;
  /** Whether nothing else takes keys until it is answered. @default false */
  readonly isModal?: boolean;
  readonly placeholder?: string;
  /** A second line: the problem with the answer, or its consequence. */
  readonly note?: { readonly text: string; readonly isProblem: boolean } | undefined;
}

const words = { go: { help: 'Go on', hint: 'go on' }, back: { help: 'Cancel', hint: 'cancel' } };
const bindings = toBindings(['go', 'back'], words);
const withoutCancel = toBindings(['go'], words);

/** One question, answered by typing; two rows. */
export function PromptLine(props: PromptLineProps) {
  const { label, state, onState, onEnter, onCancel, columns, placeholder = '', note, isModal = false } = props;
  const priority = isModal ? keyPriority.overlay : keyPriority.field + 1;
  useKeys<'go' | 'back'>({
    title: label,
    bindings: onCancel ? bindings : withoutCancel,
    priority,
    isModal,
    onAction: (action) => (action === 'go' ? onEnter() : onCancel?.()),
  });
  const room = columns - textWidth(label) - 3;
  const text = note === undefined ? '' : ` ${note.isProblem ? `${signs.cross} ` : ''}${note.text}`;
  return (
    <Box flexDirection="column" width={columns} height={2}>
      <Box height={1}>
        <LineView line={[{ text: ` ${label} `, token: 'key' }]} />
        <TextField
          state={state}
          onState={onState}
          columns={room}
          placeholder={placeholder}
          priority={isModal ? priority + 1 : priority - 1}
        />
      </Box>
      <LineView line={fitLine([{ text, token: note?.isProblem ? 'danger' : 'muted' }], columns)} />
    </Box>
  );
}
