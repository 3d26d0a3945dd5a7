import type { FormField } from '../../shape/form-field.ts';
import type { Line } from '../line/line.ts';
import { textWidth } from '../text/text-width.ts';
import type { Symbols } from '../theme/tokens.ts';
import { findPicked } from './edit-row.ts';
import { findChoices } from './form-node.ts';
import type { FormRow } from './form-rows.ts';

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
  readonly symbols: Symbols;
}

/** Columns that a long text leaves to what is said of it. */
const MIN_SIDE = 14;

export function toFormParts(row: FormRow, options: FormPartsOptions): FormParts {
  const { columns, minWidth, isFocused, symbols } = options;
  const { node, field } = row;
  const value = toShownValue(row);
  const isTyped = node.kind === 'text' || node.kind === 'json';
  const wanted = isFocused && isTyped ? Math.min(textWidth(node.text) + 3, columns - MIN_SIDE) : 0;
  const valueWidth = Math.min(columns, Math.max(minWidth, Math.floor(columns * 0.42), wanted));
  return {
    value,
    placeholder: field.default ?? field.placeholder ?? symbols.dot,
    valueWidth,
    side: toSide(row, options),
    sideWidth: columns - valueWidth,
  };
}

function toSide({ node, field }: FormRow, { problem: said, isTried, symbols }: FormPartsOptions): Line[number] {
  // The schema has not seen the first letters yet.
  const found = said === REQUIRED && node.kind === 'text' && node.text !== '' ? undefined : said;
  const problem = found !== undefined && node.kind === 'unset' && isOneValue(field) ? REQUIRED : found;
  const isMissing = problem === REQUIRED && node.kind === 'unset' && !isTried;
  if (problem !== undefined && !isMissing) return { text: `${symbols.cross} ${problem}`, token: 'danger' };
  const kind = node.kind === 'json' ? `as JSON: ${field.type}` : field.type;
  return { text: [isMissing ? `${REQUIRED}: ${kind}` : kind, field.note].filter(Boolean).join(', '), token: 'muted' };
}

/** The text for a field that is missing. */
const REQUIRED = 'required';

/** Whether nothing but its absence can be wrong where it is not set: an enum and a union say what they expect, as if something else were there. */
function isOneValue({ kind: { kind }, isRequired }: FormField): boolean {
  return isRequired && kind !== 'list' && kind !== 'tuple' && kind !== 'group';
}

/** The words of a row that does not hold text; undefined for one that is typed. */
function toShownValue(row: FormRow): Line[number] | undefined {
  const { node, role, field } = row;
  if (node.kind === 'null') return { text: 'null', token: 'keyword' };
  if (role === 'typed') {
    // An empty text and none at all look alike else.
    return node.kind === 'text' && node.text === '' ? { text: '""', token: 'string' } : undefined;
  }
  if (role === 'picked') {
    const picked = findChoices(field)?.[findPicked(row) ?? -1];
    if (picked === undefined) return { text: `< ${field.default ?? 'not set'} >`, token: 'muted' };
    return {
      text: `< ${field.kind.kind === 'union' && typeof picked === 'string' ? picked : JSON.stringify(picked)} >`,
    };
  }
  if (node.kind === 'unset') return { text: field.default ?? 'not set', token: 'muted' };
  const count = node.kind === 'list' ? node.items.length : node.kind === 'object' ? node.extras.length : 0;
  if (role === 'items') return { text: `[${count === 1 ? '1 item' : `${count} items`}]` };
  return { text: node.kind === 'object' && node.isExplicit && !field.isRequired ? '{ }' : '' };
}
