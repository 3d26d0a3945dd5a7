import { type InputPlan, toFieldValue } from './input-plan.ts';
import { isUnsafeKey } from './is-unsafe-key.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/**
 * The input for what was sent, coerced by the plan. `tags[]` is `tags`, and counts after it; a name that is sent twice is
 * an array where the field is an array, otherwise the last one wins; unsafe names are dropped.
 */
export function toInputFields(sent: SentFields, plan: InputPlan): InputFields {
  const input: InputFields = {};
  let bracketed: string[] | undefined;
  for (const key of Object.keys(sent)) {
    if (isUnsafeKey(key)) continue;
    if (toFieldName(key, plan) === key) input[key] = toFieldValue(plan.get(key), toList(sent[key]));
    else (bracketed ??= []).push(key);
  }
  for (const key of bracketed ?? []) {
    const name = toFieldName(key, plan);
    const bare = sent[name];
    if (!isUnsafeKey(name))
      input[name] = toFieldValue(plan.get(name), [...(bare === undefined ? [] : toList(bare)), ...toList(sent[key])]);
  }
  return input;
}

/** Path parameters win over everything else of their name. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: InputPlan): void {
  for (const name of Object.keys(params)) {
    input[name] = toFieldValue(plan.get(name), [params[name]]);
  }
}

function toFieldName(key: string, plan: InputPlan): string {
  return key.endsWith('[]') && key.length > 2 && !plan.has(key) ? key.slice(0, -2) : key;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
