import type { ApiSchema, Branch, NumberBranch } from './branch.ts';
import {
  choicesOf,
  isSchemaObject,
  recordOf,
  type SchemaJson,
  schemasOf,
  toDeclaredFields,
  withoutNull,
} from './schema-json.ts';

/** The forms in which a printer of types writes what it finds: for readers, or for a compiler. */
export interface TypeForms {
  readonly reference: (reference: string) => string;
  readonly literal: (value: unknown) => string;
  /** A text, a number, a boolean or null; without a type anything. */
  readonly scalar: (schema: SchemaJson, type?: string) => string;
  readonly list: (item: string) => string;
  /** `rest`: all items behind them. */
  readonly tuple: (
    items: readonly { readonly type: string; readonly isOptional: boolean }[],
    rest?: string,
  ) => string;
  /** `isChoice`: whether it is one of several objects without names. */
  readonly object: (schema: SchemaJson, isChoice: boolean) => string;
  readonly join: (types: readonly string[], sign: '|' | '&') => string;
}

/** A schema as a type, in some forms: {@link readable}, or those of a language. */
export function printType(schema: unknown, forms: TypeForms, isChoice = false): string {
  if (!isSchemaObject(schema)) return schema === false ? 'never' : forms.scalar({});
  const inside = (part: unknown): string => printType(part, forms);
  const toUnion = (parts: readonly unknown[]): string => forms.join(parts.map(inside), '|');
  const { $ref: reference, enum: values, type, items, prefixItems, not } = schema;
  if (schema['nullable'] === true)
    return toUnion([{ ...schema, nullable: false }, { type: 'null' }]);
  if (typeof reference === 'string') return forms.reference(reference);
  if ('const' in schema) return forms.literal(schema['const']);
  if (Array.isArray(values)) return forms.join(values.map(forms.literal), '|');
  if (schema['format'] === 'binary') return forms.scalar(schema, 'string');
  const choices = choicesOf(schema);
  const areSeveral = choices.filter((choice) => choice['properties'] !== undefined).length > 1;
  const toChoice = (choice: SchemaJson): string => printType(choice, forms, areSeveral);
  if (choices.length > 0) return forms.join(choices.map(toChoice), '|');
  if (Array.isArray(type)) return toUnion(type.map((each: unknown) => ({ ...schema, type: each })));
  const all = schemasOf(schema['allOf']);
  if (all.length > 0 && type === undefined) return forms.join(all.map(inside), '&');
  if (type === 'array' && Array.isArray(prefixItems)) {
    const least = Number(schema['minItems'] ?? 0);
    const first = prefixItems.map((item: unknown, index) => ({
      type: inside(item),
      isOptional: index >= least,
    }));
    return forms.tuple(first, items === false ? undefined : inside(items));
  }
  if (type === 'array') return forms.list(inside(items));
  if (type === 'object' || (type === undefined && schema['properties'] !== undefined))
    return forms.object(schema, isChoice);
  if (JSON.stringify(not) === '{}') return 'never';
  return forms.scalar(schema, typeof type === 'string' ? type : undefined);
}

/**
 * A schema as a type that a reader knows: `string`, `'a' | 'b'`, `User[]`, `record of number`; `object` where it has
 * fields of its own, `{ kind: 'card', number? } | { kind: 'cash' }` where it is one of several.
 */
export function toTypeText({ json }: Pick<ApiSchema, 'json'>): string {
  return printType(json, readable);
}

const readable: TypeForms = {
  reference: (reference) => {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    return name === '#' ? 'itself' : /^__schema\d+$/.test(name) ? 'object' : name;
  },
  literal: (value) =>
    typeof value === 'string' && !value.includes("'") ? `'${value}'` : JSON.stringify(value),
  scalar: ({ format, 'x-capix-kind': kind }, type = 'any') => {
    if (typeof kind === 'string') return kind;
    if (format === 'binary') return 'file';
    return typeof format === 'string' && type === 'string' ? `string (${format})` : type;
  },
  list: (item) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`),
  tuple: (items, rest = 'any') => {
    const first = items.map(({ type, isOptional }) => `${type}${isOptional ? '?' : ''}`);
    return `[${[...first, ...(rest === 'any' ? [] : [`...${readable.list(rest)}`])].join(', ')}]`;
  },
  object: (schema, isChoice) => {
    const { properties, additionalProperties: others } = schema;
    if (properties === undefined && isSchemaObject(others))
      return `record of ${toTypeText({ json: others })}`;
    const texts = toDeclaredFields(schema).map(({ name, schema: field, isRequired }) => {
      const value =
        isSchemaObject(field) && ('const' in field || 'enum' in field)
          ? `: ${toTypeText({ json: field })}`
          : '';
      return `${name}${isRequired ? '' : '?'}${value}`;
    });
    return isChoice && texts.length > 0 ? `{ ${texts.join(', ')} }` : 'object';
  },
  join: (types, sign) =>
    [...new Set(types)]
      .map((type) => (sign === '&' && type.includes(' | ') ? `(${type})` : type))
      .join(` ${sign} `),
};

/** The limits of a value beside its type: `1 to 20 characters`, `at least 0`, `matches /^a/`, `unique`. */
export function toConstraints({ json }: Pick<ApiSchema, 'json'>): readonly string[] {
  const schema = recordOf(json);
  const {
    pattern,
    format,
    exclusiveMinimum: above,
    exclusiveMaximum: below,
    multipleOf: step,
  } = schema;
  const isSaid = format !== undefined || schema['x-capix-kind'] !== undefined;
  const { maxSize, accept = [] } = Object(schema['x-capix-file']) as {
    readonly maxSize?: number;
    accept?: string[];
  };
  const words = [
    toRange(
      schema['minLength'],
      schema['maxLength'] ?? maxSize,
      format === 'binary' ? 'bytes' : 'characters',
    ),
    typeof pattern === 'string' && !isSaid ? `matches /${pattern}/` : '',
    accept.join(' or '),
    toRange(schema['minimum'], schema['maximum'], ''),
    isTelling(above) ? `more than ${above}` : '',
    isTelling(below) ? `less than ${below}` : '',
    isTelling(step) ? `a multiple of ${step}` : '',
    schema['prefixItems'] === undefined
      ? toRange(schema['minItems'], schema['maxItems'], 'items')
      : '',
    schema['uniqueItems'] === true ? 'unique' : '',
    toRange(schema['minProperties'], schema['maxProperties'], 'fields'),
  ];
  const inner = withoutNull(schema);
  const inside =
    inner === schema ? schemasOf(schema['allOf']) : [...schemasOf(schema['allOf']), inner];
  return [
    ...words.filter((word) => word !== ''),
    ...inside.flatMap((part) => toConstraints({ json: part })),
  ];
}

/** zod writes the bounds of safe integers, which say nothing of a field. */
export function isTelling(bound: unknown): bound is number {
  return typeof bound === 'number' && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

function toRange(least: unknown, most: unknown, unit: string): string {
  const withUnit = (bound: number): string =>
    `${bound} ${bound === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
  if (isTelling(least) && isTelling(most))
    return least === most ? `exactly ${withUnit(least)}` : `${least} to ${withUnit(most)}`;
  return isTelling(least)
    ? `at least ${withUnit(least)}`
    : isTelling(most)
      ? `at most ${withUnit(most)}`
      : '';
}

/**
 * The names of branches of which one is chosen, no two of them the same: their types, objects of several by their
 * fields (`object with a, b`), and what is still alike by numbers (`string 2`).
 */
export function toVariantTexts(branches: readonly Branch[]): readonly string[] {
  const types = branches.map(({ name, schema }) => name ?? toTypeText(schema));
  const isAlone = (text: string, texts: readonly string[]): boolean =>
    texts.filter((other) => other === text).length === 1;
  const texts = branches.map((branch, at) => {
    const type = types[at] ?? '';
    const names = branch.type === 'object' ? [...branch.fields.keys()] : [];
    return isAlone(type, types) || names.length === 0 ? type : `object with ${names.join(', ')}`;
  });
  return texts.map((text, at) =>
    isAlone(text, texts)
      ? text
      : `${text} ${texts.slice(0, at + 1).filter((other) => other === text).length}`,
  );
}

/** Without the bounds of safe integers, which zod writes and which say nothing of a field. */
export function toTellingBounds({
  min,
  max,
}: Pick<NumberBranch, 'min' | 'max'>): Pick<NumberBranch, 'min' | 'max'> {
  return {
    min: isTelling(min?.value) ? min : undefined,
    max: isTelling(max?.value) ? max : undefined,
  };
}
