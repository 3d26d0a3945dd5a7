import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';

/** A schema of zod inside another one. */
export interface SchemaPart {
  readonly schema: Schema;
  /** Names from the outside in, `[]` for items and `*` for the values of a record: `order.lines[].at`. */
  readonly path: string;
  /** The schemas that it is inside of: one that contains itself ends there. */
  readonly above: readonly Schema[];
}

/** A schema that makes itself anew at every level is given up at this depth. */
const MAX_DEPTH = 50;

/** The parts of a schema in order. `inner`: the schema that it wraps, on the side that is looked at. */
export function toInnerParts({ schema, path, above }: SchemaPart, inner: Schema | undefined): readonly SchemaPart[] {
  if (above.includes(schema) || above.length > MAX_DEPTH) return [];
  const { shape = {}, element, items = [], rest, options = [], left, right, ...definition } = definitionOf(schema);
  const { valueType } = definition as { readonly valueType?: Schema };
  const parts: readonly (readonly [step: string, part: Schema | null | undefined])[] = [
    ...Object.entries(shape),
    ...[element, ...items, rest].map((part) => ['[]', part] as const),
    ['*', valueType],
    ...[left, right, ...options, inner].map((part) => ['', part] as const),
  ];
  return parts.flatMap(([step, part]) => {
    const isPlain = step === '' || step === '[]' || path === '';
    return part ? [{ schema: part, path: isPlain ? path + step : `${path}.${step}`, above: [...above, schema] }] : [];
  });
}
