import type { ApiOperation, ApiParameter } from '../document/api-operation.ts';
import type { ApiSchema } from '../document/branch.ts';
import { findOnlyBranch } from '../document/read-branches.ts';
import { readNotes, type TypedField, type TypeNames, toFieldTypes, toTypeScript, wrap } from './to-type-script.ts';

/** The input of an operation for its caller: one flat object, wherever its fields travel; undefined for none. */
export function toClientInput({ parameters, body }: ApiOperation, names: TypeNames): string | undefined {
  const fields = parameters
    .filter((parameter) => !isOpen(parameter))
    .flatMap((parameter) => toParameterField(parameter));
  const media = ['multipart/form-data', 'application/json'].flatMap(
    (type) => body?.contents.find(({ mediaType }) => mediaType === type) ?? [],
  );
  const others = [...parameters.filter(isOpen), ...media.slice(0, 1)].map(({ schema }) => schema);
  const parts = [
    ...(fields.length === 0 ? [] : [toFieldTypes(fields, names)]),
    ...others.map((schema) =>
      fields.length + others.length > 1 ? toPart(schema, names) : toTypeScript(schema, names),
    ),
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
function toParameterField({ in: place, field, isRequired, schema, ...about }: ApiParameter): readonly TypedField[] {
  if (field === undefined) return [];
  const own = readNotes(schema);
  const notes = {
    ...own,
    description: about.description ?? own.description,
    isDeprecated: about.isDeprecated || own.isDeprecated,
  };
  return [{ name: field, isRequired: isRequired && place !== 'cookie', schema, notes }];
}

/** Beside named fields a record admits what those hold too. */
function toPart(schema: ApiSchema, names: TypeNames): string {
  const { type, isRecord, fields } = findOnlyBranch(schema) ?? {};
  const isOpen = type === 'object' && (isRecord === true || fields?.size === 0);
  return isOpen ? '{ readonly [key: string]: unknown }' : wrap(toTypeScript(schema, names));
}
