import type { ManifestError } from '../../manifest/manifest.ts';
import { findField } from '../../shape/find-field.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { findMedia } from './document-input.ts';
import { type DocumentOperation, followReference } from './document-operation.ts';

export interface DocumentAnswers {
  /** The answers of success, as an object with a field for each status; undefined where nothing is said. */
  readonly output: SchemaJson | undefined;
  /** The place where the document names them. */
  readonly errors: readonly ManifestError[];
}

/** The answers of an operation. */
export function findDocumentAnswers({ operation, document }: DocumentOperation): DocumentAnswers {
  const responses = isSchemaObject(operation['responses']) ? operation['responses'] : {};
  const answers = Object.entries(responses).map(
    ([status, response]) => [status, followReference(response, document)] as const,
  );
  const successes = answers.filter(([status]) => status.startsWith('2'));
  return {
    output: toOutput(successes, document),
    errors: answers
      .filter(([status]) => /^[45]\d\d$/.test(status) && !ofEveryServer.has(status))
      .flatMap(([status, response]) => toErrors(Number(status), response, document)),
  };
}

/** Any call may end in these, whether the document lists them or not. */
const ofEveryServer: ReadonlySet<string> = new Set(['400', '413', '415', '500', '503', '504']);

/** An object with a field for each answer, by its status, its type where it is not JSON, and for each header. */
function toOutput(successes: readonly (readonly [string, SchemaJson])[], document: SchemaJson): SchemaJson | undefined {
  const answers = successes.flatMap(([status, response]) => [
    ...toBodies(status, response),
    ...toHeaders(status, response),
  ]);
  if (answers.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(answers),
    required: answers.map(([name]) => name),
    components: document['components'],
  };
}

function toBodies(status: string, { content }: SchemaJson): readonly (readonly [string, SchemaJson])[] {
  const types = isSchemaObject(content) ? Object.entries(content) : [];
  if (types.length === 0) return [[`${status} without content`, {}]];
  return types.map(([type, media]) => {
    const schema = isSchemaObject(media) && isSchemaObject(media['schema']) ? media['schema'] : {};
    return [type.startsWith('application/json') ? status : `${status} ${type}`, schema];
  });
}

/** A request is told by its id everywhere. */
function toHeaders(status: string, { headers }: SchemaJson): readonly (readonly [string, SchemaJson])[] {
  return Object.entries(isSchemaObject(headers) ? headers : {})
    .filter(([name]) => name.toLowerCase() !== 'x-request-id')
    .map(([name, header]) => {
      const schema = isSchemaObject(header) && isSchemaObject(header['schema']) ? header['schema'] : {};
      return [`${status} header ${name.toLowerCase()}`, schema];
    });
}

function toErrors(status: number, response: SchemaJson, document: SchemaJson): readonly ManifestError[] {
  const schema = findMedia(response)?.['schema'];
  const name = findField(toShape(schema, document), 'error');
  return name?.kind === 'literal'
    ? name.values.map((value) => ({ status, name: String(value) }))
    : [{ status, name: 'Error' }];
}
