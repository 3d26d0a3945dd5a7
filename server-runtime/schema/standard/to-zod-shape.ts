import { z } from 'zod';
import type { JsonSchema } from '../to-json-schema.ts';

/**
 * A zod schema of the shape that a JSON Schema describes: its fields, items, kinds and choices, for all that looks into schemas. An object takes
 * the fields that it names, unless it says of others what they are; `z.fromJSONSchema` makes open objects of these, and throws for words
 * that it does not know.
 */
export function toZodShape(root: JsonSchema): z.ZodType {
  const refs = new Map<string, z.ZodType>();
  return toShape(root);

  function toShape(json: JsonSchema): z.ZodType {
    if (typeof json !== 'object') return z.any();
    const { $ref, anyOf, oneOf, allOf, enum: values, type } = json as Words;
    if ($ref !== undefined) return toReferred($ref);
    if (values !== undefined || 'const' in json) return z.literal((values ?? [json['const']]) as string[]);
    const choices = anyOf ?? oneOf;
    if (choices !== undefined) return z.union(choices.map(toShape));
    if (allOf !== undefined) return allOf.map(toShape).reduce((left, right) => z.intersection(left, right), z.any());
    if (Array.isArray(type)) return z.union(type.map((each) => toKind(each, json)));
    return toKind((type as string | undefined) ?? 'any', json);
  }

  function toKind(type: string, json: Words): z.ZodType {
    switch (type) {
      case 'object':
        return toObject(json);
      case 'array':
        return toList(json);
      case 'string':
        return z.string();
      case 'number':
      case 'integer':
        return z.number();
      case 'boolean':
        return z.boolean();
      case 'null':
        return z.null();
      default:
        return z.any();
    }
  }

  function toObject({ properties = {}, required = [], additionalProperties: rest }: Words): z.ZodType {
    const isOpen = rest !== undefined && rest !== false;
    const names = Object.keys(properties);
    if (names.length === 0 && isOpen) return z.record(z.string(), toShape(rest as JsonSchema));
    const fields = names.map((name) => {
      const field = toShape(properties[name] ?? {});
      return [name, required.includes(name) ? field : field.optional()] as const;
    });
    const object = z.object(Object.fromEntries(fields));
    return isOpen ? object.catchall(toShape(rest as JsonSchema)) : object;
  }

  function toList({ prefixItems, items }: Words): z.ZodType {
    const rest = items === undefined || items === false ? undefined : toShape(items as JsonSchema);
    if (prefixItems === undefined) return z.array(rest ?? z.any());
    const first = prefixItems.map(toShape) as [z.ZodType];
    return rest === undefined ? z.tuple(first) : z.tuple(first, rest);
  }

  function toReferred(ref: string): z.ZodType {
    const known = refs.get(ref) ?? z.lazy(() => toShape(findDefinition(root, ref)));
    refs.set(ref, known);
    return known;
  }
}

type Words = JsonSchema & {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
};

/** `#`, or `#/$defs/Tree`. One that leads nowhere admits anything. */
function findDefinition(root: JsonSchema, ref: string): JsonSchema {
  const [, ...steps] = ref
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((json, step) => (json as Record<string, unknown> | undefined)?.[step], root);
  return (found ?? {}) as JsonSchema;
}
