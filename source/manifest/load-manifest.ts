import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { explainRoute } from '../../server-runtime/routing/infer/explain-route.ts';
import type { Route } from '../../server-runtime/routing/route.ts';
import { toRouteTable } from '../../server-runtime/routing/route-table.ts';
import { CliError } from '../cli/errors/cli-error.ts';
import { type SharedRestOptions, toBodyLimits } from '../document/parse-rest-options.ts';
import type { LoadedRegistry } from './loaded-registry.ts';
import type { Manifest, ManifestCapability } from './manifest.ts';
import { toManifestJobs } from './operations/to-manifest-jobs.ts';
import { type ManifestDetail, type OperationPlace, toManifestOperation } from './operations/to-manifest-operation.ts';
import { toProjectPath } from './project.ts';
import { toRouteProblems } from './to-route-problems.ts';

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
  const facts = { name: project.name, root: project.root, config: toProjectPath(project.entryFile, project.root) };
  const manifest = {
    project: facts,
    urlCase: restOptions.urlCase ?? ('kebab' as const),
    bodyLimits: toBodyLimits(restOptions),
    capabilities,
    ...(jobs === undefined ? {} : { jobs: toManifestJobs(jobs, place) }),
    problems: toRouteProblems(problems, { capabilities, project: facts, files }),
    files,
    ...(document === undefined ? {} : { document: await loadDocument(loaded, document) }),
  };
  if (toSchemas === undefined) return manifest;
  const { toWireFormat } = await import('./to-wire-format.ts');
  const contract = { ...manifest, wire: toWireFormat(restOptions), contract: await loadContract(loaded) };
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

function toCapability(
  { operation, method, path, params, rule }: Route<Operation>,
  { others, restOptions, ...place }: CapabilityPlace,
): ManifestCapability {
  const { cacheControl, tool, request } = operation.definition;
  const { key, groups, name, intent, declaredIntent, input, output, ...facts } = toManifestOperation(operation, place);
  return {
    key,
    groups,
    name,
    intent,
    declaredIntent,
    method,
    path,
    otherRoutes: others
      .filter((other) => other.operation === operation)
      .map((other) => ({ method: other.method, path: other.path })),
    params,
    ...(request.sent.length === 0 ? {} : { sent: request.sent }),
    ...(request.form === true && method !== 'GET' && method !== 'DELETE' ? { takesForm: true as const } : {}),
    rule,
    // A third of the work on a capability, which a list of routes does not need.
    get explanation() {
      const override = rule.id === 'override' ? restOptions.overrides?.[key] : undefined;
      return explainRoute(operation, { urlCase: restOptions.urlCase, prefix: restOptions.prefix, override });
    },
    ...facts,
    ...(cacheControl === undefined ? {} : { cacheControl }),
    tool,
    ...toOffers(operation),
    ...(place.toSchemas === undefined ? {} : { input, output }),
  };
}

function toOffers({ key, definition: { offers } }: Operation): Pick<ManifestCapability, 'offers'> {
  const { resources, prompt } = offers;
  if (resources.length === 0 && prompt === undefined) return {};
  const name = key.replaceAll('.', '_');
  return {
    offers: {
      resources: resources.map((resource) => ({ uri: resource.uri, name: resource.name ?? name })),
      ...(prompt === undefined ? {} : { prompt: prompt.name ?? name }),
    },
  };
}
