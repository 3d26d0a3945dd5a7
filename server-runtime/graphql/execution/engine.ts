import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  version,
} from 'graphql';
import { andThen, type MaybePromise } from '../../errors/maybe-promise.ts';
import type { Application } from '../../server/application.ts';
import { findDevLink } from '../../server/dev-link.ts';
import { toJsonText } from '../../server/to-json-text.ts';
import type { GraphqlParams } from '../requests/params.ts';
import {
  isShown,
  report,
  toGraphqlError,
  toRequestError,
  withoutSuggestion,
} from '../schema/errors.ts';
import { expectFaultless, findFieldFaults } from '../schema/field-names.ts';
import { type FieldToRun, toSchema, type WrittenSchema } from '../schema/to-schema.ts';
import { Documents, type ReadDocument, type RefusedDocument } from './documents.ts';
import type { GraphqlSettings } from './options.ts';
import type { Run } from './run.ts';

/** @throws Error for another version of graphql, and for capabilities that are one field */
export function createEngine(app: Application, settings: GraphqlSettings): Engine {
  expectVersion(version);
  expectFaultless(findFieldFaults(app.registry.operations, settings.names));
  const engine = new Engine(app, settings);
  if (Object.keys(settings.links).length > 0) engine.prepare();
  return engine;
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
  readonly definition: OperationDefinitionNode;
}

/** A result, and the calls of its fields, by the names of these. */
export interface FieldResult extends ExecutionResult {
  readonly fields?: Run['fields'];
}

interface Parts extends WrittenSchema {
  readonly documents: Documents;
}

/** The schema of an application, its documents and the texts of its results, whatever carries these. */
export class Engine {
  readonly app: Application;
  readonly #settings: GraphqlSettings;
  /** Whether callers may read the schema. */
  readonly #isOpen: boolean;
  /** Whether a browser that opens the path gets a page on which documents are written: under `capix dev`. */
  readonly hasPage: boolean;
  #made: Parts | undefined;

  constructor(app: Application, settings: GraphqlSettings) {
    this.app = app;
    this.#settings = settings;
    const isUnderDev = findDevLink()?.allowsOrigin !== undefined;
    this.#isOpen = settings.introspection ?? isUnderDev;
    this.hasPage = isUnderDev && this.#isOpen;
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
    const { operations } = this.app.registry;
    const { names, links, limits } = this.#settings;
    const run = (field: FieldToRun): MaybePromise<unknown> => (field.context as Run).call(field);
    const written = toSchema({ operations, names, links, maxLinks: limits.links, run });
    const documents = new Documents(written.schema, this.#settings, this.#isOpen);
    return { ...written, documents };
  }

  /** What graphql executes; the operation begins with it. */
  toArguments(
    { document, definition }: RunnableDocument,
    { variables: variableValues, operationName }: GraphqlParams,
    run: Run,
  ): ExecutionArgs {
    const { schema } = this.#parts;
    this.app.onOperation?.({
      request: run.carrier,
      kind: definition.operation,
      title: toTitle(definition),
    });
    return { schema, document, contextValue: run, variableValues, operationName };
  }

  /** The document of a request, and what kind of operation it asks for. */
  read(params: GraphqlParams): MaybePromise<RunnableDocument | RefusedDocument> {
    return andThen(this.#parts.documents.find(params), toRunnable, params);
  }

  toText({ data, errors, fields }: FieldResult): string | undefined {
    return toJsonText({ errors: errors && this.toShown(errors, fields), data });
  }

  /** Errors as their caller may see them. */
  toShown(errors: readonly GraphQLError[], fields?: Run['fields']): readonly object[] {
    return errors.map((error) => this.#toShown(error, fields));
  }

  /** The last result of a subscription whose source has thrown. */
  toFault(thrown: unknown): FieldResult {
    return { errors: [toGraphqlError(this.app.toFailure(thrown), this.app.logger)] };
  }

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

function toTitle({ name, selectionSet }: OperationDefinitionNode): string {
  if (name !== undefined) return name.value;
  const fields = selectionSet.selections.map((each) => {
    if (each.kind === Kind.FIELD) return each.name.value;
    return each.kind === Kind.FRAGMENT_SPREAD ? `...${each.name.value}` : '...';
  });
  return `{ ${fields.join(' ')} }`;
}

function toRunnable(
  read: ReadDocument,
  { operationName }: GraphqlParams,
): RunnableDocument | RefusedDocument {
  if ('errors' in read) return read;
  const found = getOperationAST(read.document, operationName);
  if (found) return { document: read.document, definition: found };
  const text =
    operationName === undefined
      ? 'The document has several operations: say which one by `operationName`.'
      : `The document has no operation ${JSON.stringify(operationName)}.`;
  return { errors: [toRequestError(new GraphQLError(text), 'GRAPHQL_VALIDATION_FAILED')] };
}
