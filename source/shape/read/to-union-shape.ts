import { isSameJson } from '../accepts.ts';
import { toPlainUnion } from '../merge/to-plain-union.ts';
import type { Shape, TaggedUnionShape } from '../shape.ts';
import { findTarget } from './find-target.ts';
import { isSchemaObject, type SchemaJson } from './schema-json.ts';

export interface ReadUnion {
  readonly read: (json: unknown) => Shape;
  /** The document that references point into. */
  readonly root: unknown;
  readonly isExclusive: boolean;
  /** OpenAPI's word for the tag: `{"propertyName": "kind"}`. */
  readonly discriminator: unknown;
}

/** Any of the branches of `anyOf` or `oneOf`; `null` stands beside objects that are told apart by a tag. */
export function toUnionShape(branches: readonly unknown[], reading: ReadUnion): Shape {
  const { read, isExclusive } = reading;
  const variants = branches.map(read);
  const values = branches.filter((_, index) => variants[index]?.kind !== 'null');
  const tagged = toTaggedUnion(values, reading);
  if (tagged === undefined) return toPlainUnion(variants, isExclusive);
  return toPlainUnion([tagged, ...variants.filter(({ kind }) => kind === 'null')], isExclusive);
}

function toTaggedUnion(
  nested: readonly unknown[],
  { read, root, discriminator }: ReadUnion,
): TaggedUnionShape | undefined {
  const branches = nested.flatMap(toBranches);
  const [first, ...others] = branches.map((branch) => findTags(branch, root));
  if (first === undefined || others.length === 0) return undefined;
  const said = isSchemaObject(discriminator) ? discriminator['propertyName'] : undefined;
  const names = [...first.keys()].toSorted((a, b) => Number(b === said) - Number(a === said));
  const tag = names.find((name) => areApart([first, ...others].map((tags) => tags.get(name))));
  if (tag === undefined) return undefined;
  return {
    kind: 'tagged union',
    tag,
    variants: branches.map((branch) => ({ values: findTags(branch, root).get(tag) ?? [], shape: read(branch) })),
  };
}

/** Branches of a branch that is nothing else are branches. */
function toBranches(json: unknown): readonly unknown[] {
  if (!isSchemaObject(json) || Object.keys(json).length !== 1) return [json];
  const branches = json['anyOf'] ?? json['oneOf'];
  return Array.isArray(branches) ? branches.flatMap(toBranches) : [json];
}

/** Whether each has literals, none of them two times. */
function areApart(values: readonly (readonly unknown[] | undefined)[]): boolean {
  const all = values.flatMap((each) => each ?? []);
  return (
    values.every((each) => each !== undefined) &&
    all.every((value, index) => all.findIndex((other) => isSameJson(other, value)) === index)
  );
}

/** The literals of the required fields of an object, by name; none where it may be no object. References are followed, which shapes are not yet able to. */
function findTags(json: unknown, root: unknown): ReadonlyMap<string, readonly unknown[]> {
  const schemas = findConjuncts(json, root);
  const required = new Set(schemas.flatMap((schema) => (Array.isArray(schema['required']) ? schema['required'] : [])));
  const isObject = schemas.some(({ type }) => type === 'object');
  const fields = schemas.flatMap(({ properties }) => (isSchemaObject(properties) ? Object.entries(properties) : []));
  return new Map(
    fields.flatMap(([name, field]) => {
      const values = isObject && required.has(name) ? findValues(field, root) : undefined;
      return values === undefined ? [] : [[name, values] as const];
    }),
  );
}

function findValues(json: unknown, root: unknown): readonly unknown[] | undefined {
  const schema = findConjuncts(json, root).find((each) => 'const' in each || Array.isArray(each['enum']));
  if (schema === undefined) return undefined;
  return 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[]);
}

/** A schema and those that hold beside it, by reference or as its parts. */
function findConjuncts(json: unknown, root: unknown, seen = new Set<unknown>()): readonly SchemaJson[] {
  if (!isSchemaObject(json) || seen.has(json)) return [];
  seen.add(json);
  const { $ref, allOf } = json;
  return [
    json,
    ...(typeof $ref === 'string' ? findConjuncts(findTarget($ref, root), root, seen) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => findConjuncts(part, root, seen)) : []),
  ];
}
