import { type CoercionPlan, coerceTexts } from './coercion.ts';
import { isUnsafeKey } from './unsafe-keys.ts';

/** Texts by the name under which they were sent; a name that was sent several times has an array. */
export type TextFields = Readonly<Record<string, string | readonly string[]>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/**
 * Puts texts (of a query string or a form) into `input`, coerced by the plan. `tags[]` is `tags`; a name that is sent
 * twice is an array where the field is an array, otherwise the last one wins; unsafe names are dropped.
 */
export function addTexts(input: InputFields, texts: TextFields, plan: CoercionPlan): void {
  for (const sent of Object.keys(texts)) {
    const name = toFieldName(sent, plan);
    if (isUnsafeKey(name)) continue;
    const value = texts[sent] ?? '';
    const other = name === sent ? undefined : texts[name];
    const all = other === undefined ? toList(value) : [...toList(other), ...toList(value)];
    if (name !== sent || !Object.hasOwn(input, name)) input[name] = coerceTexts(plan.get(name), all);
  }
}

/** Path parameters win over everything else of their name. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: CoercionPlan): void {
  for (const name of Object.keys(params)) {
    input[name] = coerceTexts(plan.get(name), [params[name] ?? '']);
  }
}

function toFieldName(sent: string, plan: CoercionPlan): string {
  return sent.endsWith('[]') && sent.length > 2 && !plan.has(sent) ? sent.slice(0, -2) : sent;
}

function toList(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
