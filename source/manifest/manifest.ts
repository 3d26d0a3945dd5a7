import type { ContentKind } from '../../server-runtime/capability/answers/content.ts';
import type { Deprecation, ToolOptions } from '../../server-runtime/capability/capability-definition.ts';
import type { EnhancerKind } from '../../server-runtime/capability/enhancer.ts';
import type { SecurityScheme } from '../../server-runtime/capability/guard.ts';
import type { Intent } from '../../server-runtime/capability/intent.ts';
import type { SentField } from '../../server-runtime/capability/route/declared-request.ts';
import type { HttpMethod } from '../../server-runtime/capability/route/http-method.ts';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { RouteExplanation } from '../../server-runtime/routing/infer/explain-route.ts';
import type { RouteRule } from '../../server-runtime/routing/infer/route-rule.ts';
import type { UrlCase } from '../../server-runtime/routing/infer/url-case.ts';
import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import type { JobSettings } from '../../server-runtime/server/jobs/job.ts';
import type { BodyLimits } from '../document/facts.ts';
import type { SchemaView } from '../shape/schema-view.ts';
import type { Problem } from './problem.ts';

/** A project as the commands see it: plain JSON, so that it can come from another process. Text in it is the user's, as it was written. */
export interface Manifest {
  readonly project: {
    readonly name: string;
    /** Absolute path. */
    readonly root: string;
    /** Relative to the root: `src/capabilities.ts`. */
    readonly config: string;
  };
  readonly urlCase: UrlCase;
  /** The limits of bodies in `restOptions`; missing in a manifest that was not made of a project. */
  readonly bodyLimits?: BodyLimits | undefined;
  /** Missing in a manifest of the detail `routes`, and in one that was not made of a project. */
  readonly wire?: WireFormat | undefined;
  /** The capabilities in the order of declaration. */
  readonly capabilities: readonly ManifestCapability[];
  /** The capabilities that a queue runs, in the order of declaration; missing without a queue. */
  readonly jobs?: readonly ManifestJob[] | undefined;
  readonly problems: readonly Problem[];
  /** Absolute paths of the project's files that it was made of: what to watch. */
  readonly files: readonly string[];
  /** The document with everything that a comparison reads; missing where a list of routes is enough, and where the server would not start. */
  readonly contract?: OpenApiDocument | undefined;
  /** Only where it was asked for, and missing where the server would not start: `problems` say why. */
  readonly document?: OpenApiDocument | undefined;
}

/** The options of `restOptions` that hold for every call over HTTP. */
export interface WireFormat {
  /** The text before every path; may be empty. */
  readonly prefix: string;
  /** The field that holds the data, with dots between nested ones; null where it is sent bare. */
  readonly dataField: string | null;
  /** JSON Schema of the body of an answer with any data; missing in a lock file that was written before there was one. */
  readonly success?: JsonSchema | undefined;
  /** JSON Schema of the body of a refusal. */
  readonly failure: JsonSchema;
  /** The media type of a refusal. */
  readonly failureType: string;
  /** The status of an input that does not fit. */
  readonly validationStatus: number;
  /** Whether answers to GET have an entity tag; missing where not. */
  readonly etag?: true | undefined;
  /** The `Cache-Control` of answers to GET that declare none; missing without one. */
  readonly cacheControl?: string | undefined;
}

/** The facts of a capability that hold however it is called. */
export interface ManifestOperation {
  readonly key: string;
  /** The groups from the outermost inwards; empty at the root. */
  readonly groups: readonly string[];
  readonly name: string;
  /** The effective intent. */
  readonly intent: Intent;
  /** As declared; missing where the name alone decides. */
  readonly declaredIntent?: Intent | undefined;
  readonly guards: readonly ManifestGuard[];
  readonly inputGuards: readonly Omit<ManifestGuard, 'security'>[];
  readonly enhancers: readonly ManifestEnhancer[];
  /** The errors that the capability itself declares; those of guards and enhancers stand with them. */
  readonly errors: readonly ManifestError[];
  readonly description?: string | undefined;
  readonly deprecation?: Deprecation | undefined;
  /** Milliseconds; missing leaves the server's default. */
  readonly timeoutMs?: number | undefined;
  /** Names of the input's fields; missing where the input is not an object schema. */
  readonly inputFields?: readonly string[] | undefined;
  /** Missing where none was declared, and in a manifest of the detail `routes`. */
  readonly input?: SchemaView | undefined;
  readonly output?: SchemaView | undefined;
  /** As declared, that of a plain value first; empty where nothing is. */
  readonly answers: readonly ManifestAnswer[];
  /** The settings of its jobs; missing where no queue runs it. */
  readonly job?: JobSettings | undefined;
  /** Missing in a manifest of the detail `routes`. */
  readonly source?: ManifestSource | undefined;
}

/** A capability at its route. */
export interface ManifestCapability extends ManifestOperation {
  readonly method: HttpMethod;
  readonly path: string;
  /** The other routes that lead to it, by its second and later `.route`. */
  readonly otherRoutes: readonly { readonly method: HttpMethod; readonly path: string }[];
  /** Names of the path parameters in the order of the path. */
  readonly params: readonly string[];
  /** The fields that headers and cookies carry; missing where none do. */
  readonly sent?: readonly SentField[] | undefined;
  /** Whether a body may be `application/x-www-form-urlencoded`; missing where not. */
  readonly takesForm?: true | undefined;
  readonly rule: RouteRule;
  readonly explanation: RouteExplanation;
  /** As stated by `.cacheControl`; missing leaves it to the transport. */
  readonly cacheControl?: string | undefined;
  /** The tool that agents see; `false` hides it from them. */
  readonly tool?: false | ToolOptions | undefined;
  /** The things besides tools that it is for agents; missing where it is none. */
  readonly offers?: ManifestOffers | undefined;
}

/** A capability as a job. */
export interface ManifestJob extends ManifestOperation {
  readonly job: JobSettings;
}

export interface ManifestOffers {
  /** In the order of declaration. */
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
  /** The name of the prompt; missing where it is none. */
  readonly prompt?: string | undefined;
}

export interface ManifestError {
  readonly name: string;
  readonly status: number;
}

export interface ManifestAnswer {
  readonly status: number;
  readonly kind: ContentKind;
  /** Empty for those of its kind. */
  readonly contentTypes: readonly string[];
  readonly description?: string | undefined;
  /** The schema of the data or of each item; missing where there is none, and in a manifest of the detail `routes`. */
  readonly schema?: SchemaView | undefined;
  /** The headers by name; empty in a manifest of the detail `routes`. */
  readonly headers: Readonly<Record<string, SchemaView>>;
}

export interface ManifestGuard {
  readonly name: string;
  readonly errors: readonly ManifestError[];
  readonly security?: SecurityScheme | undefined;
}

export interface ManifestEnhancer {
  readonly name: string;
  /** Missing for those of the application, whatever their names. */
  readonly kind?: EnhancerKind | undefined;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly errors: readonly ManifestError[];
}

/** The place where a capability is declared. */
export interface ManifestSource {
  /** Relative to the project's root, with forward slashes; absolute outside it. */
  readonly file: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1. */
  readonly column: number;
}
