import { Box } from 'ink';
import { TextView } from '../field/text-field.tsx';
import { fitLine, type Line } from '../line/line.ts';
import { LineView } from '../line/line-view.tsx';
import { cutText, textWidth } from '../text/text-width.ts';
import { signs } from '../theme/tokens.ts';
import { toTextState } from './edit-form.ts';
import type { FormRow } from './form-rows.ts';
import type { FormParts } from './to-form-parts.ts';

export interface FormLineProps {
  readonly row: FormRow;
  readonly parts: FormParts;
  /** Rows. */
  readonly height: number;
  readonly columns: number;
  readonly labelWidth: number;
  readonly isFocused: boolean;
}

/** A field: its name, its value, and what is said of it. */
export function FormLine({ row, parts, height, columns, labelWidth, isFocused }: FormLineProps) {
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
    <Box height={height} width={columns}>
      <Box width={labelWidth} flexShrink={0}>
        <LineView line={fitLine(name, labelWidth)} />
      </Box>
      <Box width={valueWidth} flexShrink={0}>
        {value === undefined ? (
          <TextView
            {...toTextState(row)}
            columns={valueWidth - 1}
            rows={height}
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
