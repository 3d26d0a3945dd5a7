import { pathToFileURL } from 'node:url';
import { isCapability } from '../../server-runtime/capability/capability.ts';
import { isContextBuilder } from '../../server-runtime/capability/context.ts';
import { rememberDeclarations } from '../../server-runtime/capability/definition.ts';
import type { GroupTree } from '../../server-runtime/capability/group-tree.ts';
import {
  type HasGraphqlSettings,
  SETTINGS,
} from '../../server-runtime/graphql/execution/options.ts';
import {
  type CompiledRegistry,
  compileWithFaults,
  type OperationFault,
  toRegistry,
} from '../../server-runtime/registry/compile-registry.ts';
import type { Guest } from '../../server-runtime/server/guests.ts';
import { findQueueInternals } from '../../server-runtime/server/job.ts';
import { parseRestOptions } from '../document/parse-rest-options.ts';
import type { LoadedGraphql, LoadedJobs, LoadedRegistry } from '../manifest/loaded-registry.ts';
import type { Project } from '../manifest/project.ts';
import { mapStacks } from '../system/run-user-code.ts';
import { installHooks } from './hooks/install-hooks.ts';
import { isCommonJs } from './hooks/own-file.ts';
import { LoadError, toConfigFailure, toImportFailure } from './load-failure.ts';

export interface ReadRegistryOptions {
  /** Runs the module at an absolute path, and gives its namespace. @default without a limit of time */
  readonly importFile?: (file: string) => Promise<unknown>;
  /** Whether capabilities are read that a server does not start with. @default true */
  readonly withFaults?: boolean | undefined;
}

/** Has the code that is imported from now on remember where it declares what, in its source files. */
export function observeCode(): void {
  rememberDeclarations();
  mapStacks();
}

/**
 * Runs the project's capabilities file in this process, once, and reads its group tree: the export `capabilities`, else
 * `default`, else all named exports.
 * @throws LoadError
 */
export async function readRegistry(
  project: Project,
  {
    importFile = (file) => import(pathToFileURL(file).href),
    withFaults = true,
  }: ReadRegistryOptions = {},
): Promise<LoadedRegistry> {
  const { files } = installHooks();
  observeCode();
  const imported = await importFile(project.entryFile).catch((error: unknown) => {
    throw new LoadError(toImportFailure(error, project, files()), error);
  });
  try {
    const exports = toExports(imported as Exports, project.entryFile);
    const faults: OperationFault[] = [];
    const registry = compileWithFaults(findGroupTree(exports), (fault) => faults.push(fault));
    const context = isContextBuilder(exports['context']) ? exports['context'] : undefined;
    const restOptions = parseRestOptions(exports['restOptions']);
    const jobs = findJobs(exports);
    const webSockets = findWebSockets(exports, restOptions.prefix);
    const graphql = findGraphql(exports, registry);
    if (!withFaults && faults[0] !== undefined) throw faults[0].error;
    return {
      kind: 'loaded',
      project,
      registry,
      faults,
      restOptions,
      context,
      jobs,
      webSockets,
      graphql,
      files: files(),
    };
  } catch (error) {
    throw new LoadError(toConfigFailure(error, project), error);
  }
}

/** The exports of a module, or of CommonJS what it has assigned. */
function toExports(imported: Exports, file: string): Exports {
  if ('capabilities' in imported) return imported;
  const whole = 'module.exports' in imported || '__esModule' in imported || isCommonJs(file);
  return whole && Object(imported['default']) === imported['default']
    ? Object(imported['default'])
    : imported;
}

type Exports = Readonly<Record<string, unknown>>;

function findJobs(exports: Exports): LoadedJobs | undefined {
  const queues = Object.values(exports).flatMap((value) => findQueueInternals(value) ?? []);
  if (queues.length === 0) return undefined;
  const faults: OperationFault[] = [];
  const compiled = queues.map(({ capabilities }) =>
    compileWithFaults(capabilities, (fault) => faults.push(fault)),
  );
  return {
    registry: toRegistry(compiled.flatMap(({ operations }) => operations)),
    faults,
    settings: new Map(queues.flatMap(({ settings }) => [...settings])),
    prefixes: queues.flatMap(({ prefix }) => prefix ?? []),
  };
}

/** The connections of the transports that are exported, as the document of their host names them. */
function findWebSockets(exports: Exports, prefix = ''): LoadedRegistry['webSockets'] {
  const transports = Object.values(exports).filter(
    (value) => typeof Object(value).describe === 'function' && 'start' in Object(value),
  ) as readonly Pick<Guest, 'describe'>[];
  return transports.flatMap((transport) => transport.describe?.(prefix) ?? []);
}

/** The first transport of GraphQL that is exported, with its own capabilities where it has some. */
function findGraphql(exports: Exports, all: CompiledRegistry): LoadedGraphql | undefined {
  const transport = Object.values(exports).find((value) => SETTINGS in Object(value));
  if (transport === undefined) return undefined;
  const { [SETTINGS]: settings, capabilities } = transport as HasGraphqlSettings;
  const registry = capabilities === undefined ? all : compileWithFaults(capabilities, () => {});
  const { names, links, path, webSocket } = settings;
  return { registry, names, links, path, webSocket };
}

function findGroupTree(exports: Exports): GroupTree {
  if (exports['capabilities'] !== undefined)
    return expectTree('the export `capabilities`', exports['capabilities']);
  if (Object.keys(exports).join() === 'default')
    return expectTree('the export `default`', exports['default']);
  return isTree(exports['default']) ? exports['default'] : expectTree('`module.exports`', exports);
}

function expectTree(name: string, exported: unknown): GroupTree {
  if (isTree(exported)) return exported;
  const kind = exported === null ? 'null' : typeof exported;
  throw new TypeError(
    `${name} is ${isCapability(exported) ? 'one capability' : kind}, not ` +
      'groups of capabilities. ' +
      'Export groups: `export const capabilities = { users: { getUser } };`',
  );
}

/** What is in its groups, `compileWithFaults` says. */
function isTree(value: unknown): value is GroupTree {
  return typeof value === 'object' && value !== null && !isCapability(value);
}
