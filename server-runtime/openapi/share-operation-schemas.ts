import type {
  HeaderObject,
  JobObject,
  MediaTypeObject,
  OperationObject,
  ResponseObject,
} from '../http/document/openapi-document.ts';
import { mapSubschemas } from '../schema/map-subschemas.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { byStatus } from './by-status.ts';
import { findNotedInput, withNotedInput } from './document-notes.ts';
import { mapMetas } from './error-responses.ts';
import type { Definitions } from './schemas/schema-converter.ts';
import { type SchemaPlace, shareSchemas, toSingular } from './schemas/share-schemas.ts';
import { PLACE } from './success-responses.ts';

/** The parts of a document that hold schemas. */
export interface DocumentOperations {
  readonly operations: readonly OperationObject[];
  /** The answers of errors, by name. */
  readonly responses: Readonly<Record<string, ResponseObject>>;
  /** The jobs by key. */
  readonly jobs: Readonly<Record<string, JobObject>>;
}

export interface SharedOperations extends DocumentOperations {
  /** The schemas for `#/components/schemas`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The names of the schemas that nobody named. */
  readonly guessedNames: readonly string[];
}

/** The operations and the errors with schemas that are the same in the code as references to one component. */
export function shareOperationSchemas(
  parts: DocumentOperations,
  definitions: Definitions,
  keepsNotes: boolean,
): SharedOperations {
  const places: SchemaPlace[] = [];
  mapSchemas(parts, (json, name, isNote) => {
    places.push({ json, name, isNote });
    return json;
  });
  const { schemas, components, guessedNames } = shareSchemas(places, definitions, { keepsNotes });
  let next = 0;
  return { ...mapSchemas(parts, (json) => schemas[next++] ?? json), schemas: components, guessedNames };
}

/** Gives what replaces a schema; `name` is what to call it if it becomes a component. */
type MapSchema = (json: JsonSchema, name: string, isNote?: boolean) => JsonSchema;

/** Always in the same order. */
function mapSchemas({ operations, responses, jobs }: DocumentOperations, map: MapSchema): DocumentOperations {
  return {
    operations: operations.map((operation) => mapOperationSchemas(operation, map)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([name, response]) => [
        name,
        mapMetas(response, (json, errorName) => map(json, toPascal(errorName))),
      ]),
    ),
    jobs: Object.fromEntries(
      Object.entries(jobs).map(([key, job]) => [
        key,
        job.input === undefined
          ? job
          : { ...job, input: map(job.input, `${toPascal(key.split('.').at(-1) ?? key)}Input`) },
      ]),
    ),
  };
}

function mapOperationSchemas(operation: OperationObject, map: MapSchema): OperationObject {
  const { parameters, requestBody, responses } = operation;
  const noted = findNotedInput(operation);
  return {
    ...(noted === undefined ? operation : withNotedInput(operation, map(noted, toInputName(operation), true))),
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((each) => ({ ...each, schema: map(each.schema, toPascal(each.name)) })) }),
    ...(requestBody === undefined
      ? {}
      : {
          requestBody: {
            ...requestBody,
            content: mapContent(requestBody.content, (json) => map(json, toInputName(operation))),
          },
        }),
    responses: byStatus(
      Object.entries(responses).map(([status, response]) => [
        status,
        '$ref' in response ? response : mapResponse(response, (json) => map(json, toOutputName(operation))),
      ]),
    ),
  };
}

function mapContent(
  content: Readonly<Record<string, MediaTypeObject>>,
  map: (json: JsonSchema) => JsonSchema,
): Record<string, MediaTypeObject> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, { ...media, schema: map(media.schema) }]),
  );
}

/** The schemas of the application alone: what is around them is ours. */
function mapResponse(response: ResponseObject, map: (json: JsonSchema) => JsonSchema): ResponseObject {
  const { headers, content } = response;
  return {
    ...response,
    ...(headers === undefined ? {} : { headers: mapHeaders(headers, map) }),
    ...(content === undefined ? {} : { content: mapContent(content, (json) => mapPlaces(json, map)) }),
  };
}

function mapHeaders(
  headers: Readonly<Record<string, HeaderObject>>,
  map: (json: JsonSchema) => JsonSchema,
): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, { ...header, schema: mapPlaces(header.schema, map) }]),
  );
}

function mapPlaces(json: JsonSchema, map: (json: JsonSchema) => JsonSchema): JsonSchema {
  const place = json[PLACE] as JsonSchema | undefined;
  return place === undefined ? mapSubschemas(json, (inner) => mapPlaces(inner, map)) : map(place);
}

/** `users_createUser` takes a `CreateUserInput`. */
function toInputName({ operationId }: OperationObject): string {
  return `${toPascal(operationId.split('_').at(-1) ?? operationId)}Input`;
}

/** `users_getUser` gives a `User`, after its group; outside groups `health` gives a `HealthOutput`. */
function toOutputName({ operationId }: OperationObject): string {
  const names = operationId.split('_');
  const group = names.at(-2);
  return group === undefined ? `${toPascal(operationId)}Output` : toSingular(toPascal(group));
}

function toPascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
