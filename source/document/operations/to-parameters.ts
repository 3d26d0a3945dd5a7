import { type ApiSchema, toObjectSchema } from '../branch.ts';
import {
  findReference,
  follow,
  listOf,
  recordOf,
  type SchemaJson,
  textOf,
} from '../schema-json.ts';
import type { ApiOperation, ApiParameter } from './api-operation.ts';
import { isJson, toParameterSchema } from './to-response.ts';

/** The parameters of an operation and of its path. Where both declare one, that of the operation counts. */
export function toParameters(
  holders: readonly SchemaJson[],
  document: SchemaJson,
  facts: ApiOperation['facts'],
): readonly ApiParameter[] {
  const all = holders
    .flatMap(({ parameters }) => listOf(parameters))
    .map((json) => ({ reference: findReference(json), parameter: follow(json, document) }));
  const byPlace = new Map(
    all.map((each) => [`${String(each.parameter['in'])} ${String(each.parameter['name'])}`, each]),
  );
  return [...byPlace.values()].map(({ reference, parameter }) => {
    const { in: place, required, deprecated, description } = parameter;
    const written = String(parameter['name']);
    const name = place === 'header' ? written.toLowerCase() : written;
    const sent = facts?.sent?.find((each) => each.in === place && each.name === name);
    const isKey = place === 'header' && sent === undefined && facts?.idempotencyKey !== undefined;
    return {
      reference,
      name,
      written,
      in: place as ApiParameter['in'],
      field: isKey ? undefined : (sent?.field ?? written),
      isRequired: required === true || place === 'path',
      isDeprecated: deprecated === true,
      description: textOf(description),
      ...toWriting(parameter),
      schema: { json: toParameterSchema(parameter), root: document },
    };
  });
}

function toWriting(
  parameter: SchemaJson,
): Pick<ApiParameter, 'style' | 'explode' | 'takesEmpty' | 'takesReserved'> {
  const { in: place, explode, allowEmptyValue, allowReserved } = parameter;
  return {
    style: findStyle(parameter),
    explode: typeof explode === 'boolean' ? explode : undefined,
    takesEmpty: place === 'query' && allowEmptyValue === true,
    takesReserved: place === 'query' && allowReserved === true,
  };
}

/** The style of a parameter, or the media type as which its value is written. */
function findStyle({ style, content }: SchemaJson): string | undefined {
  return textOf(style) ?? Object.keys(recordOf(content))[0];
}

/**
 * The parts of a request of others as one value: fields of the path and the query, `header x-tenant`, and those of the
 * body.
 */
export function toInput(
  parameters: readonly ApiParameter[],
  { content }: SchemaJson,
  root: SchemaJson,
): ApiSchema | undefined {
  const types = Object.keys(recordOf(content));
  const type = types.find(isJson) ?? types[0];
  const body = type === undefined ? undefined : (recordOf(recordOf(content)[type])['schema'] ?? {});
  const fields = parameters.map(({ name, in: place, ...parameter }) => ({
    ...parameter,
    name: place === 'path' || place === 'query' ? name : `${place} ${name}`,
  }));
  if (fields.length === 0) return body === undefined ? undefined : { json: body, root };
  const { json } = toObjectSchema(fields);
  return { json: body === undefined ? json : { allOf: [json, body] }, root };
}
