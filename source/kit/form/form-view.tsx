import { Box } from 'ink';
import { stripControl } from '../../terminal/strip-control.ts';
import { fitLine, type Line } from '../line.ts';
import { LineView } from '../line-view.tsx';
import { SCROLL_COLUMNS, type ScrollPlace, toScrollMarks } from '../list-state.ts';
import { cutText, textWidth, wrapText } from '../text.ts';
import { TextView } from '../text-field.tsx';
import { signs } from '../theme.ts';
import { toTextState } from './edit-form.ts';
import type { FormRow } from './form-rows.ts';
import { findFocused } from './form-state.ts';
import { type FormParts, isUnset, toFormParts } from './to-form-parts.ts';
import { type FormKeysOptions, useFormKeys } from './use-form-keys.ts';

export interface FormViewProps extends Omit<FormKeysOptions, 'isFocused'> {
  /** The problem of a row, by its id; under `''` that of the whole. */
  readonly problems: ReadonlyMap<string, string>;
  readonly columns: number;
  readonly rows: number;
  /** @default true */
  readonly isFocused?: boolean;
  /** Whether what is missing is told as wrong: somebody has tried to send the form. @default true */
  readonly isTried?: boolean;
  /** Shown where there is no field. */
  readonly empty?: string;
}

/** A form of a line a field. Keys go to the selected one. */
export function FormView(props: FormViewProps) {
  const { state, formRows, onState, problems, columns, rows, isFocused = true, isTried = true, empty = '' } = props;
  const { takesNull = true, onComplete } = props;
  const focused = findFocused(formRows, state);
  useFormKeys({ state, formRows, onState, isFocused, takesNull, onComplete }, focused);
  if (formRows.length === 0) {
    return (
      <Box width={columns} height={rows}>
        <LineView line={[{ text: `  ${empty}`, token: 'muted' }]} />
      </Box>
    );
  }
  const whole = problems.has('') ? `${signs.cross} ${problems.get('')}` : undefined;
  const isLong = formRows.length > rows;
  const width = columns - (isLong ? SCROLL_COLUMNS : 0);
  const labelWidth = Math.min(24, Math.max(0, ...formRows.map(({ label, depth }) => textWidth(label) + depth * 2))) + 4;
  const placeholderWidth = Math.max(0, ...formRows.map(({ field }) => textWidth(field.placeholder ?? '')));
  const toParts = (row: FormRow): FormParts =>
    toFormParts(row, {
      problem: problems.get(row.id),
      columns: width - labelWidth,
      minWidth: Math.max(16, Math.min(placeholderWidth + 2, Math.floor((width - labelWidth) / 2))),
      isFocused: row === focused,
      isTried,
    });
  const said = toExplanation(isFocused && focused && toParts(focused), { whole, columns: columns - 2 });
  const explanation = rows > 2 ? said : [];
  const room = Math.max(1, rows - explanation.length - (isLong && rows > 3 ? 1 : 0));
  // The focused one is in the middle, where there are more above and below.
  const at = focused ? formRows.indexOf(focused) : 0;
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), formRows.length - room));
  const below = formRows.slice(first + room);
  return (
    <Box flexDirection="column" width={columns} height={rows} overflowY="hidden">
      <Box height={room} width={columns}>
        <Box flexDirection="column" width={width} height={room} overflowY="hidden">
          {formRows.slice(first, first + room).map((row) => (
            <FormLine
              key={row.id}
              row={row}
              parts={toParts(row)}
              columns={width}
              labelWidth={labelWidth}
              isFocused={isFocused && row === focused}
            />
          ))}
        </Box>
        {isLong && <ScrollMarks total={formRows.length} rows={room} offset={first} />}
      </Box>
      {isLong && rows > 3 && <LineView line={fitLine(toBelowLine(below, signs.down), columns)} />}
      {explanation.map((line, row) => (
        <LineView key={row} line={fitLine([{ text: '  ' }, ...line], columns)} />
      ))}
    </Box>
  );
}

function toBelowLine(below: readonly FormRow[], down: string): Line {
  if (below.length === 0) return [{ text: '' }];
  const missing = below.filter((row) => row.isEditable && row.field.isRequired && isUnset(row));
  const required = missing.length === 0 ? '' : `, ${missing.length} required`;
  return [{ text: `  ${down} ${below.length} more${required}`, token: 'muted' }];
}

function ScrollMarks(place: ScrollPlace) {
  return (
    <Box flexDirection="column">
      {toScrollMarks(place).map((end, row) => (
        <LineView key={row} line={[]} end={end} />
      ))}
    </Box>
  );
}

/** The lines about the selected field, where they do not fit beside it, else about the whole: at most two. */
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

export interface FormLineProps {
  readonly row: FormRow;
  readonly parts: FormParts;
  readonly columns: number;
  readonly labelWidth: number;
  readonly isFocused: boolean;
}

/** A field: its name, its value, and what is said of it. */
export function FormLine({ row, parts, columns, labelWidth, isFocused }: FormLineProps) {
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
  const mask = field.kind.kind === 'text' || field.kind.kind === 'number' ? field.kind.mask : undefined;
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
          <LineView line={fitLine([isFocused ? { ...value, token: 'accent' } : value], valueWidth)} />
        )}
      </Box>
      {sideWidth > 0 && <LineView line={fitLine([side], sideWidth)} />}
    </Box>
  );
}
