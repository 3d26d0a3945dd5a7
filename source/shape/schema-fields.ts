import { resolveShape, withoutNull } from './resolve-shape.ts';
import type { Shape, ShapeField } from './shape.ts';
import { toConstraints } from './to-constraints.ts';
import { toTypeText } from './type-text.ts';

/** A field of an object schema as a reader wants it. */
export interface SchemaField {
  readonly name: string;
  /** As `toTypeText` gives it. */
  readonly type: string;
  readonly required: boolean;
  /** As JSON: `"draft"`, `20`; missing without a default. */
  readonly default?: string | undefined;
  /** `1 to 20 characters`, `at least 0`, `matches /^a/`. */
  readonly constraints: readonly string[];
  readonly description?: string | undefined;
  /** The fields of an object, or of the objects in an array. */
  readonly fields: readonly SchemaField[];
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_INTERSECTIONS = 4;

/** The fields of an object in order, those of an intersection together; else none. `above`: what it is in. */
export function toSchemaFields(shape: Shape, above: readonly Shape[] = []): readonly SchemaField[] {
  if (above.includes(shape) || above.filter(({ kind }) => kind === 'intersection').length > MAX_INTERSECTIONS)
    return [];
  const within = [...above, shape];
  switch (shape.kind) {
    case 'object':
      return shape.isRecord ? [] : shape.fields.map((field) => toSchemaField(field, within));
    case 'list':
      return shape.first.length > 0 ? [] : toSchemaFields(shape.rest(), within);
    case 'reference':
      return toSchemaFields(shape.target(), within);
    case 'intersection': {
      const whole = resolveShape(shape);
      return whole === shape
        ? shape.parts.flatMap((part) => toSchemaFields(part, within))
        : toSchemaFields(whole, within);
    }
    case 'unclear':
      return toSchemaFields(shape.base, within);
    case 'union': {
      // A union of objects has none, since its fields are those of no one value.
      const only = withoutNull(shape);
      return only === shape ? [] : toSchemaFields(only, within);
    }
    case 'literal':
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return [];
  }
}

function toSchemaField({ name, isRequired, shape }: ShapeField, above: readonly Shape[]): SchemaField {
  const value = shape();
  return {
    name,
    type: toTypeText(value),
    required: isRequired,
    default: toDefaultText(value),
    constraints: toConstraints(value),
    description: value.description,
    fields: toSchemaFields(value, above),
  };
}

/** As JSON; undefined without a default. */
export function toDefaultText(shape: Shape): string | undefined {
  return shape.default === undefined ? undefined : JSON.stringify(shape.default);
}
