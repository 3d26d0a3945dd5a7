import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { andThen, type MaybePromise } from '../../errors/maybe-promise.ts';
import type { GraphqlParams } from '../requests/params.ts';
import { toRequestError } from '../schema/errors.ts';
import { findExcess } from './limits.ts';
import type { GraphqlSettings } from './options.ts';

/** Why a document cannot be run. */
export interface RefusedDocument {
  readonly errors: readonly GraphQLError[];
}

export type ReadDocument = RefusedDocument | { readonly document: DocumentNode };

/** As many documents are known, the oldest of which is forgotten. A longer one is read each time. */
const MAX_DOCUMENTS = 1000;
const MAX_LENGTH = 10_000;

/** Reads documents, each text once. */
export class Documents {
  readonly #schema: GraphQLSchema;
  readonly #settings: GraphqlSettings;
  readonly #known = new Map<string, DocumentNode>();
  readonly #rules: typeof specifiedRules;

  constructor(schema: GraphQLSchema, settings: GraphqlSettings, introspection: boolean) {
    this.#schema = schema;
    this.#settings = settings;
    this.#rules = introspection
      ? specifiedRules
      : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  }

  /** Finds the document that a request sends, or names by an id. Throws what the application throws. */
  find(params: GraphqlParams): MaybePromise<ReadDocument> {
    const { id } = params;
    const known = id === undefined ? undefined : this.#settings.findDocument?.(id);
    return andThen(known, (text) => this.#find(text, params));
  }

  #find(known: string | undefined, { query, id }: GraphqlParams): ReadDocument {
    const { onlyDocuments } = this.#settings;
    if (known !== undefined) return this.#read(known);
    if (query !== undefined && !onlyDocuments) return this.#read(query);
    if (id !== undefined) return toFault('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
    const text = 'Only documents that this server knows are run: send the id of one.';
    return toFault(onlyDocuments ? text : 'The request has no `query`.', 'BadRequest');
  }

  #read(text: string): ReadDocument {
    const known = this.#known.get(text);
    if (known !== undefined) return { document: known };
    const { limits } = this.#settings;
    let document: DocumentNode;
    try {
      document = parse(text, { maxTokens: limits.tokens });
    } catch (error) {
      return { errors: [toRequestError(error as GraphQLError, 'GRAPHQL_PARSE_FAILED')] };
    }
    // Before the rules of GraphQL, of which some take long for a document that is large.
    const excess = findExcess(document, limits);
    if (excess !== undefined) return toFault(excess, 'GRAPHQL_VALIDATION_FAILED');
    const errors = validate(this.#schema, document, this.#rules, { maxErrors: 20 });
    if (errors.length > 0)
      return { errors: errors.map((each) => toRequestError(each, 'GRAPHQL_VALIDATION_FAILED')) };
    if (text.length <= MAX_LENGTH) this.#keep(text, document);
    return { document };
  }

  #keep(text: string, document: DocumentNode): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_DOCUMENTS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(text, document);
  }
}

function toFault(message: string, code: string): ReadDocument {
  return { errors: [toRequestError(new GraphQLError(message), code)] };
}
