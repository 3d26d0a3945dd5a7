import { type FieldPlan, findFieldPlans, type InputPlan, toFieldValue } from './input-plan.ts';
import { isUnsafeKey } from './is-unsafe-key.ts';
import { createPartsReader, type PartsReader } from './plan/parts-reader.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/**
 * The input for what was sent, coerced by the plan. `tags[]` is `tags`, and counts after it; `filter[name]` is a part of `filter` where
 * that is an object or a list; a name that is sent twice is an array where the field is an array, otherwise the last one wins; unsafe names
 * are dropped.
 */
export function toInputFields(sent: SentFields, plan: InputPlan): InputFields {
  const input: InputFields = {};
  const plans = findFieldPlans(plan, (name) => sent[name]);
  let bracketed: string[] | undefined;
  for (const key of Object.keys(sent)) {
    if (isUnsafeKey(key)) continue;
    if (isBracketed(key) && !plans.has(key)) (bracketed ??= []).push(key);
    else input[key] = toFieldValue(plans.get(key) ?? plan.rest, toList(sent[key]));
  }
  if (bracketed !== undefined) addBracketed(input, bracketed, { sent, planOf: (name) => plans.get(name) ?? plan.rest });
  return input;
}

/** Path parameters win over everything else of their name. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: InputPlan): void {
  const plans = plan.variants.length === 0 ? plan.fields : findFieldPlans(plan, (name) => params[name] ?? input[name]);
  for (const name in params) input[name] = toFieldValue(plans.get(name), [params[name]]);
}

function addBracketed(
  input: InputFields,
  keys: readonly string[],
  { sent, planOf }: { readonly sent: SentFields; readonly planOf: (name: string) => FieldPlan | undefined },
): void {
  const readers = new Map<string, PartsReader>();
  for (const key of keys) {
    const { name, path } = toPlace(key, planOf);
    if (isUnsafeKey(name)) continue;
    const field = planOf(name);
    if (path === undefined) {
      input[key] = toFieldValue(field, toList(sent[key]));
      continue;
    }
    const reader = readers.get(name) ?? createPartsReader(field, name in sent ? toList(sent[name]) : []);
    readers.set(name, reader);
    reader.add(path, toList(sent[key]));
  }
  for (const [name, reader] of readers) input[name] = reader.read();
}

interface Place {
  readonly name: string;
  /** The names in the brackets; undefined where the key as it is names a field. */
  readonly path: readonly string[] | undefined;
}

function toPlace(key: string, planOf: (name: string) => FieldPlan | undefined): Place {
  const opening = key.indexOf('[');
  const name = key.slice(0, opening);
  const isList = key.endsWith('[]');
  if (planOf(name)?.takesParts === true) return { name, path: key.slice(opening + 1, -1).split('][') };
  return isList ? { name: key.slice(0, -2), path: [''] } : { name: key, path: undefined };
}

/** `tags[]`, `filter[name]`, `lines[0][sku]`. */
function isBracketed(key: string): boolean {
  return key.charCodeAt(key.length - 1) === CLOSING && key.length > 2 && key.includes('[');
}

const CLOSING = 93;

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
