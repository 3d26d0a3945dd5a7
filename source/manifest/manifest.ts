import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { findDocumentFacts } from '../document/facts.ts';
import { type ApiOperation, JOB } from '../document/operations/api-operation.ts';
import { readJobs, readOperations } from '../document/operations/read-operations.ts';
import { remember } from '../values/once.ts';
import type { CheckRuleId, Problem } from './check-rules.ts';

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

const clashes: readonly CheckRuleId[] = ['duplicate-route', 'invalid-override'];

/** A capability of the project at its first route, or as a job. */
export interface Listed extends ApiOperation {
  readonly facts: NonNullable<ApiOperation['facts']>;
}

type Documented = Pick<Manifest, 'document' | 'keys'>;

/** The capabilities in the order of declaration. The same list for the same document. */
export function toCapabilities(manifest: Documented): readonly Listed[] {
  return toLists(manifest).capabilities;
}

/** Everything that is listed: the capabilities, then the jobs. The same list for the same document. */
export function toListed(manifest: Documented): readonly Listed[] {
  return toLists(manifest).all;
}

interface Lists {
  readonly capabilities: readonly Listed[];
  readonly all: readonly Listed[];
}

const known = new WeakMap<object, Lists>();

function toLists({ document, keys }: Documented): Lists {
  return remember(known, document, () => {
    const main = readOperations(document).filter(
      (each): each is Listed => each.isMain && each.facts !== undefined,
    );
    const byKey = new Map(main.map((operation) => [operation.key, operation]));
    const capabilities = keys.flatMap((key) => byKey.get(key) ?? []);
    return { capabilities, all: [...capabilities, ...toJobs({ document })] };
  });
}

/** The capabilities that a queue runs, in the order of declaration. */
export function toJobs({ document }: Pick<Manifest, 'document'>): readonly Listed[] {
  return readJobs(document) as readonly Listed[];
}

/** The place where a capability of a project is declared. */
export function findSource(
  manifest: Documented | undefined,
  key: string | undefined,
): Listed['facts']['source'] {
  return manifest && toListed(manifest).find((listed) => listed.key === key)?.facts.source;
}

export function hasQueue({ document }: Pick<Manifest, 'document'>): boolean {
  return findDocumentFacts(document)?.queuePrefixes !== undefined;
}

export function hasRoute({ method }: Pick<ApiOperation, 'method'>): boolean {
  return method !== JOB;
}

/** The notice where the user wants of a job what only a route has, such as its curl command. */
export const NO_ROUTE = 'Only the queue runs it; capix call runs it without a screen';
