import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import type { Problem, ProblemCode } from './problem.ts';

/**
 * A project as the commands see it: its document and what is wrong with it, as plain JSON, so that it can come from
 * another process. Text in it is the user's, as it was written.
 */
export interface Manifest {
  readonly project: {
    readonly name: string;
    /** Absolute path. */
    readonly root: string;
    /** Relative to the root: `src/capabilities.ts`. */
    readonly config: string;
  };
  /**
   * The document with all facts, which `readOperations` reads; that of an outline has nothing else. Where two routes
   * clash, it has both, although no server would start.
   */
  readonly document: OpenApiDocument;
  /** The keys of the capabilities that have a route, in the order of declaration. */
  readonly keys: readonly string[];
  /** The paths of groups that have one in place of their name, by their keys. */
  readonly groupPaths?: Readonly<Record<string, string>> | undefined;
  /** The paths of handlers that `restOptions` mounts, with the prefix. */
  readonly mounts?: readonly string[] | undefined;
  readonly problems: readonly Problem[];
  /** Absolute paths of the project's files that it was made of: what to watch. */
  readonly files: readonly string[];
  /** The document for callers, where the load includes it and routes do not clash. */
  readonly published?: OpenApiDocument | undefined;
}

/** The document as callers can rely on it; undefined where no server starts with its routes. */
export function findContract({ document, problems }: Manifest): Manifest['document'] | undefined {
  return problems.some(({ code }) => clashes.includes(code)) ? undefined : document;
}

const clashes: readonly ProblemCode[] = ['duplicate-route', 'invalid-override'];
