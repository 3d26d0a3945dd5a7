import type { OpenApiDocument, ResponseObject } from '../http/openapi-document.ts';
import type { Operation } from '../registry/operation.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toCodeCell, toTableCell } from './markdown.ts';
import { followSchema, toFields, toTypeWords } from './schema-words.ts';
import type { PlacedOperation } from './to-reference.ts';

/** The errors of a status by their names: when each is thrown, and what its `meta` has. */
export function toErrorRows(
  status: string,
  response: ResponseObject,
  { document, declared }: { readonly document: OpenApiDocument } & Pick<PlacedOperation, 'declared'>,
): readonly (readonly string[])[] {
  const { description, content = {}, 'x-error-names': names } = response;
  const metas = new Map(toNamedMetas(Object.values(content)[0]?.schema ?? {}));
  return (names ?? [...metas.keys()]).map((name) => {
    const meta = metas.get(name);
    const fields = toFields(followSchema(meta ?? {}, document.components.schemas));
    const carried = fields
      .filter(({ name: field }) => !field.includes('.'))
      .map(({ name: field, schema }) => toCodeCell(`${field}: ${toTypeWords(schema)}`));
    const when = declared === undefined ? [] : toThrowers(declared, Number(status), name);
    const reason = when.length === 0 ? (standing[name] ?? toTableCell(description)) : when.join(', ');
    return [status, toCodeCell(name), reason, carried.join(', ')];
  });
}

/** Who throws an error of an operation, as far as it is declared. */
function toThrowers({ definition }: Operation, status: number, name: string): readonly string[] {
  const isIt = (error: { readonly status: number; readonly errorName: string }): boolean =>
    error.status === status && error.errorName === name;
  const { guards, inputGuards, enhancers, errors } = definition;
  const isRefusal = ['401 Unauthorized', '403 Forbidden'].includes(`${status} ${name}`);
  return [
    ...[...guards, ...inputGuards]
      .filter((guard) => guard.errors.some(isIt) || (guard.errors.length === 0 && isRefusal))
      .map((guard) => `the guard ${toCodeCell(guard.name)} refuses`),
    ...enhancers.filter((each) => each.errors.some(isIt)).map((each) => `${toCodeCell(each.name)} refuses`),
    ...(errors.some(isIt) ? ['the handler throws it'] : []),
  ];
}

/** When the framework itself responds with an error. */
const standing: Readonly<Record<string, string>> = {
  BadRequest: 'the input does not fit',
  Unprocessable: 'the input does not fit',
  Forbidden: 'the form comes from a page of another site',
  PayloadTooLarge: 'the body is too large',
  UnsupportedMediaType: 'the body is of another type',
  Internal: 'the handler fails',
  Timeout: 'the handler takes too long',
};

function toNamedMetas(schema: JsonSchema): readonly (readonly [string, JsonSchema | undefined])[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (schema[word] ?? []) as readonly JsonSchema[]);
  const { error, meta } = Object(schema['properties']) as Readonly<Record<string, JsonSchema>>;
  const names = (error?.['enum'] ?? []) as readonly string[];
  return [...names.map((name) => [name, meta] as const), ...parts.flatMap((part) => toNamedMetas(part))];
}
