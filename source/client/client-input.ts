import { KEY_HEADER } from '../../server-runtime/enhancers/once/find-key-rule.ts';
import type { OpenApiDocument, ParameterObject } from '../../server-runtime/http/document/openapi-document.ts';
import type { Endpoint } from '../manifest/describe-api.ts';
import { toShape } from '../shape/read/to-shape.ts';
import type { Shape, ShapeField } from '../shape/shape.ts';
import { indent, type TypeNames, toField, toTypeScript, wrap } from './to-type-script.ts';

/** The input of an operation, for its caller. */
export interface ClientInput {
  readonly type: string;
  /** Whether a call must give it. */
  readonly required: boolean;
}

/** One flat object, wherever its fields travel; undefined where nothing is taken. */
export function toClientInput(
  { operation, object }: Endpoint,
  { document, names }: { readonly document: OpenApiDocument; readonly names: TypeNames },
): ClientInput | undefined {
  const { requestBody } = object;
  const parameters = (object.parameters ?? []).filter((parameter) => !isKey(parameter, operation));
  const open = parameters.find(isOpen);
  const fields = parameters
    .filter((parameter) => !isOpen(parameter))
    .map((parameter) => toField(toParameterField(toNamed(parameter, operation), document), names));
  const media = requestBody?.content['multipart/form-data'] ?? requestBody?.content['application/json'];
  const others = [open?.schema, media?.schema]
    .filter((schema) => schema !== undefined)
    .map((schema) => toShape(schema, document));
  const [only, ...more] = [
    ...(fields.length === 0 ? [] : [`{\n${fields.map((field) => indent(field)).join('\n')}\n}`]),
    ...others.map((shape) => (fields.length + others.length > 1 ? toPart(shape, names) : toTypeScript(shape, names))),
  ];
  if (only === undefined) return undefined;
  const required =
    parameters.some((parameter) => parameter.required === true && parameter.in !== 'cookie') ||
    requestBody?.required === true;
  return { type: [only, ...more].join(' & '), required };
}

/** The client makes keys itself. */
function isKey({ in: place, name }: ParameterObject, { definition }: Endpoint['operation']): boolean {
  return place === 'header' && name === KEY_HEADER && !definition.request.sent.some((each) => each.name === name);
}

/** A header or a cookie under the name of its field. A browser sends cookies itself, so that none must be given. */
function toNamed(parameter: ParameterObject, { definition }: Endpoint['operation']): ParameterObject {
  const sent = definition.request.sent.find(({ in: place, name }) => place === parameter.in && name === parameter.name);
  if (sent === undefined) return parameter;
  return { ...parameter, name: sent.field, required: parameter.required === true && sent.in !== 'cookie' };
}

/** Beside named fields a record admits what those hold too. */
function toPart(shape: Shape, names: TypeNames): string {
  const isRecord = shape.kind === 'record' || (shape.kind === 'object' && shape.fields.length === 0);
  return isRecord ? '{ readonly [key: string]: unknown }' : wrap(toTypeScript(shape, names));
}

function toParameterField(
  { name, required = false, schema, description, deprecated }: ParameterObject,
  document: OpenApiDocument,
): ShapeField {
  const shape = toShape(schema, document);
  const about = {
    description: description ?? shape.description,
    isDeprecated: deprecated === true || shape.isDeprecated,
  };
  return { name, isRequired: required, shape: () => ({ ...shape, ...about }) };
}

/** A record in the query, which is not a field itself. */
function isOpen({ in: place, style }: ParameterObject): boolean {
  return place === 'query' && style === 'form';
}
