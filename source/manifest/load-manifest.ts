import type { CapabilityDefinition } from '../../server-runtime/capability/capability-definition.ts';
import { findKeptPolicy } from '../../server-runtime/enhancers/cache/find-kept-policy.ts';
import type { ErrorFactory } from '../../server-runtime/errors/define-error.ts';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { explainRoute } from '../../server-runtime/routing/infer/explain-route.ts';
import type { Route } from '../../server-runtime/routing/route.ts';
import { toRouteTable } from '../../server-runtime/routing/route-table.ts';
import { CliError } from '../cli/errors/cli-error.ts';
import { findProblems } from './find-problems.ts';
import { findSourcePlace } from './find-source-place.ts';
import type { LoadedRegistry } from './loaded-registry.ts';
import type { Manifest, ManifestCapability, ManifestError, ManifestSource } from './manifest.ts';
import { type SharedRestOptions, toBodyLimits } from './parse-rest-options.ts';
import { toProjectPath } from './project.ts';
import { toRouteProblems } from './to-route-problems.ts';

export interface ToManifestOptions {
  /**
   * `contract` leaves out the problems that do not concern routes; `routes` leaves out all that costs time: schemas and places in the source, too.
   * @default 'full'
   */
  readonly detail?: ManifestDetail;
  /** Asks for the OpenAPI document with these options. @default none */
  readonly document?: OpenApiOptions | undefined;
}

type ManifestDetail = 'routes' | 'contract' | 'full';

/** Gives what the commands show of a project, as plain JSON. */
export async function loadManifest(
  loaded: LoadedRegistry,
  { detail = 'full', document }: ToManifestOptions = {},
): Promise<Manifest> {
  const { project, registry, restOptions, files } = loaded;
  const { routes, others, problems } = toRouteTable(registry.operations, restOptions);
  const capabilities = routes.map((route) => toCapability(route, { others, restOptions, root: project.root, detail }));
  const facts = { name: project.name, root: project.root, config: toProjectPath(project.configFile, project.root) };
  const manifest = {
    project: facts,
    urlCase: restOptions.urlCase ?? ('kebab' as const),
    bodyLimits: toBodyLimits(restOptions),
    capabilities,
    problems: toRouteProblems(problems, { capabilities, project: facts, files }),
    files,
    ...(document === undefined ? {} : { document: await loadDocument(loaded, document) }),
  };
  if (detail === 'routes') return manifest;
  const { toWireFormat } = await import('./to-wire-format.ts');
  const contract = { ...(await withSchemas(manifest, registry.operations)), wire: toWireFormat(restOptions) };
  return detail === 'contract' ? contract : withProblems(contract, loaded);
}

async function withProblems(
  manifest: Manifest,
  { registry: { operations }, faults = [] }: Pick<LoadedRegistry, 'registry' | 'faults'>,
): Promise<Manifest> {
  const { findFaultProblems } = await import('./mistakes/find-fault-problems.ts');
  const { findDuplicateIds } = await import('./mistakes/find-duplicate-ids.ts');
  const { findFreshStubs } = await import('./mistakes/find-fresh-stubs.ts');
  const { capabilities, project } = manifest;
  const problems = [
    ...manifest.problems,
    ...findFaultProblems(faults, capabilities),
    ...findProblems(manifest, operations),
    ...findDuplicateIds(capabilities, operations),
    ...(await findFreshStubs(capabilities, operations, project.root)),
  ];
  return { ...manifest, problems };
}

async function withSchemas(manifest: Manifest, operations: readonly Operation[]): Promise<Manifest> {
  const { toSchemaView } = await import('../shape/schema-view.ts');
  const capabilities = manifest.capabilities.map((capability, index) => ({
    ...capability,
    input: toSchemaView(operations[index]?.definition.schema, 'input'),
    output: toSchemaView(operations[index]?.definition.output, 'output'),
    answers: capability.answers.map((answer, at) => {
      const declared = operations[index]?.definition.answers[at];
      const headers = Object.entries(declared?.headers ?? {}).map(([name, schema]) => [
        name,
        toSchemaView(schema, 'output'),
      ]);
      return { ...answer, schema: toSchemaView(declared?.schema, 'output'), headers: Object.fromEntries(headers) };
    }),
  }));
  return { ...manifest, capabilities };
}

async function loadDocument(loaded: LoadedRegistry, options: OpenApiOptions): Promise<OpenApiDocument | undefined> {
  const { describeApi, toPublishedDocument } = await import('./describe-api.ts');
  try {
    return toPublishedDocument(describeApi(loaded, options), loaded.restOptions);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

interface CapabilityPlace {
  readonly others: readonly Route<Operation>[];
  readonly restOptions: SharedRestOptions;
  readonly root: string;
  readonly detail: ManifestDetail;
}

function toCapability(
  { operation, method, path, params, rule }: Route<Operation>,
  { others, restOptions, root, detail }: CapabilityPlace,
): ManifestCapability {
  const { key, groups, name, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, cacheControl, deprecation, tool } = definition;
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
    ...(definition.request.sent.length === 0 ? {} : { sent: definition.request.sent }),
    ...(definition.request.form === true && method !== 'GET' && method !== 'DELETE'
      ? { takesForm: true as const }
      : {}),
    rule,
    // A third of the work on a capability, which a list of routes does not need.
    get explanation() {
      const override = rule.id === 'override' ? restOptions.overrides?.[key] : undefined;
      return explainRoute(operation, { urlCase: restOptions.urlCase, prefix: restOptions.prefix, override });
    },
    guards: guards.map((guard) => ({ name: guard.name, errors: toErrors(guard.errors), security: guard.security })),
    inputGuards: inputGuards.map((guard) => ({ name: guard.name, errors: toErrors(guard.errors) })),
    enhancers: enhancers.map((enhancer) => ({
      name: enhancer.name,
      settings: enhancer.settings,
      errors: toErrors(enhancer.errors),
    })),
    errors: toErrors(errors),
    answers: answers.map(({ status, kind, contentTypes, description: about }) => ({
      status,
      kind,
      contentTypes,
      description: about,
      headers: {},
    })),
    description,
    ...(cacheControl === undefined ? {} : { cacheControl }),
    ...(method === 'GET' ? toKept(definition, restOptions) : {}),
    deprecation,
    tool,
    timeoutMs,
    inputFields: fields && [...fields.keys()],
    source: detail === 'routes' ? undefined : toSource(definition.declaredAt?.stack, root),
  };
}

function toKept(
  definition: CapabilityDefinition,
  { etag, cacheControl }: SharedRestOptions,
): Pick<ManifestCapability, 'kept'> {
  const policy = findKeptPolicy(definition);
  if (policy === undefined) return {};
  const isDeclared = definition.cacheControl !== undefined || cacheControl !== undefined;
  const control = isDeclared ? {} : { cacheControl: policy.cacheControl };
  return { kept: { ...control, hasEtag: etag !== false } };
}

function toErrors(errors: readonly ErrorFactory[]): readonly ManifestError[] {
  return errors.map(({ errorName, status }) => ({ name: errorName, status }));
}

function toSource(stack: string | undefined, root: string): ManifestSource | undefined {
  const place = findSourcePlace(stack, { root });
  return place && { ...place, file: toProjectPath(place.file, root) };
}
