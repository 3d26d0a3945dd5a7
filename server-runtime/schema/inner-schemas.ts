import type { Schema, SchemaDefinition } from './schema.ts';

/** All that is read of a definition where a schema is looked into to its end. */
export interface DeepDefinition extends SchemaDefinition {
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  /** A codec is a pipe with functions. */
  readonly transform?: unknown;
  readonly items?: readonly Schema[];
  readonly rest?: Schema | null;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
}

/** The schemas directly inside one. */
export function toInnerSchemas(definition: DeepDefinition): readonly Schema[] {
  const { innerType, in: from, out, left, right, element, rest, keyType, valueType, catchall } = definition;
  const { shape = {}, options = [], items = [], getter } = definition;
  const single = [innerType, from, out, left, right, element, rest, keyType, valueType, catchall, getter?.()];
  return [
    ...single.filter((inner) => inner !== undefined && inner !== null),
    ...Object.values(shape),
    ...options,
    ...items,
  ];
}
