import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  subscribe,
  version,
} from 'graphql';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import type { DoorRequest, HttpDoor } from '../http/http-door.ts';
import type { Application } from '../server/application.ts';
import { findDevLink } from '../server/dev-link.ts';
import { toJsonText } from '../server/to-json-text.ts';
import { Documents, type RefusedDocument } from './documents.ts';
import { isShown, report, toGraphqlError, toRequestError, withoutSuggestion } from './errors.ts';
import { createEvents, eventFormat } from './events.ts';
import { expectFaultless, findFieldFaults } from './field-names.ts';
import { type TakenForms, toTakenForms } from './media.ts';
import type { GraphqlSettings } from './options.ts';
import { type GraphqlParams, parseParams, parseUrlParams } from './params.ts';
import { Run } from './run.ts';
import { type FieldToRun, toSchema, type WrittenSchema } from './to-schema.ts';

/** @throws Error for another version of graphql, and for capabilities that are one field */
export function createGraphqlDoor(app: Application, settings: GraphqlSettings): HttpDoor {
  expectVersion(version);
  expectFaultless(findFieldFaults(app.registry.operations, settings.names));
  const door = new GraphqlDoor(app, settings);
  if (Object.keys(settings.links).length > 0) door.prepare();
  return door;
}

/** @throws Error that says what to install */
function expectVersion(installed: string): void {
  const [major = 0, minor = 0] = installed.split('.').map(Number);
  if (major === 17 || (major === 16 && minor >= 9)) return;
  const newest = Number.parseInt(process.versions.node, 10) < 22 ? 16 : 17;
  throw new Error(
    `graphqlTransport needs graphql 16.9 to 17, and finds ${installed}: npm install graphql@${newest}`,
  );
}

interface RunnableDocument {
  readonly document: DocumentNode;
  readonly operation: 'query' | 'mutation' | 'subscription';
}

interface Parts extends WrittenSchema {
  readonly documents: Documents;
}

/** Answers requests of GraphQL over HTTP. */
class GraphqlDoor implements HttpDoor {
  readonly path: string;
  readonly transport = 'graphql';
  readonly allow = 'GET, HEAD, POST, OPTIONS';
  readonly #app: Application;
  readonly #settings: GraphqlSettings;
  /** Whether callers may read the schema. */
  readonly #isOpen: boolean;
  #made: Parts | undefined;

  constructor(app: Application, settings: GraphqlSettings) {
    this.#app = app;
    this.#settings = settings;
    this.path = settings.path;
    this.#isOpen = settings.introspection ?? findDevLink()?.allowsOrigin !== undefined;
  }

  /** Made with the first request: it takes a while for each capability. */
  get #parts(): Parts {
    this.#made ??= this.#make();
    return this.#made;
  }

  /** Makes it now. @throws Error for links that lead nowhere */
  prepare(): void {
    this.#made ??= this.#make();
  }

  #make(): Parts {
    const { operations } = this.#app.registry;
    const { names, links, limits } = this.#settings;
    const run = (field: FieldToRun): Promise<unknown> => (field.context as Run).call(field);
    const written = toSchema({ operations, names, links, maxLinks: limits.links, run });
    const documents = new Documents(written.schema, this.#settings, this.#isOpen);
    return { ...written, documents };
  }

  answer(request: DoorRequest): void {
    const { method } = request;
    if (method === 'POST')
      return request.takeJson((body) => this.#begin(request, parseParams(body)));
    if (method === 'GET' || method === 'HEAD')
      return this.#begin(request, parseUrlParams(request.url));
    request.addHeader('allow', this.allow);
    request.refuse(failure(MethodNotAllowed));
  }

  toRefusalText({ name, status, message }: Failure): string {
    return JSON.stringify({ errors: [{ message, extensions: { code: name, status } }] });
  }

  #begin(request: DoorRequest, params: Outcome<GraphqlParams>): void {
    if (!params.ok) return request.refuse(params.failure);
    request.watchLeave();
    // A stream that the server ends has a request that is over, and still gets an answer.
    this.#run(request, params.value).catch((thrown: unknown) => {
      request.refuse(this.#app.toFailure(thrown));
      void request.release();
    });
  }

  async #run(request: DoorRequest, params: GraphqlParams): Promise<void> {
    const forms = toTakenForms(request.headers['accept'] as string | undefined);
    if (forms.whole === undefined && !forms.events) return request.refuse(notAcceptable);
    const read = await this.#read(params);
    if ('errors' in read) return this.#send(request, forms, read);
    const { document, operation } = read;
    if (operation !== 'query' && request.method !== 'POST') {
      request.addHeader('allow', 'POST');
      return request.refuse(failure(MethodNotAllowed, `A ${operation} is sent by POST`));
    }
    const run = new Run(request);
    const { variables: variableValues, operationName } = params;
    const { schema } = this.#parts;
    const args = { schema, document, contextValue: run, variableValues, operationName };
    if (operation === 'subscription')
      return forms.events ? this.#subscribe(request, args, run) : request.refuse(needsEvents);
    const result = await execute(args);
    run.end();
    await request.release();
    if (request.isOpen) this.#send(request, forms, { ...result, fields: run.fields });
  }

  /** Sends the results of a subscription as events. Rejects where the server stops before the first one. */
  async #subscribe(request: DoorRequest, args: ExecutionArgs, run: Run): Promise<void> {
    const { fields } = run;
    const found = await subscribe(args);
    const results = Symbol.asyncIterator in found ? found : toOne(found);
    const events = createEvents(results, request.signal, {
      onEnd: () => {
        run.cancel();
        run.end();
        void request.release();
      },
      toText: (result) => this.#toText({ ...result, fields }),
      toFault: (thrown) => ({
        errors: [toGraphqlError(this.#app.toFailure(thrown), this.#app.logger)],
      }),
    });
    await request.sendItems(events, eventFormat);
    request.close();
  }

  /** The document of a request, and what kind of operation it asks for. */
  async #read(params: GraphqlParams): Promise<RunnableDocument | RefusedDocument> {
    const read = await this.#parts.documents.find(params);
    if ('errors' in read) return read;
    const { operationName } = params;
    const found = getOperationAST(read.document, operationName);
    if (found) return { document: read.document, operation: found.operation };
    const text =
      operationName === undefined
        ? 'The document has several operations: say which one by `operationName`.'
        : `The document has no operation ${JSON.stringify(operationName)}.`;
    return { errors: [toRequestError(new GraphQLError(text), 'GRAPHQL_VALIDATION_FAILED')] };
  }

  /** Sends a result: one without data has not been run. */
  #send(
    request: DoorRequest,
    { whole = 'application/json' }: TakenForms,
    result: FieldResult,
  ): void {
    const status = result.data !== undefined || whole === 'application/json' ? 200 : 400;
    const body = this.#toText(result);
    const headers = ['content-type', `${whole}; charset=utf-8`, 'vary', 'Accept'];
    request.send({ status, headers, body });
    request.close();
  }

  #toText({ data, errors, fields }: FieldResult): string | undefined {
    return toJsonText({ errors: errors?.map((error) => this.#toShown(error, fields)), data });
  }

  /** An error as its caller may see it. */
  #toShown(error: GraphQLError, fields: Run['fields'] | undefined): object {
    if (isShown(error)) return error.toJSON();
    const [name] = error.path ?? [];
    // Without a call of its field, the arguments are at fault.
    const field = fields?.get(String(name));
    if (field !== undefined) return report(error, field);
    const named = error.extensions['code'] === undefined ? toRequestError(error) : error;
    return this.#isOpen ? named.toJSON() : withoutSuggestion(named);
  }
}

/** A result, and the calls of its fields, by the names of these. */
interface FieldResult extends ExecutionResult {
  readonly fields?: Run['fields'];
}

/** A subscription that was not begun has one result. */
async function* toOne(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result;
}

const { MethodNotAllowed } = defaultErrors;
const toRefused = (message: string): Failure => ({ name: 'NotAcceptable', status: 406, message });
const notAcceptable = toRefused('Accept application/graphql-response+json or application/json');
const needsEvents = toRefused('A subscription is sent as events: accept text/event-stream');
