import { readThrown } from '../../server-runtime/errors/failure.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import type { Preview } from './request-record.ts';

/** The text in place of a secret. */
export const MASK = '•••';

const MAX_TEXT_LENGTH = 500;
const MAX_ITEMS = 50;
const MAX_DEPTH = 6;
/** Values that a preview holds in all. */
const MAX_VALUES = 1_000;

/**
 * Plain JSON that shows any value: cut where it is long, deep or wide, with a mask in place of what has the name of a
 * secret. Reads no more than it shows and never throws.
 */
export function toPreview(value: unknown): Preview {
  return preview(value, { left: MAX_VALUES, above: [] });
}

interface Budget {
  left: number;
  readonly above: readonly object[];
}

function preview(value: unknown, budget: Budget): Preview {
  budget.left -= 1;
  switch (typeof value) {
    case 'string':
      return value.length > MAX_TEXT_LENGTH
        ? `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length} characters)`
        : value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
    case 'undefined':
      return value;
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return String(value);
    case 'function':
      return `<function${value.name === '' ? '' : ` ${value.name}`}>`;
    case 'object':
      return value === null ? null : previewObject(value, budget);
  }
}

function previewObject(value: object, budget: Budget): Preview {
  try {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '<invalid date>' : value.toISOString();
    if (value instanceof Error) return `<${value.name}: ${value.message}>`;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `<${value.byteLength} bytes>`;
    if (budget.above.includes(value)) return '<circular>';
    if (budget.above.length >= MAX_DEPTH || budget.left <= 0)
      return Array.isArray(value) ? '<array>' : `<${toClassName(value)}>`;
    const inside = { left: budget.left, above: [...budget.above, value] };
    const shown = Array.isArray(value) ? previewArray(value, inside) : previewFields(value, inside);
    budget.left = inside.left;
    return shown;
  } catch (error) {
    const { name, message } = readThrown(error);
    return `<not readable: ${name}: ${message}>`;
  }
}

function previewArray(values: readonly unknown[], budget: Budget): Preview {
  const shown = values.slice(0, Math.min(MAX_ITEMS, budget.left)).map((value) => preview(value, budget) ?? null);
  return values.length > shown.length ? [...shown, `… ${values.length - shown.length} more`] : shown;
}

function previewFields(value: object, budget: Budget): Preview {
  if (value instanceof Map || value instanceof Set) return `<${toClassName(value)} of ${value.size}>`;
  const names = Object.keys(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  if (names.length === 0 && !isPlain) return `<${toClassName(value)}>`;
  const shown: Record<string, Preview> = {};
  for (const name of names.slice(0, Math.min(MAX_ITEMS, budget.left))) {
    const field: unknown = (value as Record<string, unknown>)[name];
    shown[name] = looksSecret(name) && field !== undefined && field !== null ? MASK : preview(field, budget);
  }
  const left = names.length - Object.keys(shown).length;
  if (left > 0) shown['…'] = `${left} more`;
  return shown;
}

function toClassName(value: object): string {
  return (value.constructor as { readonly name?: string } | undefined)?.name || 'object';
}
