import { type FieldPlan, findFieldPlans, type InputPlan, toFieldValue, toValue } from '../input-plan.ts';
import { MAX_INPUT_DEPTH } from '../is-too-deep.ts';
import { isUnsafeKey } from '../is-unsafe-key.ts';

/** Gathers the parts of one field that come under names of their own, `filter[state]` and `lines[0][sku]`, and makes its value of them. */
export interface PartsReader {
  /** `path` is what stands in the brackets. */
  readonly add: (path: readonly string[], values: readonly unknown[]) => void;
  readonly read: () => unknown;
}

interface Part {
  readonly values: unknown[];
  readonly parts: Map<string, Part>;
}

/** `bare` are the values that came under the name of the field itself; beside parts of an object they do not count. */
export function createPartsReader(field: FieldPlan | undefined, bare: readonly unknown[]): PartsReader {
  const root: Part = { values: [...bare], parts: new Map() };
  return {
    add: (path, values) => {
      let part = root;
      // Deeper than JSON may be, a text stands where an object should, and is refused for that.
      for (const name of path.slice(0, MAX_INPUT_DEPTH)) {
        const inside = part.parts.get(name) ?? { values: [], parts: new Map<string, Part>() };
        part.parts.set(name, inside);
        part = inside;
      }
      for (const value of values) part.values.push(value);
    },
    read: () => toPartValue(field, root),
  };
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
    return toItems(part).map((item, index) => toItemValue(field.itemAt(index), item));
  const object = field?.findObject();
  return object === undefined ? toRaw(part) : toObject(object, parts);
}

/** First those that came under the name itself, then those with a position in their order, whatever numbers were left out, then those of `[]`. */
function toItems({ values, parts }: Part): readonly Part[] {
  const placed = [...parts].filter(([name]) => name !== '').sort(([one], [other]) => Number(one) - Number(other));
  const unplaced = parts.get('') ?? { values: [], parts: noParts };
  const rest = unplaced.parts.size > 0 ? [unplaced] : unplaced.values.map(toPart);
  return [...values.map(toPart), ...placed.map(([, part]) => part), ...rest];
}

const noParts: Part['parts'] = new Map();

function toPart(value: unknown): Part {
  return { values: [value], parts: noParts };
}

function toItemValue(item: FieldPlan, part: Part): unknown {
  return part.parts.size === 0 && part.values.length === 1 && item.list !== 'always'
    ? toValue(item, part.values[0])
    : toPartValue(item, part);
}

function toObject(plan: InputPlan, parts: Part['parts']): Record<string, unknown> {
  const plans = findFieldPlans(plan, (name) => parts.get(name)?.values.at(-1));
  return toRecord(parts, (name, part) => toPartValue(plans.get(name) ?? plan.rest, part));
}

function toRaw({ values, parts }: Part): unknown {
  if (parts.size === 0) return values.length > 1 ? values : values[0];
  return toRecord(parts, (_name, part) => toRaw(part));
}

function toRecord(parts: Part['parts'], toValue: (name: string, part: Part) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    [...parts].flatMap(([name, part]) => (isUnsafeKey(name) ? [] : [[name, toValue(name, part)]])),
  );
}

/** `0`, `12`, and nothing, which stands for the next one. */
function isPosition(name: string): boolean {
  return /^\d{0,9}$/.test(name);
}
