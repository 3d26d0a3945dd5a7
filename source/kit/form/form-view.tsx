import { Box } from 'ink';
import { stripControl } from '../../terminal/control/strip-control.ts';
import { TextField } from '../field/text-field.tsx';
import { toTextField } from '../field/text-field-state.ts';
import type { KeyBinding } from '../keys/key-binding.ts';
import { keyPriority } from '../keys/key-stack.ts';
import { useKeys } from '../keys/use-keys.ts';
import { fitLine, type Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { textWidth, wrapText } from '../text/text-width.ts';
import { useUi } from '../theme/use-ui.ts';
import {
  type FormRow,
  type FormState,
  findFocused,
  moveFocus,
  movePick,
  resizeList,
  toRowProblems,
} from './form-state.ts';

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
  { action: 'next', keys: ['down', 'wheeldown'], help: 'Go to the next field', hint: 'field', shown: 'arrows' },
  { action: 'previous', keys: ['up', 'wheelup'], help: 'Go to the previous field' },
];
const pickBindings: readonly KeyBinding<PickAction>[] = [
  { action: 'pick', keys: ['space', 'right'], help: 'The next value', hint: 'change' },
  { action: 'pickBack', keys: ['left'], help: 'The previous value' },
];
const sizeBindings: readonly KeyBinding<SizeAction>[] = [
  { action: 'more', keys: ['+', 'right'], help: 'Add an item', hint: 'add' },
  { action: 'fewer', keys: ['-', 'left'], help: 'Remove the last item', hint: 'remove' },
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
  const { symbols } = useUi();
  const focused = findFocused(formRows, state);
  useFormKeys({ formRows, state, onState, isFocused }, focused);
  const told = toRowProblems(formRows, problems);
  const isOneValue = formRows.some(({ path }) => path === '');
  const whole = told.has('') && !isOneValue ? `${symbols.cross} ${told.get('')}` : undefined;
  const labelWidth = Math.min(24, Math.max(0, ...formRows.map(({ label, depth }) => textWidth(label) + depth * 2))) + 4;
  const placeholderWidth = Math.max(0, ...formRows.map(({ field }) => textWidth(field.placeholder ?? '')));
  const toParts = (row: FormRow): FormParts =>
    toFormParts(row, {
      state,
      problem: told.get(row.path),
      columns: columns - labelWidth,
      minWidth: Math.max(16, Math.min(placeholderWidth + 2, Math.floor((columns - labelWidth) / 2))),
      isFocused: row === focused,
      cross: symbols.cross,
    });
  const explanation =
    rows > 2 ? toExplanation(isFocused && focused && toParts(focused), { whole, columns: columns - 2 }) : [];
  const shownRows = rows - explanation.length;
  const at = focused ? formRows.indexOf(focused) : 0;
  const first = Math.max(0, Math.min(at - Math.floor(shownRows / 2), formRows.length - shownRows));
  if (formRows.length === 0) {
    return (
      <Box width={columns} height={rows}>
        <LineView line={[{ text: `  ${empty}`, token: 'muted' }]} />
      </Box>
    );
  }
  return (
    <Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
      {formRows.slice(first, first + shownRows).map((row) => (
        <FormLine
          key={row.path}
          row={row}
          parts={toParts(row)}
          state={state}
          onState={onState}
          columns={columns}
          labelWidth={labelWidth}
          isFocused={isFocused && row.path === focused?.path}
        />
      ))}
      {explanation.map((line, row) => (
        <LineView key={row} line={fitLine([{ text: '  ' }, ...line], columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}

type FormKeys = Pick<FormViewProps, 'formRows' | 'state' | 'onState'> & { readonly isFocused: boolean };

function useFormKeys({ formRows, state, onState, isFocused }: FormKeys, focused: FormRow | undefined): void {
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
}

/** What stands beside the name of a field. */
interface FormParts {
  /** Missing where the value is typed. */
  readonly value: string | undefined;
  readonly valueWidth: number;
  /** What is wrong with the value, else what it must be. */
  readonly side: Line[number];
  readonly sideWidth: number;
}

interface FormPartsOptions {
  readonly state: FormState;
  readonly problem: string | undefined;
  readonly columns: number;
  /** Columns that every value has. */
  readonly minWidth: number;
  /** It may take more for what is typed. */
  readonly isFocused: boolean;
  readonly cross: string;
}

function toFormParts(
  row: FormRow,
  { state, problem, columns, minWidth, isFocused, cross }: FormPartsOptions,
): FormParts {
  const { field } = row;
  const isTyped = row.isEditable && row.values === undefined && field.kind.kind !== 'list';
  const value = isTyped ? undefined : toShownValue(row, state);
  const typed = isTyped && isFocused ? (state.texts[row.path]?.text ?? '') : '';
  const wanted = Math.max(textWidth(value ?? '') + 2, Math.min(textWidth(typed) + 3, columns - MIN_SIDE));
  const valueWidth = Math.min(columns, Math.max(minWidth, Math.floor(columns * 0.42), wanted));
  const side: Line[number] =
    problem === undefined
      ? { text: [field.type, field.note].filter(Boolean).join(', '), token: 'muted' }
      : { text: `${cross} ${problem}`, token: 'danger' };
  return { value, valueWidth, side, sideWidth: columns - valueWidth };
}

/** Columns that a long text leaves to what is said of it. */
const MIN_SIDE = 14;

/** What is said of the selected field, where it does not fit beside it, else of the whole: at most two lines. */
function toExplanation(
  focused: FormParts | false | undefined,
  { whole, columns }: { readonly whole: string | undefined; readonly columns: number },
): readonly Line[] {
  const cut = focused && textWidth(focused.side.text) > focused.sideWidth ? focused.side : undefined;
  const said = cut ?? (whole === undefined ? undefined : { text: whole, token: 'danger' as const });
  if (said === undefined) return [];
  const lines = wrapText(stripControl(said.text), columns).slice(0, 2);
  return lines.map((text): Line => [{ ...said, text }]);
}

interface FormLineProps {
  readonly row: FormRow;
  readonly parts: FormParts;
  readonly state: FormState;
  readonly onState: (state: FormState) => void;
  readonly columns: number;
  readonly labelWidth: number;
  readonly isFocused: boolean;
}

function FormLine({ row, parts, state, onState, columns, labelWidth, isFocused }: FormLineProps) {
  const { symbols } = useUi();
  const { path, label, depth, field } = row;
  const { value, valueWidth, side, sideWidth } = parts;
  const mark = isFocused ? `${symbols.pointer} ` : '  ';
  const name: Line = [
    { text: mark, token: 'accent' },
    { text: `${'  '.repeat(depth)}${label}`, token: isFocused ? 'title' : undefined },
    { text: field.isRequired ? '*' : '', token: 'danger' },
  ];
  return (
    <Box height={1} width={columns}>
      <LineView line={fitLine(name, labelWidth, symbols.ellipsis)} />
      <Box width={valueWidth} flexShrink={0}>
        {value === undefined ? (
          <TextField
            state={state.texts[path] ?? toTextField('')}
            onState={(next) => onState({ ...state, focus: path, texts: { ...state.texts, [path]: next } })}
            columns={valueWidth - 1}
            isFocused={isFocused}
            placeholder={field.default ?? field.placeholder ?? symbols.dot}
            mask={field.kind.kind === 'text' ? field.kind.mask : undefined}
          />
        ) : (
          <LineView
            line={fitLine([{ text: value, token: isFocused ? 'accent' : undefined }], valueWidth, symbols.ellipsis)}
          />
        )}
      </Box>
      {sideWidth > 0 && <LineView line={fitLine([side], sideWidth, symbols.ellipsis)} />}
    </Box>
  );
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
