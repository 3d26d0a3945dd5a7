import type { ContextBuilder } from '../../server-runtime/capability/context.ts';
import type { GraphqlSettings } from '../../server-runtime/graphql/execution/options.ts';
import {
  type CompiledRegistry,
  type OperationFault,
  toRegistry,
} from '../../server-runtime/registry/compile-registry.ts';
import type { WebSocketObject } from '../../server-runtime/server/guests.ts';
import type { JobSettings } from '../../server-runtime/server/job.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import type { Project } from './project.ts';

/** The project's capabilities as its own code declared them. */
export interface LoadedRegistry {
  readonly kind: 'loaded';
  readonly project: Project;
  readonly registry: CompiledRegistry;
  /** The operations that a server does not start with, and that fail when they are called. @default none */
  readonly faults?: readonly OperationFault[] | undefined;
  /** The value of the export `restOptions`; `{}` without it. */
  readonly restOptions: SharedRestOptions;
  /** The export `context`, where `defineContext` made it. */
  readonly context?: ContextBuilder | undefined;
  /** The jobs of the queue transports that the capabilities file exports; missing without one. */
  readonly jobs?: LoadedJobs | undefined;
  /** The connections of the `webSocketTransport` that the capabilities file exports. @default none */
  readonly webSockets?: readonly WebSocketObject[] | undefined;
  /** The fields of the `graphqlTransport` that the capabilities file exports; missing without one. */
  readonly graphql?: LoadedGraphql | undefined;
  /** Absolute paths of the project's files that were loaded: what to watch. */
  readonly files: readonly string[];
}

/** The capabilities that are fields of GraphQL, with the names and the links that the project gives them. */
export interface LoadedGraphql extends Pick<GraphqlSettings, 'names' | 'links' | 'path'> {
  /** Whether it takes WebSockets, for which a server needs another package. @default false */
  readonly webSocket?: boolean | undefined;
  readonly registry: CompiledRegistry;
}

/** The capabilities that run as jobs. */
export interface LoadedJobs extends Pick<LoadedRegistry, 'faults'> {
  readonly registry: CompiledRegistry;
  /** The settings by key, with every default applied. */
  readonly settings: ReadonlyMap<string, JobSettings>;
  /** The options `prefix` of the queues that have one. @default none */
  readonly prefixes?: readonly string[] | undefined;
}

/** The jobs with their settings, in the order of declaration. */
export function toLoadedJobs(jobs: LoadedJobs | undefined) {
  return (jobs?.registry.operations ?? []).flatMap((operation) => {
    const settings = jobs?.settings.get(operation.key);
    return settings === undefined ? [] : [{ operation, settings }];
  });
}

/** Everything that can be called in this process: the capabilities, and those that only a queue runs. */
export function toCallableRegistry({
  registry,
  jobs,
}: Pick<LoadedRegistry, 'registry' | 'jobs'>): CompiledRegistry {
  if (jobs === undefined) return registry;
  const own = jobs.registry.operations.filter(({ key }) => registry.find(key) === undefined);
  return toRegistry([...registry.operations, ...own]);
}
