import type { SecurityScheme } from '../../server-runtime/capability/guard.ts';
import type { HttpMethod } from '../../server-runtime/capability/route/http-method.ts';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { RouteExplanation } from '../../server-runtime/routing/infer/explain-route.ts';
import type { JobSettings } from '../../server-runtime/server/jobs/job.ts';
import type { AnswerFacts, DocumentFacts, GuardFacts, OperationFacts, RouteFacts } from '../document/facts.ts';
import type { SchemaView } from '../document/schema-view.ts';
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
  /** The facts of the whole API; missing where a list of routes is enough, and where it was not made of a project. */
  readonly facts?: DocumentFacts | undefined;
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

/** The facts of an operation, as its document has them, and its place in the project. */
export interface ManifestOperation extends Omit<OperationFacts, 'input' | 'inputChecks'> {
  /** The groups from the outermost inwards; empty at the root. */
  readonly groups: readonly string[];
  readonly name: string;
  readonly guards: readonly ManifestGuard[];
  readonly answers: readonly ManifestAnswer[];
  /** Missing where none was declared, and in a manifest of the detail `routes`. */
  readonly input?: SchemaView | undefined;
  readonly output?: SchemaView | undefined;
  /** The settings of its jobs; missing where no queue runs it. */
  readonly job?: JobSettings | undefined;
  /** Missing in a manifest of the detail `routes`. */
  readonly source?: ManifestSource | undefined;
}

/** A capability at its route. */
export interface ManifestCapability extends ManifestOperation, Omit<RouteFacts, keyof OperationFacts> {
  readonly method: HttpMethod;
  readonly path: string;
  /** The other routes that lead to it, by its second and later `.route`. */
  readonly otherRoutes: readonly { readonly method: HttpMethod; readonly path: string }[];
  /** Names of the path parameters in the order of the path. */
  readonly params: readonly string[];
  /** Whether a body may be `application/x-www-form-urlencoded`; missing where not. */
  readonly takesForm?: true | undefined;
  readonly explanation: RouteExplanation;
}

/** A capability as a job. */
export interface ManifestJob extends ManifestOperation {
  readonly job: JobSettings;
}

export interface ManifestAnswer extends AnswerFacts {
  /** The schema of the data or of each item; missing where there is none, and in a manifest of the detail `routes`. */
  readonly schema?: SchemaView | undefined;
  /** The headers by name; empty in a manifest of the detail `routes`. */
  readonly headers: Readonly<Record<string, SchemaView>>;
}

export interface ManifestGuard extends GuardFacts {
  readonly security?: SecurityScheme | undefined;
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
