import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { editText, type TextFieldState, textFieldBindings, typeText } from './text-field-state.ts';
import { TextView, type TextViewProps } from './text-view.tsx';

export interface TextFieldProps extends Pick<TextViewProps, 'columns' | 'isFocused' | 'placeholder' | 'mask'> {
  readonly state: TextFieldState;
  readonly onState: (state: TextFieldState) => void;
  /** @default keyPriority.field */
  readonly priority?: number;
}

/** One line to type in. It has the keys, and draws the cursor, where it `isFocused`. */
export function TextField({ state, onState, isFocused = true, priority = keyPriority.field, ...view }: TextFieldProps) {
  useKeys({
    title: 'Text',
    bindings: textFieldBindings,
    priority,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => onState(editText(state, action)),
    onText: (text) => onState(typeText(state, text)),
  });
  return <TextView {...view} text={state.text} cursor={state.cursor} isFocused={isFocused} />;
}
