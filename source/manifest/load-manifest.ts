import type { CapabilityDefinition } from '../../server-runtime/capability/capability-definition.ts';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { explainRoute } from '../../server-runtime/routing/infer/explain-route.ts';
import type { Route } from '../../server-runtime/routing/route.ts';
import { toRouteTable } from '../../server-runtime/routing/route-table.ts';
import type { JobSettings } from '../../server-runtime/server/jobs/job.ts';
import { CliError } from '../cli/errors/cli-error.ts';
import type { OperationFacts } from '../document/facts.ts';
import { toDocumentFacts, toOperationFacts, toRouteFacts } from '../document/operation-facts.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import type { LoadedJobs, LoadedRegistry } from './loaded-registry.ts';
import type { Manifest, ManifestCapability, ManifestJob } from './manifest.ts';
import type { OperationSchemas } from './operations/operation-schemas.ts';
import { toDeclarationSource } from './places/declaration-source.ts';
import { toProjectPath } from './project.ts';
import { toRouteProblems } from './to-route-problems.ts';

/** The detail in which a manifest is made. */
export type ManifestDetail = 'routes' | 'places' | 'contract' | 'full';

export interface ToManifestOptions {
  /**
   * `contract` leaves out the problems that do not concern routes; `places` the schemas, too; `routes` all that costs time: the places in the source, too.
   * @default 'full'
   */
  readonly detail?: ManifestDetail;
  /** Asks for the OpenAPI document with these options. @default none */
  readonly document?: OpenApiOptions | undefined;
}

/** Gives what the commands show of a project, as plain JSON. */
export async function loadManifest(
  loaded: LoadedRegistry,
  { detail = 'full', document }: ToManifestOptions = {},
): Promise<Manifest> {
  const { project, registry, restOptions, jobs, files } = loaded;
  const { routes, others, problems } = toRouteTable(registry.operations, restOptions);
  const toSchemas = await loadToSchemas(detail);
  const place = { root: project.root, detail, jobs: jobs?.settings, toSchemas };
  const capabilities = routes.map((route) => toCapability(route, { ...place, others, restOptions }));
  const about = { name: project.name, root: project.root, config: toProjectPath(project.entryFile, project.root) };
  const manifest = {
    project: about,
    capabilities,
    ...(jobs === undefined ? {} : { jobs: toJobs(jobs, place) }),
    problems: toRouteProblems(problems, { capabilities, project: about, files }),
    files,
    ...(document === undefined ? {} : { document: await loadDocument(loaded, document) }),
  };
  if (toSchemas === undefined) return manifest;
  const facts = toDocumentFacts(restOptions, jobs?.prefixes);
  const contract = { ...manifest, facts, contract: await loadContract(loaded) };
  return detail === 'contract' ? contract : withProblems(contract, loaded);
}

async function withProblems(
  manifest: Manifest,
  { registry: { operations }, faults = [], jobs }: Pick<LoadedRegistry, 'registry' | 'faults' | 'jobs'>,
): Promise<Manifest> {
  const { findProblems } = await import('./find-problems.ts');
  const { findFaultProblems } = await import('./mistakes/find-fault-problems.ts');
  const { findJobMistakes } = await import('./mistakes/find-job-mistakes.ts');
  const { findComponentMistakes } = await import('./mistakes/find-component-mistakes.ts');
  const { capabilities } = manifest;
  const problems = [
    ...manifest.problems,
    ...findFaultProblems(faults, capabilities),
    ...(jobs === undefined ? [] : await findJobMistakes(manifest, jobs)),
    ...findProblems(manifest, operations),
    ...findComponentMistakes(capabilities, operations),
  ];
  return { ...manifest, problems };
}

/** Gives nothing where the schemas are left out: many commands need none. */
async function loadToSchemas(detail: ManifestDetail): Promise<OperationPlace['toSchemas']> {
  if (detail === 'routes' || detail === 'places') return undefined;
  const { toOperationSchemas } = await import('./operations/operation-schemas.ts');
  return toOperationSchemas;
}

async function loadContract(loaded: LoadedRegistry): Promise<OpenApiDocument | undefined> {
  const { describeApi } = await import('./describe-api.ts');
  return withoutRoutesThatClash(() => describeApi(loaded).document);
}

async function loadDocument(loaded: LoadedRegistry, options: OpenApiOptions): Promise<OpenApiDocument | undefined> {
  const { describeApi, toPublishedDocument } = await import('./describe-api.ts');
  return withoutRoutesThatClash(() => toPublishedDocument(describeApi(loaded, options), loaded.restOptions));
}

/** A server with routes that clash does not start, and has no document. */
function withoutRoutesThatClash(describe: () => OpenApiDocument): OpenApiDocument | undefined {
  try {
    return describe();
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

interface CapabilityPlace extends OperationPlace {
  readonly others: readonly Route<Operation>[];
  readonly restOptions: SharedRestOptions;
}

function toCapability(route: Route<Operation>, { others, restOptions, ...place }: CapabilityPlace): ManifestCapability {
  const { operation, method, path, params } = route;
  const { key, groups, name, intent, declaredIntent, sent, rule, ...facts } = toPlaced(
    operation,
    toRouteFacts(route),
    place,
  );
  return {
    key,
    groups,
    name,
    intent,
    ...(declaredIntent && { declaredIntent }),
    method,
    path,
    otherRoutes: others
      .filter((other) => other.operation === operation)
      .map((other) => ({ method: other.method, path: other.path })),
    params,
    ...(sent && { sent }),
    ...(operation.definition.request.form === true && method !== 'GET' && method !== 'DELETE'
      ? { takesForm: true as const }
      : {}),
    rule,
    // A third of the work on a capability, which a list of routes does not need.
    get explanation() {
      const override = rule.id === 'override' ? restOptions.overrides?.[key] : undefined;
      return explainRoute(operation, { urlCase: restOptions.urlCase, prefix: restOptions.prefix, override });
    },
    ...facts,
  };
}

/** The capabilities that a queue runs, in the order of declaration. */
function toJobs({ registry, settings }: LoadedJobs, place: OperationPlace): readonly ManifestJob[] {
  return registry.operations.flatMap((operation) => {
    const job = settings.get(operation.key);
    return job === undefined ? [] : [{ ...toPlaced(operation, toOperationFacts(operation), place), job }];
  });
}

/** The project around an operation. */
interface OperationPlace {
  /** Absolute path. */
  readonly root: string;
  readonly detail: ManifestDetail;
  /** The settings of jobs by key; undefined without a queue. */
  readonly jobs: ReadonlyMap<string, JobSettings> | undefined;
  /** Makes the schemas of an operation data; undefined where they are left out. */
  readonly toSchemas: ((definition: CapabilityDefinition) => OperationSchemas) | undefined;
}

/** The facts of an operation with what the project knows of it besides. */
function toPlaced<Facts extends OperationFacts>(
  { key, groups, name, definition }: Operation,
  facts: Facts,
  { root, detail, jobs, toSchemas }: OperationPlace,
) {
  const job = jobs?.get(key);
  const schemas = toSchemas?.(definition);
  return {
    ...facts,
    groups,
    name,
    guards: facts.guards.map((guard, index) => ({ ...guard, security: definition.guards[index]?.security })),
    answers: facts.answers.map((answer, index) => ({ ...answer, headers: {}, ...schemas?.answers[index] })),
    ...(job === undefined ? {} : { job }),
    source: detail === 'routes' ? undefined : toDeclarationSource(definition.declaredAt, root),
    input: schemas?.input,
    output: schemas?.output,
  };
}
