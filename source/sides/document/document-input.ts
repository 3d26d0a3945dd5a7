import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';
import { type DocumentOperation, followReference, toItems } from './document-operation.ts';

/** The input of callers as one schema: the fields of the path, of the query and of the body, headers and cookies. Undefined where they send nothing. */
export function toDocumentInput({ document, operation, parameters }: DocumentOperation): SchemaJson | undefined {
  const fields = parameters.map((parameter): Field => {
    const { in: place, name, required } = parameter;
    const isField = place === 'path' || place === 'query';
    return [isField ? `${name}` : `${place} ${name}`, toFieldSchema(parameter), required === true || place === 'path'];
  });
  const body = followReference(operation['requestBody'], document);
  const media = findMedia(body);
  const sent = isSchemaObject(media?.['schema']) ? media['schema'] : undefined;
  if (fields.length === 0 && sent === undefined) return undefined;
  const own = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, schema]) => [name, schema])),
    required: fields.filter(([, , isRequired]) => isRequired).map(([name]) => name),
  };
  const parts = sent === undefined ? [own] : fields.length === 0 ? [sent] : [own, sent];
  const [only] = parts;
  // References lead into the document: it goes with them.
  return { ...(parts.length === 1 ? only : { allOf: parts }), components: document['components'] };
}

export function takesDocumentForm({ document, operation }: DocumentOperation): boolean {
  const { content } = followReference(operation['requestBody'], document);
  return isSchemaObject(content) && 'application/x-www-form-urlencoded' in content;
}

type Field = readonly [name: string, schema: unknown, isRequired: boolean];

function toFieldSchema(parameter: SchemaJson): unknown {
  const { schema, content, deprecated } = parameter;
  const [media] = isSchemaObject(content) ? Object.values(content) : [];
  const said = schema ?? (isSchemaObject(media) ? media['schema'] : {});
  return deprecated === true && isSchemaObject(said) ? { ...said, deprecated } : said;
}

/** JSON where it is taken, else the first type. */
export function findMedia({ content }: SchemaJson): SchemaJson | undefined {
  if (!isSchemaObject(content)) return undefined;
  const types = Object.keys(content);
  const wanted = types.find((type) => /[/+]json\b/i.test(type)) ?? toItems(types)[0];
  const media = typeof wanted === 'string' ? content[wanted] : undefined;
  return isSchemaObject(media) ? media : undefined;
}
