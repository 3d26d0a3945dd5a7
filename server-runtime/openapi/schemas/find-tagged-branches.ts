import type { JsonSchema } from '../../schema/to-json-schema.ts';
import { type Definitions, TAG } from './schema-converter.ts';

/** A branch of a choice that a field tells apart. */
interface TaggedBranch {
  readonly branch: JsonSchema;
  /** The values of the field in it, at least one. */
  readonly values: readonly [string, ...string[]];
}

/** The branches of a choice that a discriminator can tell apart; none where one of them says no texts. */
export function findTaggedBranches(json: JsonSchema, definitions: Definitions): readonly TaggedBranch[] {
  const tag = json[TAG];
  if (typeof tag !== 'string') return [];
  const all = findBranches(json);
  const branches = all.flatMap((branch): readonly TaggedBranch[] => {
    const target = typeof branch['$ref'] === 'string' ? definitions.get(branch['$ref'])?.json : branch;
    const [first, ...others] = findValues(target, tag);
    return first === undefined ? [] : [{ branch, values: [first, ...others] }];
  });
  return branches.length === all.length ? branches : [];
}

/** The choice with a discriminator, where each branch is a component now; `marked` is the same with its marks. */
export function toDiscriminated(json: JsonSchema, marked: JsonSchema, definitions: Definitions): JsonSchema {
  const references = findBranches(json).map(({ $ref }) => $ref);
  const branches = findTaggedBranches(marked, definitions);
  if (branches.length === 0 || !references.every((each) => typeof each === 'string')) return json;
  const mapping = branches.flatMap(({ values }, index) => values.map((value) => [value, references[index]]));
  return { ...json, discriminator: { propertyName: marked[TAG], mapping: Object.fromEntries(mapping) } };
}

/** Older versions of zod write `anyOf`. */
function findBranches({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] {
  return (oneOf ?? anyOf ?? []) as readonly JsonSchema[];
}

/** The texts that a field of an object may be; none where it may be anything else. */
function findValues(json: JsonSchema | undefined, name: string): readonly string[] {
  const field = (json?.['properties'] as Readonly<Record<string, JsonSchema>> | undefined)?.[name];
  const values = (field?.['enum'] ??
    (field !== undefined && 'const' in field ? [field['const']] : [])) as readonly unknown[];
  return values.every((value) => typeof value === 'string') ? values : [];
}
