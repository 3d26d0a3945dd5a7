import { Box, Text } from 'ink';
import { type FormRow, type FormState, findFocused, moveFocus, movePick, resizeList } from './form-state.ts';
import { keyPriority } from './key-stack.ts';
import type { KeyBinding } from './key-table.ts';
import { fitLine, type Line } from './line-segments.ts';
import { LineView } from './line-view.tsx';
import { TextField } from './text-field.tsx';
import { toTextField } from './text-field-state.ts';
import { cutText, textWidth } from './text-width.ts';
import { tokens } from './theme.ts';
import { useKeys } from './use-keys.ts';
import { useUi } from './use-ui.ts';

export interface FormViewProps {
  readonly formRows: readonly FormRow[];
  readonly state: FormState;
  readonly onState: (state: FormState) => void;
  /** What is wrong with a field, by path; under `''` what is wrong with the whole. */
  readonly problems: ReadonlyMap<string, string>;
  readonly columns: number;
  readonly rows: number;
  /** @default true */
  readonly isFocused?: boolean;
  /** Shown where there is no field. */
  readonly empty?: string;
}

type FormAction = 'next' | 'previous';
type PickAction = 'pick' | 'pickBack';
type SizeAction = 'more' | 'fewer';

const formBindings: readonly KeyBinding<FormAction>[] = [
  { action: 'next', keys: ['down', 'wheeldown'], help: 'To the next field', hint: 'field', shown: 'arrows' },
  { action: 'previous', keys: ['up', 'wheelup'], help: 'To the field before' },
];
const pickBindings: readonly KeyBinding<PickAction>[] = [
  { action: 'pick', keys: ['space', 'right'], help: 'The next value', hint: 'change' },
  { action: 'pickBack', keys: ['left'], help: 'The value before' },
];
const sizeBindings: readonly KeyBinding<SizeAction>[] = [
  { action: 'more', keys: ['+', 'right'], help: 'One item more', hint: 'add' },
  { action: 'fewer', keys: ['-', 'left'], help: 'One item less', hint: 'remove' },
];

/** A form of one line a field. What is typed goes into the field that is selected. */
export function FormView({
  formRows,
  state,
  onState,
  problems,
  columns,
  rows,
  isFocused = true,
  empty = '',
}: FormViewProps) {
  const focused = findFocused(formRows, state);
  const isList = focused?.field.kind.kind === 'list';
  useKeys<FormAction>({
    title: 'Form',
    bindings: formBindings,
    priority: keyPriority.pane,
    isMovement: true,
    isActive: isFocused,
    onAction: (action) => onState(moveFocus(formRows, state, action === 'next' ? 1 : -1)),
  });
  useKeys<PickAction>({
    title: 'Value',
    bindings: pickBindings,
    priority: keyPriority.field,
    isActive: isFocused && focused?.values !== undefined,
    onAction: (action) => focused && onState(movePick(state, focused, action === 'pick' ? 1 : -1)),
  });
  useKeys<SizeAction>({
    title: 'Items',
    bindings: sizeBindings,
    priority: keyPriority.field,
    isActive: isFocused && isList,
    onAction: (action) => focused && onState(resizeList(state, focused, action === 'more' ? 1 : -1)),
  });
  const at = focused ? formRows.indexOf(focused) : 0;
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), formRows.length - rows));
  const labelWidth = Math.min(24, Math.max(0, ...formRows.map(({ label, depth }) => textWidth(label) + depth * 2))) + 4;
  if (formRows.length === 0) {
    return (
      <Box width={columns} height={rows}>
        <LineView line={[{ text: `  ${empty}`, token: 'muted' }]} />
      </Box>
    );
  }
  return (
    <Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
      {formRows.slice(first, first + rows).map((row) => (
        <FormLine
          key={row.path}
          row={row}
          state={state}
          onState={onState}
          problem={problems.get(row.path)}
          columns={columns}
          labelWidth={labelWidth}
          isFocused={isFocused && row.path === focused?.path}
        />
      ))}
    </Box>
  );
}

interface FormLineProps {
  readonly row: FormRow;
  readonly state: FormState;
  readonly onState: (state: FormState) => void;
  readonly problem: string | undefined;
  readonly columns: number;
  readonly labelWidth: number;
  readonly isFocused: boolean;
}

function FormLine({ row, state, onState, problem, columns, labelWidth, isFocused }: FormLineProps) {
  const { symbols } = useUi();
  const { path, label, depth, field } = row;
  const width = columns - labelWidth;
  const mark = isFocused ? `${symbols.pointer} ` : '  ';
  const name: Line = [
    { text: mark, token: 'accent' },
    { text: `${'  '.repeat(depth)}${label}`, token: isFocused ? 'title' : undefined },
    { text: field.isRequired ? '*' : '', token: 'danger' },
  ];
  const isTyped = row.isEditable && row.values === undefined && field.kind.kind !== 'list';
  const text = state.texts[path] ?? toTextField('');
  const side =
    problem === undefined
      ? { text: toNote(row), ...tokens.muted }
      : { text: `${symbols.cross} ${problem}`, ...tokens.danger };
  const { text: sideText, ...sideStyle } = side;
  const value = isTyped ? undefined : toShownValue(row, state);
  const valueWidth = Math.min(width, Math.max(16, Math.floor(width * 0.42), textWidth(value ?? '') + 2));
  return (
    <Box height={1} width={columns}>
      <LineView line={fitLine(name, labelWidth, symbols.ellipsis)} />
      <Box width={valueWidth} flexShrink={0}>
        {value === undefined ? (
          <TextField
            state={text}
            onState={(next) => onState({ ...state, focus: path, texts: { ...state.texts, [path]: next } })}
            columns={valueWidth - 1}
            isFocused={isFocused}
            placeholder={field.default ?? symbols.dot}
          />
        ) : (
          <LineView line={[{ text: value, token: isFocused ? 'accent' : undefined }]} />
        )}
      </Box>
      <Text wrap="truncate-end" {...sideStyle}>
        {cutText(sideText, width - valueWidth, symbols.ellipsis)}
      </Text>
    </Box>
  );
}

function toNote({ field }: FormRow): string {
  return [field.type, field.note].filter(Boolean).join(', ');
}

function toShownValue({ path, values, field }: FormRow, state: FormState): string {
  if (values !== undefined) {
    const picked = values[state.picks[path] ?? -1];
    return picked === undefined ? `< ${field.default ?? 'not set'} >` : `< ${JSON.stringify(picked)} >`;
  }
  if (field.kind.kind !== 'list') return '';
  const count = state.counts[path] ?? 0;
  return `[${count === 1 ? '1 item' : `${count} items`}]`;
}
