import { type FormField } from '../../document/form-field.ts';
import type { Line } from '../line.ts';
import { textWidth } from '../text.ts';
import { signs } from '../theme.ts';
import { type FormRow, findChoices, findExtraNames } from './form-rows.ts';
import { isJsonObject } from './form-state.ts';

/** The text beside the name of a field. */
export interface FormParts {
  /** Missing where a text is typed. */
  readonly value: Line[number] | undefined;
  /** In place of a text where there is none. */
  readonly placeholder: string;
  readonly valueWidth: number;
  /** The problem of the value, else what it must be. */
  readonly side: Line[number];
  readonly sideWidth: number;
}

export interface FormPartsOptions {
  readonly problem: string | undefined;
  readonly columns: number;
  /** Columns that every value has. */
  readonly minWidth: number;
  /** It may take more for what is typed. */
  readonly isFocused: boolean;
  readonly isTried: boolean;
}

/** Columns that a long text leaves to what is said of it. */
const MIN_SIDE = 14;

export function toFormParts(row: FormRow, options: FormPartsOptions): FormParts {
  const { columns, minWidth, isFocused } = options;
  const { text, field } = row;
  const value = toShownValue(row);
  const wanted = isFocused && text !== undefined ? Math.min(textWidth(text) + 3, columns - MIN_SIDE) : 0;
  const valueWidth = Math.min(columns, Math.max(minWidth, Math.floor(columns * 0.42), wanted));
  return {
    value,
    placeholder: field.default ?? field.placeholder ?? signs.dot,
    valueWidth,
    side: toSide(row, options),
    sideWidth: columns - valueWidth,
  };
}

function toSide(row: FormRow, { problem: said, isTried }: FormPartsOptions): Line[number] {
  const { field, text, isJson } = row;
  // The schema has not seen the first letters yet.
  const found = said === REQUIRED && !isJson && text !== undefined && text !== '' ? undefined : said;
  const problem = found !== undefined && isUnset(row) && isOneValue(field) ? REQUIRED : found;
  const isMissing = problem === REQUIRED && isUnset(row) && !isTried;
  if (problem !== undefined && !isMissing) return { text: `${signs.cross} ${problem}`, token: 'danger' };
  const kind = isJson ? `as JSON: ${field.type}` : field.type;
  return { text: [isMissing ? `${REQUIRED}: ${kind}` : kind, field.note].filter(Boolean).join(', '), token: 'muted' };
}

/** Whether nothing is said of a field. */
export function isUnset({ value, text, picked }: FormRow): boolean {
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
  // An empty text and none at all look alike else.
  if (text !== undefined) return text === '' && value === '' ? { text: '""', token: 'string' } : undefined;
  if (value === null && picked === undefined) return { text: 'null', token: 'keyword' };
  if (role === 'typed') return undefined;
  if (role === 'picked') {
    const choice = picked === undefined ? undefined : findChoices(field)?.[picked];
    if (choice === undefined) return { text: `< ${field.default ?? 'not set'} >`, token: 'muted' };
    return {
      text: `< ${field.kind.kind === 'union' && typeof choice === 'string' ? choice : JSON.stringify(choice)} >`,
    };
  }
  if (value === undefined) return { text: field.default ?? 'not set', token: 'muted' };
  const count = Array.isArray(value) ? value.length : findExtraNames(field, value).length;
  if (role === 'items') return { text: `[${count === 1 ? '1 item' : `${count} items`}]` };
  const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
  return { text: isEmpty && !field.isRequired ? '{ }' : '' };
}
