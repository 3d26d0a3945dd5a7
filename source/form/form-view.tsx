import { Box } from 'ink';
import type { FormField } from '../document/form-field.ts';
import { fitLine, type Line, toTextLines } from '../kit/line.ts';
import { LineView, ScrollMarks } from '../kit/line-view.tsx';
import { SCROLL_COLUMNS } from '../kit/list-state.ts';
import { cutText, textWidth } from '../kit/text.ts';
import { TextView } from '../kit/text-field.tsx';
import { signs } from '../kit/theme.ts';
import { toCount } from '../values/count.ts';
import { isJsonObject } from '../values/json.ts';
import { toTextState } from './edit-form.ts';
import { FormKeys, type FormKeysProps } from './form-keys.tsx';
import { type FormRow, findChoices, findExtraNames } from './form-rows.ts';
import { findFocused } from './form-state.ts';

interface FormViewProps extends Omit<FormKeysProps, 'isFocused'> {
  /** The problem of a row, by its id; under `''` that of the whole. */
  readonly problems: ReadonlyMap<string, string>;
  readonly columns: number;
  readonly rows: number;
  /** @default true */
  readonly isFocused?: boolean;
  /** Whether a missing value is shown as wrong: the user has tried to send the form. @default true */
  readonly isTried?: boolean;
  /** Shown where there is no field. */
  readonly empty?: string;
}

/** A form of a line a field. Keys go to the selected one. */
export function FormView(props: FormViewProps) {
  const { state, formRows, isFocused = true } = props;
  const focused = findFocused(formRows, state);
  return (
    <FormKeys {...props} isFocused={isFocused} focused={focused}>
      {formRows.length > 0 ? (
        <FormLines {...props} isFocused={isFocused} focused={focused} />
      ) : (
        <Box width={props.columns} height={props.rows}>
          <LineView line={[{ text: `  ${props.empty ?? ''}`, token: 'muted' }]} />
        </Box>
      )}
    </FormKeys>
  );
}

interface FormLinesProps
  extends Pick<FormViewProps, 'formRows' | 'problems' | 'columns' | 'rows' | 'isTried'> {
  readonly isFocused: boolean;
  readonly focused: FormRow | undefined;
}

/** The lines that the window shows, around the focused one, with the notes about that one below it. */
function FormLines(props: FormLinesProps) {
  const { formRows, problems, columns, rows, isFocused, isTried = true, focused } = props;
  const whole = problems.has('') ? `${signs.cross} ${problems.get('')}` : undefined;
  const isLong = formRows.length > rows;
  const hasBelowLine = isLong && rows > 3;
  const width = columns - (isLong ? SCROLL_COLUMNS : 0);
  const { labelWidth, minWidth } = toFormWidths(formRows, width);
  const place = { columns: width - labelWidth, minWidth, isTried };
  const toParts = (row: FormRow): FormParts =>
    toFormParts(row, { ...place, problem: problems.get(row.id), isFocused: row === focused });
  const focusedParts = isFocused && focused ? toParts(focused) : undefined;
  const explanation = rows > 2 ? toExplanation(focusedParts, { whole, columns: columns - 2 }) : [];
  const height = Math.max(1, rows - (hasBelowLine ? 1 : 0));
  const room = Math.max(1, height - explanation.length);
  const first = toFirstShown(formRows, focused, room);
  const shown = formRows.slice(first, first + room);
  // The words about the selected field stand right below it, and those about the whole below all fields.
  const above = focusedParts && focused ? shown.indexOf(focused) + 1 : shown.length;
  const toLine = (row: FormRow) => (
    <FormLine
      key={row.id}
      row={row}
      parts={toParts(row)}
      columns={width}
      labelWidth={labelWidth}
      isFocused={isFocused && row === focused}
    />
  );
  return (
    <Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
      <Box height={height} width={columns}>
        <Box flexDirection="column" width={width} height={height} overflowY="hidden">
          {shown.slice(0, above).map(toLine)}
          {explanation.map((line, row) => (
            <LineView key={row} line={fitLine([{ text: '  ' }, ...line], width)} />
          ))}
          {shown.slice(above).map(toLine)}
        </Box>
        <ScrollMarks total={formRows.length} rows={height} offset={first} />
      </Box>
      {hasBelowLine && (
        <LineView line={fitLine(toBelowLine(formRows.slice(first + room)), columns)} />
      )}
    </Box>
  );
}

/** The columns of the names, and those that every value has at least. */
function toFormWidths(formRows: readonly FormRow[], width: number) {
  const widest = (widths: readonly number[]): number =>
    widths.reduce((most, each) => Math.max(most, each), 0);
  const names = widest(formRows.map(({ label, depth }) => textWidth(label) + depth * 2));
  const labelWidth = Math.min(24, names) + 4;
  const placeholder = widest(formRows.map(({ field }) => textWidth(field.placeholder ?? '')));
  const half = Math.floor((width - labelWidth) / 2);
  return { labelWidth, minWidth: Math.max(16, Math.min(placeholder + 2, half)) };
}

/** The first row in the window: the focused one is in the middle, where there are more above and below. */
function toFirstShown(
  formRows: readonly FormRow[],
  focused: FormRow | undefined,
  room: number,
): number {
  const at = focused ? formRows.indexOf(focused) : 0;
  return Math.max(0, Math.min(at - Math.floor(room / 2), formRows.length - room));
}

function toBelowLine(below: readonly FormRow[]): Line {
  if (below.length === 0) return [{ text: '' }];
  const missing = below.filter((row) => row.isEditable && row.field.isRequired && isUnset(row));
  const required = missing.length === 0 ? '' : `, ${missing.length} required`;
  return [{ text: `  ${signs.down} ${below.length} more${required}`, token: 'muted' }];
}

/** The lines about the selected field, where they do not fit beside it, else about the whole: at most three. */
function toExplanation(
  focused: FormParts | undefined,
  { whole, columns }: { readonly whole: string | undefined; readonly columns: number },
): readonly Line[] {
  if (focused && textWidth(focused.side.text) > focused.sideWidth)
    return toTextLines(focused.side.text, columns, focused.side.token).slice(0, 3);
  return whole === undefined ? [] : toTextLines(whole, columns, 'danger').slice(0, 2);
}

interface FormLineProps {
  readonly row: FormRow;
  readonly parts: FormParts;
  readonly columns: number;
  readonly labelWidth: number;
  readonly isFocused: boolean;
}

/** A field: its name, its value, and the notes about it. */
function FormLine({ row, parts, columns, labelWidth, isFocused }: FormLineProps) {
  const { label, depth, field } = row;
  const { value, placeholder, valueWidth, side, sideWidth } = parts;
  const star = field.isRequired && field.isItem !== true ? '*' : '';
  // A name that is cut still shows whether it is required.
  const room = labelWidth - 2 - depth * 2 - textWidth(star) - 1;
  const name: Line = [
    { text: isFocused ? `${signs.pointer} ` : '  ', token: 'accent' },
    {
      text: `${'  '.repeat(depth)}${cutText(label, room)}`,
      token: isFocused ? 'title' : undefined,
    },
    { text: star, token: 'danger' },
  ];
  const mask =
    field.kind.kind === 'text' || field.kind.kind === 'number' ? field.kind.mask : undefined;
  return (
    <Box height={1} width={columns}>
      <Box width={labelWidth} flexShrink={0}>
        <LineView line={fitLine(name, labelWidth)} />
      </Box>
      <Box width={valueWidth} flexShrink={0}>
        {value === undefined ? (
          <TextView
            {...toTextState(row)}
            columns={valueWidth - 1}
            isFocused={isFocused}
            placeholder={placeholder}
            mask={mask}
          />
        ) : (
          <LineView
            line={fitLine([isFocused ? { ...value, token: 'accent' } : value], valueWidth)}
          />
        )}
      </Box>
      {sideWidth > 0 && <LineView line={fitLine([side], sideWidth)} />}
    </Box>
  );
}

/** The text beside the name of a field. */
interface FormParts {
  /** Missing where a text is typed. */
  readonly value: Line[number] | undefined;
  /** In place of a text where there is none. */
  readonly placeholder: string;
  readonly valueWidth: number;
  /** The problem of the value, else what it must be. */
  readonly side: Line[number];
  readonly sideWidth: number;
}

interface FormPartsOptions {
  readonly problem: string | undefined;
  readonly columns: number;
  /** Columns that every value has. */
  readonly minWidth: number;
  /** It may take more for what is typed. */
  readonly isFocused: boolean;
  readonly isTried: boolean;
}

/** Columns that a long text leaves to the notes about it. */
const MIN_SIDE = 14;

export function toFormParts(row: FormRow, options: FormPartsOptions): FormParts {
  const { columns, minWidth, isFocused } = options;
  const { text, field } = row;
  const value = toShownValue(row);
  const wanted =
    isFocused && text !== undefined ? Math.min(textWidth(text) + 3, columns - MIN_SIDE) : 0;
  const valueWidth = Math.min(columns, Math.max(minWidth, Math.floor(columns * 0.42), wanted));
  return {
    value,
    placeholder: field.default ?? field.placeholder ?? signs.dot,
    valueWidth,
    side: toSide(row, options),
    sideWidth: columns - valueWidth,
  };
}

function toSide(row: FormRow, options: FormPartsOptions): Line[number] {
  const { field, isJson } = row;
  const problem = findShownProblem(row, options.problem);
  const isMissing = problem === REQUIRED && isUnset(row) && !options.isTried;
  if (problem !== undefined && !isMissing)
    return { text: `${signs.cross} ${problem}`, token: 'danger' };
  const kind = isJson ? `as JSON: ${field.type}` : field.type;
  return {
    text: [isMissing ? `${REQUIRED}: ${kind}` : kind, field.note].filter(Boolean).join(', '),
    token: 'muted',
  };
}

function findShownProblem(row: FormRow, problem: string | undefined): string | undefined {
  const { field, text = '', isJson } = row;
  // The schema has not seen the first letters yet.
  if (problem === REQUIRED && !isJson && text !== '') return undefined;
  const isAbsence = problem !== undefined && isUnset(row) && isOneValue(field);
  return isAbsence ? REQUIRED : problem;
}

/** Whether a field has no value yet. */
function isUnset({ value, text, picked }: FormRow): boolean {
  return value === undefined && text === undefined && picked === undefined;
}

/** The text for a field that is missing. */
const REQUIRED = 'required';

/** Whether only its absence can be wrong where it is not set: an enum and a union say what they expect. */
function isOneValue({ kind: { kind }, isRequired }: FormField): boolean {
  return isRequired && kind !== 'list' && kind !== 'tuple' && kind !== 'group';
}

/** The words of a row that does not hold text; undefined for one that is typed. */
function toShownValue(row: FormRow): Line[number] | undefined {
  const { value, text, role, field, picked } = row;
  // Without quotes an empty text and none at all look alike.
  if (text !== undefined)
    return text === '' && value === '' ? { text: '""', token: 'string' } : undefined;
  if (value === null && picked === undefined) return { text: 'null', token: 'keyword' };
  if (role === 'typed') return undefined;
  if (role === 'picked') return toPickedValue(row);
  if (value === undefined) return { text: field.default ?? 'not set', token: 'muted' };
  return { text: role === 'items' ? toItemsText(row) : toGroupText(row) };
}

/** `[2 items]`, of a list or of what an object has beside its own fields. */
function toItemsText({ field, value }: FormRow): string {
  const count = Array.isArray(value) ? value.length : findExtraNames(field, value).length;
  return `[${toCount(count, 'item')}]`;
}

/** An object that may be left out is shown where it is there and empty. */
function toGroupText({ field, value }: FormRow): string {
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  return isEmpty && !field.isRequired ? '{ }' : '';
}

function toPickedValue({ field, picked }: FormRow): Line[number] {
  const choice = picked === undefined ? undefined : findChoices(field)?.[picked];
  if (choice === undefined) return { text: `< ${field.default ?? 'not set'} >`, token: 'muted' };
  // The choices of a union are the names of its variants.
  const isName = field.kind.kind === 'union' && typeof choice === 'string';
  return { text: `< ${isName ? choice : JSON.stringify(choice)} >` };
}
