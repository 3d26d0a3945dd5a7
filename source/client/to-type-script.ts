import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';

/** Names of the TypeScript types of components, by their reference. */
export type TypeNames = ReadonlyMap<string, string>;

/** The TypeScript type of what a JSON Schema admits: `{ readonly id: string; readonly tags?: readonly string[] }`. Files are `Blob`. */
export function toTypeScript(json: JsonSchema, names: TypeNames): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, type, not } = json;
  if (typeof $ref === 'string') return names.get($ref) ?? 'unknown';
  if (Array.isArray(values)) return toUnion(values.map(toLiteral));
  if ('const' in json) return toLiteral(json['const']);
  const branches = anyOf ?? oneOf;
  const parts = [
    ...(Array.isArray(branches) ? [toUnion(branches.map((branch: JsonSchema) => toTypeScript(branch, names)))] : []),
    ...(Array.isArray(allOf) ? allOf.map((part: JsonSchema) => wrap(toTypeScript(part, names))) : []),
  ];
  const own = Array.isArray(type)
    ? toUnion(
        type.map((one: unknown) =>
          toTypeScript({ ...json, type: one, anyOf: undefined, oneOf: undefined, allOf: undefined }, names),
        ),
      )
    : toOwnType(json, names);
  if (own !== undefined) parts.push(own);
  if (parts.length === 0)
    return typeof not === 'object' && not !== null && Object.keys(not).length === 0 ? 'never' : 'unknown';
  const different = [...new Set(parts)];
  return different.length === 1 ? (different[0] ?? 'unknown') : different.map(wrap).join(' & ');
}

/** What `type` and its keywords say; undefined where they say nothing. */
function toOwnType(json: JsonSchema, names: TypeNames): string | undefined {
  switch (json['type']) {
    case 'string':
      return json['format'] === 'binary' ? 'Blob' : 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
    case 'null':
      return json['type'];
    case 'array':
      return toArray(json, names);
    case 'object':
      return toObject(json, names);
    default:
      return json['properties'] === undefined ? undefined : toObject(json, names);
  }
}

function toArray({ items, prefixItems }: JsonSchema, names: TypeNames): string {
  const item = typeof items === 'object' && items !== null ? toTypeScript(items as JsonSchema, names) : undefined;
  if (!Array.isArray(prefixItems)) return `readonly ${wrap(item ?? 'unknown')}[]`;
  const fixed = prefixItems.map((each: JsonSchema) => toTypeScript(each, names));
  return `readonly [${[...fixed, ...(item === undefined ? [] : [`...${wrap(item)}[]`])].join(', ')}]`;
}

function toObject({ properties, required, additionalProperties }: JsonSchema, names: TypeNames): string {
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  const needed = new Set((required ?? []) as readonly string[]);
  const rest =
    typeof additionalProperties === 'object' && additionalProperties !== null
      ? toTypeScript(additionalProperties as JsonSchema, names)
      : undefined;
  if (fields.length === 0) return `Readonly<Record<string, ${rest ?? 'unknown'}>>`;
  const lines = fields.map(([name, schema]) => toField({ name, schema, required: needed.has(name) }, names));
  const object = `{\n${lines.map((line) => indent(line)).join('\n')}\n}`;
  return rest === undefined ? object : `${object} & Readonly<Record<string, unknown>>`;
}

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** `readonly page?: number;` with what the schema says of it above. A field that may be left out may be undefined too. */
export function toField({ name, schema, required }: Field, names: TypeNames): string {
  const type = toTypeScript(schema, names);
  return `${toDocblock(schema)}readonly ${toPropertyName(name)}${required ? '' : '?'}: ${required ? type : `${type} | undefined`};`;
}

/** `getUser`, or in quotes where it is no identifier. */
export function toPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A comment with the description, or nothing. */
export function toDocblock({ description, default: fallback, deprecated }: JsonSchema): string {
  const text = [
    typeof description === 'string' ? description : undefined,
    fallback === undefined ? undefined : `@default ${JSON.stringify(fallback)}`,
    deprecated === true ? '@deprecated' : undefined,
  ].filter((line) => line !== undefined);
  return toComment(text.join('\n'));
}

/** A block comment that its text cannot end. */
export function toComment(text: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.join('') === '') return '';
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

function toLiteral(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function toUnion(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.includes('unknown')
    ? 'unknown'
    : different
        .map((type) => (type.startsWith('readonly ') && different.length > 1 ? `(${type})` : type))
        .join(' | ') || 'never';
}

/** In parentheses where an operator around it would take only a part of it. */
function wrap(type: string): string {
  return /^[\w.]+$/.test(type) || (type.startsWith('{') && type.endsWith('}') && !type.includes('} '))
    ? type
    : `(${type})`;
}
