import type { FormField } from '../../document/form-field.ts';
import { isJsonObject, type TypedText } from './form-state.ts';
import { findNumberProblem, parseExactJson } from './parse-exact-json.ts';

/** The text that shows a value; undefined for one that is picked, or has rows of its own, and for none. */
export function toShownText({ kind }: FormField, value: unknown): TypedText | undefined {
  if (value === undefined || value === null) return undefined;
  const own = (text: string): TypedText => ({ text, isJson: false });
  switch (kind.kind) {
    case 'text':
      if (typeof value === 'string') return own(value);
      break;
    case 'file':
      if (typeof value === 'string' && value !== '' && value.trim() === value) return own(value);
      break;
    case 'number':
      if (typeof value === 'number') return own(String(value));
      break;
    case 'json':
      return own(JSON.stringify(value));
    case 'group':
      if (isJsonObject(value)) return undefined;
      break;
    case 'list':
      if (Array.isArray(value)) return undefined;
      break;
    case 'tuple':
      if (Array.isArray(value) && (kind.rest !== undefined || value.length <= kind.items().length)) return undefined;
      break;
    // What can be picked is not typed.
    case 'toggle':
    case 'picker':
    case 'union':
      break;
  }
  return { text: JSON.stringify(value), isJson: true };
}

/** The value that a text says, or itself and why it says none. */
export function readText(
  { kind }: FormField,
  { text, isJson }: TypedText,
): { readonly value: unknown; readonly problem?: string | undefined } {
  if (isJson || kind.kind === 'json') {
    const parsed = parseExactJson(text);
    return 'problem' in parsed ? { value: text, problem: parsed.problem } : parsed;
  }
  if (kind.kind !== 'number') return { value: kind.kind === 'file' ? text.trim() : text };
  const problem = findNumberProblem(text);
  return problem === undefined ? { value: Number(text) } : { value: text, problem };
}
