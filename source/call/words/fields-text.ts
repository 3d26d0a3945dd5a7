import type { FormField } from '../../shape/form-field.ts';
import { toFieldFlags } from '../../shape/to-field-flags.ts';
import { stripControl } from '../../terminal/control/strip-control.ts';

/** The fields of an input as the help of a command has its options. */
export function toFieldsText(key: string, field: FormField): string {
  const rows = toFieldFlags(field).map(({ flag, field: { type, kind, note, default: value }, isRequired }) => {
    const shown = kind.kind === 'toggle' ? flag : `${flag} <${type}>`;
    const told = [isRequired && 'required', note, value !== undefined && `default: ${value}`].filter(Boolean);
    return { shown, told: told.join('; ') };
  });
  if (rows.length === 0) return `\n${key} takes no fields.\n`;
  const width = Math.min(MAX_WIDTH, Math.max(...rows.map(({ shown }) => shown.length)));
  const lines = rows.map(({ shown, told }) => `  ${shown.padEnd(width)}  ${told}`.trimEnd());
  return stripControl(`\nFields of ${key}:\n${lines.join('\n')}\n`);
}

/** The widest that the column of flags gets, characters. */
const MAX_WIDTH = 40;
