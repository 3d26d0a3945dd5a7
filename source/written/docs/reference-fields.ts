import type { ApiSchema } from '../../document/branch.ts';
import { findOnlyBranch, findOnlyObject } from '../../document/read-branches.ts';

/** A field in a table of the page. */
export interface ReferenceField {
  /** `home.street`, `lines[].sku` */
  readonly name: string;
  readonly schema: ApiSchema;
  readonly isRequired: boolean;
  /** @default that of its schema */
  readonly description?: string | undefined;
}

/** The fields of an object, each followed by those inside it; those of a component stand under its name. */
export function toFields(schema: ApiSchema | undefined): readonly ReferenceField[] {
  return schema === undefined ? [] : toInnerFields(schema, { way: '', above: [] });
}

interface FieldPlace {
  /** `home.` */
  readonly way: string;
  /** The fields of the objects that it is in: one that holds itself has no name where its author gave none. */
  readonly above: readonly object[];
}

function toInnerFields(schema: ApiSchema, { way, above }: FieldPlace): readonly ReferenceField[] {
  const object = findOnlyObject(schema);
  if (object === undefined || object.isRecord || above.includes(object.fields)) return [];
  const within = [...above, object.fields];
  return [...object.fields].flatMap(([name, field]) => [
    { name: way + name, schema: field, isRequired: object.required.has(name) },
    ...toFieldsInside(field, { way: way + name, above: within }),
  ]);
}

/** Those of a field, or of the items of its lists. */
function toFieldsInside(schema: ApiSchema, { way, above }: FieldPlace): readonly ReferenceField[] {
  const only = findOnlyBranch(schema);
  if (only === undefined || only.name !== undefined) return [];
  if (only.type === 'object') return toInnerFields(schema, { way: `${way}.`, above });
  const isList = only.type === 'array' && only.first.length === 0;
  return isList && only.rest !== undefined
    ? toFieldsInside(only.rest, { way: `${way}[]`, above })
    : [];
}
