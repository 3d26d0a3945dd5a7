import { resolveReference, toSchemaFields } from './schema-fields.ts';
import { isSchemaObject, KIND_KEYWORD, toTypeText } from './schema-type.ts';

/** What a form asks for one value. */
export interface FormField {
  readonly name: string;
  readonly kind: FormKind;
  /** As `toTypeText` gives it. */
  readonly type: string;
  readonly isRequired: boolean;
  /** As JSON. */
  readonly default?: string | undefined;
  /** Constraints and description. */
  readonly note: string;
  /** How a value is written, where that is not plain: `2026-12-31`. */
  readonly placeholder?: string | undefined;
}

export type FormKind =
  /** `mask` gives what is shown in place of a text, as many characters. */
  | { readonly kind: 'text'; readonly mask?: (text: string) => string }
  | { readonly kind: 'number' }
  /** The path of a file; what begins as JSON does is JSON. */
  | { readonly kind: 'file' }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'picker'; readonly values: readonly unknown[] }
  | { readonly kind: 'group'; readonly fields: readonly FormField[] }
  | { readonly kind: 'list'; readonly item: FormField }
  /** Everything else: the value is typed as JSON. */
  | { readonly kind: 'json' };

/** How deep a form goes; what is deeper is typed as JSON, as is what contains itself. */
const MAX_DEPTH = 4;

/** The fields that a form has for an object schema, none where it takes none; undefined for any other schema. */
export function toFormFields(json: unknown): readonly FormField[] | undefined {
  if (!isSchemaObject(json)) return undefined;
  if (takesNothing(json)) return [];
  const kind = toKind(json, { root: json, depth: 0 });
  return kind.kind === 'group' ? kind.fields : undefined;
}

function takesNothing({ properties, additionalProperties = false }: Readonly<Record<string, unknown>>): boolean {
  return isSchemaObject(properties) && Object.keys(properties).length === 0 && additionalProperties === false;
}

interface Place {
  readonly root: unknown;
  readonly depth: number;
}

function toKind(json: unknown, place: Place): FormKind {
  if (!isSchemaObject(json) || place.depth > MAX_DEPTH) return { kind: 'json' };
  const target = resolveReference(json, place.root);
  const inside = { root: place.root, depth: place.depth + 1 };
  if (target !== json) return toKind(target, inside);
  const { enum: values, anyOf, type, format, properties, allOf, items } = json;
  if (Array.isArray(values)) return { kind: 'picker', values };
  if ('const' in json) return { kind: 'picker', values: [json['const']] };
  if (Array.isArray(anyOf)) return toKindOfUnion(anyOf, inside);
  if (isSchemaObject(properties) || Array.isArray(allOf)) return toGroup(json, inside);
  switch (toOnlyType(type)) {
    case 'string':
      return { kind: format === 'binary' ? 'file' : 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'toggle' };
    case 'array':
      return isSchemaObject(items)
        ? { kind: 'list', item: toField('', items, { ...inside, isRequired: true }) }
        : { kind: 'json' };
  }
  return { kind: json[KIND_KEYWORD] === 'date' ? 'text' : 'json' };
}

/** Of `['string', 'null']` the string. */
function toOnlyType(type: unknown): unknown {
  if (!Array.isArray(type)) return type;
  const types = type.filter((one) => one !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** Of `string | null` a text, of literals a picker. */
function toKindOfUnion(branches: readonly unknown[], place: Place): FormKind {
  const constants = branches.map((branch) =>
    isSchemaObject(branch) && 'const' in branch ? [branch['const']] : undefined,
  );
  if (constants.every((one) => one !== undefined)) return { kind: 'picker', values: constants.flat() };
  const values = branches.filter((branch) => !isSchemaObject(branch) || branch['type'] !== 'null');
  return values.length === 1 ? toKind(values[0], place) : { kind: 'json' };
}

function toGroup(json: Readonly<Record<string, unknown>>, place: Place): FormKind {
  const parts = Array.isArray(json['allOf']) ? json['allOf'] : [json];
  const fields = parts.flatMap((part) => {
    if (!isSchemaObject(part) || !isSchemaObject(part['properties'])) return [];
    const required = Array.isArray(part['required']) ? part['required'] : [];
    return Object.entries(part['properties']).map(([name, field]) =>
      toField(name, field, {
        ...place,
        isRequired: required.includes(name) && !(isSchemaObject(field) && 'default' in field),
      }),
    );
  });
  return fields.length === 0 ? { kind: 'json' } : { kind: 'group', fields };
}

function toField(
  name: string,
  json: unknown,
  { isRequired, ...place }: Place & { readonly isRequired: boolean },
): FormField {
  const [described] = toSchemaFields({ type: 'object', properties: { [name]: json } });
  const kind = toKind(json, place);
  return {
    name,
    kind,
    placeholder: toPlaceholder(kind, json),
    type: toTypeText(json),
    isRequired,
    default: described?.default,
    note: [...(described?.constraints ?? []), described?.description ?? ''].filter(Boolean).join(', '),
  };
}

function toPlaceholder({ kind }: FormKind, json: unknown): string | undefined {
  if (kind === 'file') return 'path of a file';
  return kind === 'text' ? examples[findFormat(json) ?? ''] : undefined;
}

const examples: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  'date-time': '2026-12-31T23:59:00Z',
  time: '23:59:00',
  duration: 'P1DT12H',
};

/** A date that JSON has no word for is written with its time. */
function findFormat(json: unknown): string | undefined {
  if (!isSchemaObject(json)) return undefined;
  const { format, anyOf } = json;
  if (json[KIND_KEYWORD] === 'date') return 'date-time';
  if (typeof format === 'string') return format;
  return Array.isArray(anyOf) ? anyOf.map(findFormat).find((found) => found !== undefined) : undefined;
}
