import { type FieldPlan, findFieldPlans, type InputPlan, toFieldValue } from './input-plan.ts';
import { isUnsafeKey, MAX_INPUT_DEPTH } from './safe-input.ts';

/** The sent values by name: texts of a query or form, and files. A name that was sent several times has an array. */
export type SentFields = Readonly<Record<string, unknown>>;
/** The fields of one input. */
export type InputFields = Record<string, unknown>;

/** The values that came under one name, and the parts that came under names with brackets: `filter[state]`, `lines[0][sku]`. */
interface Part {
  readonly values: unknown[];
  readonly parts: Map<string, Part>;
}

/**
 * The input for what was sent, coerced by the plan. `tags[]` is `tags`, and counts after it; `filter[name]` is a part of `filter` where
 * that is an object or a list; a name that is sent twice is an array where the field is an array, otherwise the last one wins; unsafe names
 * are dropped.
 */
export function toInputFields(sent: SentFields, plan: InputPlan): InputFields {
  const root = toPart();
  const plans = findFieldPlans(plan, (name) => sent[name]);
  for (const key of Object.keys(sent)) {
    let part = root;
    for (const name of plans.has(key) ? [key] : toPath(key, (name) => plans.get(name) ?? plan.rest))
      part = addPart(part, name);
    const value = sent[key];
    if (Array.isArray(value)) for (const one of value) part.values.push(one);
    else part.values.push(value);
  }
  return toRecord(root, (name, part) => toPartValue(plans.get(name) ?? plan.rest, part));
}

/** Path parameters win over everything else of their name. A request without any needs no plan. */
export function addParams(input: InputFields, params: Readonly<Record<string, string>>, plan: () => InputPlan): void {
  const names = Object.keys(params);
  if (names.length === 0) return;
  const plans = findFieldPlans(plan(), (name) => params[name] ?? input[name]);
  for (const name of names) input[name] = toFieldValue(plans.get(name), [params[name]]);
}

function toPath(key: string, planOf: (name: string) => FieldPlan | undefined): readonly string[] {
  const opening = key.indexOf('[');
  if (opening === -1 || !key.endsWith(']')) return [key];
  const name = key.slice(0, opening);
  // Deeper than JSON may be, a text stands where an object should, and is refused for that.
  if (planOf(name)?.takesParts === true)
    return [
      name,
      ...key
        .slice(opening + 1, -1)
        .split('][')
        .slice(0, MAX_INPUT_DEPTH),
    ];
  return key.endsWith('[]') && key.length > 2 ? [key.slice(0, -2), ''] : [key];
}

function toPartValue(field: FieldPlan | undefined, part: Part): unknown {
  const { values, parts } = part;
  if (parts.size === 0) return toFieldValue(field, values);
  const names = [...parts.keys()];
  if (field?.takesParts !== true && names.length === 1 && names[0] === '')
    return toFieldValue(
      field,
      toItems(part).flatMap((item) => item.values),
    );
  if (field !== undefined && field.list !== 'never' && names.every(isPosition))
    return toItems(part).map((item, index) => toPartValue(field.itemAt(index), item));
  const plan = field?.findObject();
  if (plan === undefined) return toRaw(part);
  const plans = findFieldPlans(plan, (name) => parts.get(name)?.values.at(-1));
  return toRecord(part, (name, inside) => toPartValue(plans.get(name) ?? plan.rest, inside));
}

/** First those that came under the name itself, then those with a position in their order, whatever numbers were left out, then those of `[]`. */
function toItems({ values, parts }: Part): readonly Part[] {
  const placed = [...parts].filter(([name]) => name !== '').sort(([one], [other]) => Number(one) - Number(other));
  const unplaced = parts.get('') ?? toPart();
  const toSingle = (value: unknown): Part => toPart([value]);
  const rest = unplaced.parts.size > 0 ? [unplaced] : unplaced.values.map(toSingle);
  return [...values.map(toSingle), ...placed.map(([, part]) => part), ...rest];
}

/** `0`, `12`, and nothing, which stands for the next one. */
function isPosition(name: string): boolean {
  return /^\d{0,9}$/.test(name);
}

function toRaw(part: Part): unknown {
  if (part.parts.size > 0) return toRecord(part, (_name, inside) => toRaw(inside));
  return part.values.length > 1 ? part.values : part.values[0];
}

function toRecord({ parts }: Part, toValue: (name: string, part: Part) => unknown): InputFields {
  const record: InputFields = {};
  for (const [name, part] of parts) if (!isUnsafeKey(name)) record[name] = toValue(name, part);
  return record;
}

function addPart({ parts }: Part, name: string): Part {
  const part = parts.get(name) ?? toPart();
  parts.set(name, part);
  return part;
}

function toPart(values: unknown[] = []): Part {
  return { values, parts: new Map() };
}
