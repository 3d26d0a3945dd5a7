import type { ApiOperation, ApiParameter } from '../document/api-operation.ts';
import type { Shape, ShapeField } from '../shape/shape.ts';
import { indent, type TypeNames, toField, toTypeScript, wrap } from './to-type-script.ts';

/** The input of an operation for its caller: one flat object, wherever its fields travel; undefined for none. */
export function toClientInput({ parameters, body }: ApiOperation, names: TypeNames): string | undefined {
  const fields = parameters
    .filter((parameter) => !isOpen(parameter))
    .flatMap((parameter) => toParameterField(parameter));
  const media = ['multipart/form-data', 'application/json'].flatMap(
    (type) => body?.contents.find(({ mediaType }) => mediaType === type) ?? [],
  );
  const others = [...parameters.filter(isOpen), ...media.slice(0, 1)].map(({ shape }) => shape());
  const parts = [
    ...(fields.length === 0 ? [] : [`{\n${fields.map((field) => indent(toField(field, names))).join('\n')}\n}`]),
    ...others.map((shape) => (fields.length + others.length > 1 ? toPart(shape, names) : toTypeScript(shape, names))),
  ];
  if (parts.length === 0) return undefined;
  const type = parts.join(' & ');
  return body?.isRequired === false && fields.every(({ isRequired }) => !isRequired) ? `Partial<${type}>` : type;
}

/** A record in the query, which is not a field itself. */
function isOpen({ in: place, style }: ApiParameter): boolean {
  return place === 'query' && style === 'form';
}

/** Under the name of its field. The client makes keys, and a browser sends cookies: neither must be given. */
function toParameterField({
  in: place,
  field,
  isRequired,
  shape: toOwn,
  ...about
}: ApiParameter): readonly ShapeField[] {
  if (field === undefined) return [];
  const shape = (): Shape => {
    const own = toOwn();
    const description = about.description ?? own.description;
    return { ...own, description, isDeprecated: about.isDeprecated || own.isDeprecated };
  };
  return [{ name: field, isRequired: isRequired && place !== 'cookie', shape }];
}

/** Beside named fields a record admits what those hold too. */
function toPart(shape: Shape, names: TypeNames): string {
  const isRecord = shape.kind === 'object' && (shape.isRecord || shape.fields.length === 0);
  return isRecord ? '{ readonly [key: string]: unknown }' : wrap(toTypeScript(shape, names));
}
