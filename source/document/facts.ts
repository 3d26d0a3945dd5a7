import type { ContentKind } from '../../server-runtime/capability/content.ts';
import type { Deprecation, Intent, ToolOptions } from '../../server-runtime/capability/definition.ts';
import type { EnhancerKind } from '../../server-runtime/capability/enhancer.ts';
import type { SentField } from '../../server-runtime/capability/http.ts';
import type { KeyRule } from '../../server-runtime/enhancers/with-idempotency.ts';
import type { UrlCase } from '../../server-runtime/routing/infer-route.ts';
import type { RouteRule } from '../../server-runtime/routing/route.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';

/**
 * The keyword of what a document of the tool says beside OpenAPI. No published document has it, or any other that
 * begins so.
 */
export const FACTS = 'x-capix';

/** The number of the form in which facts are written; a reader of another one refuses the document. */
export const FACTS_VERSION = 2;

/** `x-capix` of a document: what holds for the whole API. */
export interface DocumentFacts {
  readonly version: typeof FACTS_VERSION;
  readonly urlCase: UrlCase;
  readonly prefix: string;
  readonly envelope: EnvelopeFacts;
  readonly bodyLimits: BodyLimits;
  readonly cors: CorsFacts | false;
  /** Whether calls are taken by their keys, as the inferred client sends them. */
  readonly calls: boolean;
  /** Milliseconds; missing leaves it to the server. */
  readonly timeoutMs?: number;
  readonly etag?: true;
  /** The `Cache-Control` of responses to GET that declare none. */
  readonly cacheControl?: string;
  /** The options `prefix` of its queues, those that are given; missing without a queue. */
  readonly queuePrefixes?: readonly string[];
}

/** The JSON around data and errors. The body of an error is the component `Error`. */
export interface EnvelopeFacts {
  /** The names of the fields that lead to the data, from the outside in; empty where it is sent bare. */
  readonly dataPath: readonly string[];
  /** The body around any data. */
  readonly success: JsonSchema;
  /** Whether the application writes the body of an error itself. */
  readonly isOwnError: boolean;
  readonly errorType: string;
  readonly validationStatus: number;
}

/** The limits of what a request may send, bytes and counts. */
export interface BodyLimits {
  readonly maxBodySize: number;
  /** Undefined where forms are refused. */
  readonly forms?: Readonly<Record<'maxFileSize' | 'maxFiles' | 'maxFieldsSize' | 'maxParts', number>> | undefined;
}

export interface CorsFacts {
  /** `*`, an origin, or `(function)`. */
  readonly origin: string;
  readonly methods: string;
  readonly headers: string;
  readonly exposeHeaders?: string;
  readonly credentials: boolean;
}

/** `x-capix` of an operation or a job, however it is called. */
export interface OperationFacts {
  /** `users.getUser` */
  readonly key: string;
  readonly intent: Intent;
  /** As declared; missing where the name alone decides. */
  readonly declaredIntent?: Intent;
  /** As written; the document has its first sentence as the summary. */
  readonly description?: string;
  readonly deprecation?: Deprecation;
  readonly guards: readonly GuardFacts[];
  readonly inputGuards: readonly StepFacts[];
  readonly enhancers: readonly EnhancerFacts[];
  /** The errors that the capability itself declares; those of guards and enhancers stand with them. */
  readonly errors: readonly ErrorName[];
  /** Milliseconds; missing leaves the server's default. */
  readonly timeoutMs?: number;
  /** Names of the input's fields; missing where the input is not an object schema. */
  readonly inputFields?: readonly string[];
  /** The whole input, as agents and the inferred client send it; of a job it stands beside the facts. */
  readonly input?: JsonSchema;
  /** The checks of an input of another library than zod, which are code and stand nowhere in its JSON Schema. */
  readonly inputChecks?: readonly string[];
  /** As declared, that of a plain value first; empty where nothing is. */
  readonly answers: readonly AnswerFacts[];
  /** Only in a manifest: missing where no code of the project declared it. */
  readonly source?: SourceFacts;
}

/** The place where a capability is declared; line and column are counted from 1. */
export interface SourceFacts {
  /** Relative to the project's root, with forward slashes; absolute outside it. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `x-capix` of an operation at its first route. */
export interface RouteFacts extends OperationFacts {
  readonly rule: RouteRule;
  /** The parameter that takes the rest of the path. */
  readonly wildcard?: string;
  readonly sent?: readonly SentField[];
  /** Whether calls may carry an `Idempotency-Key`, or must; missing where they carry none. */
  readonly idempotencyKey?: KeyRule;
  readonly cacheControl?: string;
  /** The tool that agents see; `false` hides it from them. */
  readonly tool?: false | ToolOptions;
  readonly offers?: AgentOffers;
}

/** `x-capix` of an operation at its second and later routes: the rest stands at the first. */
export interface OtherRouteFacts {
  readonly key: string;
  readonly isOther: true;
  readonly wildcard?: string;
}

export interface StepFacts {
  readonly name: string;
  readonly errors: readonly ErrorName[];
}

export interface GuardFacts extends StepFacts {
  /**
   * The credentials that do, by their names among the `securitySchemes` of the document; missing where it names none.
   */
  readonly credentials?: readonly string[];
  readonly scopes?: readonly string[];
  readonly isOptional?: true;
}

export interface EnhancerFacts extends StepFacts {
  /** Missing for those of the application, whatever their names. */
  readonly kind?: EnhancerKind;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

export interface ErrorName {
  readonly status: number;
  readonly name: string;
}

export interface AnswerFacts {
  readonly status: number;
  readonly kind: ContentKind;
  /** Media types with their parameters; empty for those of its kind. */
  readonly contentTypes: readonly string[];
  readonly description?: string;
}

export interface AgentOffers {
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
  /** The name of the prompt; missing where it is none. */
  readonly prompt?: string;
}
