import { readThrown } from '../../server-runtime/errors/failure.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import type { IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { Preview } from './request-record.ts';

/** The text in place of a secret. */
export const MASK = '•••';

const MAX_TEXT_LENGTH = 500;
const MAX_NAME_LENGTH = 200;
const MAX_ITEMS = 50;
const MAX_DEPTH = 6;
const MAX_VALUES = 1_000;

/**
 * Plain JSON that shows any value: cut where it is long, deep or wide, with a mask in place of what `isSecret` says of
 * the names of fields.
 */
export function toPreview(value: unknown, isSecret: IsSecret = looksSecret): Preview {
  return preview(value, { left: MAX_VALUES, isSecret }, []);
}

/** Whether a text of a preview stands for a value that is not in it: a secret, or what was too long, deep or wide. */
export function isCutPreview(value: unknown): boolean {
  return typeof value === 'string' && cutTexts.test(value);
}

const cutTexts = new RegExp(
  `^${MASK}$|^<.+>$|^… \\d+ more$|… \\(\\d+ characters\\)$|^-?\\d+n$|^(?:NaN|-?Infinity)$`,
  's',
);

interface Budget {
  left: number;
  readonly isSecret: IsSecret;
}

function preview(value: unknown, budget: Budget, above: readonly object[]): Preview {
  budget.left -= 1;
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH)
    return `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length} characters)`;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return `<function${value.name === '' ? '' : ` ${value.name}`}>`;
  if (typeof value !== 'object' || value === null) return value as Preview;
  try {
    return previewObject(value, budget, above);
  } catch (error) {
    const { name, message } = readThrown(error);
    return `<not readable: ${name}: ${message}>`;
  }
}

function previewObject(value: object, budget: Budget, above: readonly object[]): Preview {
  const words = toObjectWords(value);
  if (words !== undefined) return words;
  if (above.includes(value)) return '<circular>';
  const isTooDeep = above.length >= MAX_DEPTH || budget.left <= 0;
  if (Array.isArray(value))
    return isTooDeep ? '<array>' : previewList(value, budget, [...above, value]);
  return isTooDeep ? `<${toClassName(value)}>` : previewFields(value, budget, above);
}

/** The text for an object that is looked at as one value; undefined for one that is looked into. */
function toObjectWords(value: object): string | undefined {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? '<invalid date>' : value.toISOString();
  if (value instanceof Error) return `<${value.name}: ${value.message}>`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `<${value.byteLength} bytes>`;
  const isCollection = value instanceof Map || value instanceof Set;
  return isCollection ? `<${toClassName(value)} of ${value.size}>` : undefined;
}

function previewList(list: readonly unknown[], budget: Budget, above: readonly object[]): Preview {
  // The budget shrinks with each item, and says at the start how many there may be.
  const shown = list.slice(0, Math.min(MAX_ITEMS, budget.left));
  const left = list.length - shown.length;
  const items = Array.from(shown, (item) => preview(item, budget, above) ?? null);
  return [...items, ...(left > 0 ? [`… ${left} more`] : [])];
}

function previewFields(value: object, budget: Budget, above: readonly object[]): Preview {
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (names.length === 0 && !isPlain) return `<${toClassName(value)}>`;
  const shown = names.slice(0, Math.min(MAX_ITEMS, budget.left)).map((name): [string, Preview] => {
    const field = fields[name];
    const isSecret = budget.isSecret(name) && field !== undefined && field !== null;
    const shownName = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
    return [shownName, isSecret ? MASK : preview(field, budget, [...above, value])];
  });
  const left = names.length - shown.length;
  return Object.fromEntries([...shown, ...(left > 0 ? [['…', `${left} more`] as const] : [])]);
}

function toClassName(value: object): string {
  return (value.constructor as { readonly name?: string } | undefined)?.name || 'object';
}
