import { type JsonSchema, mapSubschemas } from '../../../server-runtime/schema/json-schema.ts';
import type { JobSettings } from '../../../server-runtime/server/job.ts';
import { once, onceFor } from '../../values/once.ts';
import type { ApiSchema } from '../branch.ts';
import { findDocumentFacts } from '../facts.ts';
import {
  findReference,
  follow,
  isSchemaObject,
  listOf,
  recordOf,
  type SchemaJson,
  textOf,
  toTexts,
} from '../schema-json.ts';
import type {
  ApiBody,
  ApiOperation,
  ApiParameter,
  ApiResponse,
  ApiRoute,
  Credential,
  DocumentedError,
  OperationSource,
  SharedPart,
} from './api-operation.ts';
import { toInput, toParameters } from './to-parameters.ts';
import { toApiContents, toDocumentedErrors, toResponse } from './to-response.ts';

/** The parts of a document that say all of an operation. */
interface OperationParts
  extends Pick<ApiOperation, 'key' | 'template'>,
    Partial<Pick<ApiOperation, 'otherRoutes' | 'facts' | 'reference'>> {
  readonly document: SchemaJson;
  /** Whether the tool wrote the document, so that the key has groups. */
  readonly isOurs: boolean;
  readonly route: ApiRoute;
  /** The path item; empty for a job. */
  readonly item: SchemaJson;
  /** The operation object. */
  readonly object: SchemaJson;
  /** @default true */
  readonly isMain?: boolean;
  /** The whole input, where the document says it beside the parameters and the body. */
  readonly input?: unknown;
  readonly job?: JobSettings;
  /** What the server calls in its turn. */
  readonly toCallbacks?: (callbacks: unknown) => readonly ApiOperation[];
}

/** A response of an operation. */
interface StatusPlace extends SharedPart {
  readonly status: string;
  readonly response: SchemaJson;
}

/**
 * An operation that reads each part of the document when somebody first needs it. A comparison of two large documents
 * makes thousands of operations, and of most it needs only the route.
 */
export class DocumentOperation implements ApiOperation {
  readonly #parts: OperationParts;
  #parameters: readonly ApiParameter[] | undefined;
  readonly #body = once(() => this.#toBody());
  #statuses: readonly StatusPlace[] | undefined;
  #responses: readonly ApiResponse[] | undefined;
  #errors: readonly DocumentedError[] | undefined;
  #security: ApiOperation['security'] | undefined;
  #callbacks: readonly ApiOperation[] | undefined;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly otherRoutes: readonly ApiRoute[];

  constructor(parts: OperationParts) {
    this.#parts = parts;
    this.key = parts.key;
    this.method = parts.route.method;
    this.path = parts.route.path;
    this.otherRoutes = parts.otherRoutes ?? [];
  }

  toMoved(toPath: (path: string) => string): ApiOperation {
    const move = ({ method, path }: ApiRoute): ApiRoute => ({ method, path: toPath(path) });
    const { route } = this.#parts;
    const otherRoutes = this.otherRoutes.map(move);
    return new DocumentOperation({ ...this.#parts, route: move(route), otherRoutes });
  }

  get reference(): string | undefined {
    return this.#parts.reference;
  }

  get groups(): readonly string[] {
    return this.#parts.isOurs ? this.key.split('.').slice(0, -1) : [];
  }

  get name(): string {
    return this.#parts.isOurs ? this.key.slice(this.key.lastIndexOf('.') + 1) : this.key;
  }

  get template(): string {
    return this.#parts.template;
  }

  get isMain(): boolean {
    return this.#parts.isMain ?? true;
  }

  get params(): readonly string[] {
    return [...this.template.matchAll(/\{([^{}]+)\}/g)].flatMap((match) => match[1] ?? []);
  }

  get operationId(): string | undefined {
    return textOf(this.#parts.object['operationId']);
  }

  get summary(): string | undefined {
    return this.#findText('summary');
  }

  get description(): string | undefined {
    return this.#findText('description');
  }

  /** That of the operation, else that of its path. */
  #findText(keyword: string): string | undefined {
    return textOf(this.#parts.object[keyword]) ?? textOf(this.#parts.item[keyword]);
  }

  get isDeprecated(): boolean {
    return this.#parts.object['deprecated'] === true;
  }

  get parameters(): readonly ApiParameter[] {
    const { item, object, document, facts } = this.#parts;
    this.#parameters ??= toParameters([item, object], document, facts);
    return this.#parameters;
  }

  get body(): ApiBody | undefined {
    return this.#body();
  }

  #toBody(): ApiBody | undefined {
    const { document } = this.#parts;
    const body = this.#requestBody;
    if (!isSchemaObject(body['content'])) return undefined;
    return {
      reference: findReference(this.#parts.object['requestBody']),
      isRequired: body['required'] === true,
      contents: toApiContents(body, document),
    };
  }

  get #requestBody(): SchemaJson {
    return follow(this.#parts.object['requestBody'], this.#parts.document);
  }

  readonly input = once(() => this.#toInput());

  #toInput(): ApiSchema | undefined {
    const { document, facts, job, input } = this.#parts;
    if (facts === undefined && job === undefined)
      return toInput(this.parameters, this.#requestBody, document);
    // A schema that is not an object admits anything, and no author declared it.
    return isSchemaObject(input) ? { json: input, root: document } : undefined;
  }

  readonly declaredInput = once(() => toDeclaredInput(this.input()));

  get responses(): readonly ApiResponse[] {
    const { document, facts } = this.#parts;
    const dataField = findDocumentFacts(document)?.envelope.dataField;
    this.#responses ??= this.#findStatuses(true).map(({ status, response, reference }) =>
      toResponse(status, response, { document, facts, dataField, reference }),
    );
    return this.#responses;
  }

  get errors(): readonly DocumentedError[] {
    const { document } = this.#parts;
    this.#errors ??= this.#findStatuses(false).flatMap(({ status, response, reference }) =>
      toDocumentedErrors(status, response, { document, reference }),
    );
    return this.#errors;
  }

  #findStatuses(areGood: boolean): readonly StatusPlace[] {
    const { object, document } = this.#parts;
    this.#statuses ??= Object.entries(recordOf(object['responses'])).map(
      ([status, json]): StatusPlace => ({
        reference: findReference(json),
        status,
        response: follow(json, document),
      }),
    );
    return this.#statuses.filter(({ status }) => /^[123]/.test(status) === areGood);
  }

  get security(): ApiOperation['security'] {
    const { object, document } = this.#parts;
    this.#security ??= toSecurity(object['security'] ?? document['security'], document);
    return this.#security;
  }

  get facts(): ApiOperation['facts'] {
    return this.#parts.facts;
  }

  get job(): JobSettings | undefined {
    return this.#parts.job;
  }

  get source(): OperationSource | undefined {
    const { job, object, item } = this.#parts;
    return job === undefined ? { operation: object, pathItem: item } : undefined;
  }

  get servers(): readonly string[] {
    const { object, item } = this.#parts;
    return toServers(object['servers'] ?? item['servers']);
  }

  get callbacks(): readonly ApiOperation[] {
    const { object, toCallbacks } = this.#parts;
    this.#callbacks ??= toCallbacks?.(object['callbacks']) ?? [];
    return this.#callbacks;
  }

  get document(): object {
    return this.#parts.document;
  }
}

/** The addresses of servers in the order of the document. */
export function toServers(servers: unknown): readonly string[] {
  return listOf(servers).flatMap((server) => textOf(recordOf(server)['url']) ?? []);
}

function toSecurity(security: unknown, document: SchemaJson): ApiOperation['security'] {
  const schemes = recordOf(recordOf(document['components'])['securitySchemes']);
  return listOf(security).map((choice) =>
    Object.entries(recordOf(choice)).map(
      ([name, scopes]): Credential => ({
        name,
        scheme: follow(schemes[name], document),
        scopes: listOf(scopes).map(String),
      }),
    ),
  );
}

/** An input as its author declared it, where a document of the tool says so: of `z.coerce.number()` a number. */
function toDeclaredInput(input: ApiSchema | undefined): ApiSchema | undefined {
  if (input === undefined || !isSchemaObject(input.json)) return input;
  return { json: withoutCoercion(input.json), root: toDeclaredRoot(recordOf(input.root)) };
}

/** The components of a document as their authors wrote them. */
const toDeclaredRoot = onceFor((root: SchemaJson): object => {
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas']));
  const written = schemas.map(([name, json]) => [name, withoutCoercion(json as JsonSchema)]);
  return { components: { schemas: Object.fromEntries(written) } };
});

/** `coerce boolean` says what texts become; of another coercion the first type is that which the author wrote. */
function withoutCoercion(json: JsonSchema): JsonSchema {
  if (!isSchemaObject(json)) return json;
  const inside = mapSubschemas(json, withoutCoercion);
  const { 'x-capix-checks': checks, type } = inside;
  const word = toTexts(checks).find((check) => /^coerce\b/.test(check));
  if (word === undefined) return inside;
  return {
    ...inside,
    type: Array.isArray(type) ? (type as readonly unknown[])[0] : (word.split(' ')[1] ?? type),
  };
}
