import { toPaths } from '../../server-runtime/openapi/document-parts.ts';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { findInGroups } from '../../server-runtime/registry/group.ts';
import { toMounts } from '../../server-runtime/rest/mounted.ts';
import { type RouteTable, toRouteTable } from '../../server-runtime/routing/route-table.ts';
import { CliError } from '../cli/cli-error.ts';
import { FACTS } from '../document/facts.ts';
import {
  type ToPlace,
  toOperationFacts,
  toOtherRouteFacts,
  toRouteFacts,
} from '../document/operation-facts.ts';
import { toDeclarationSource } from './find-source-place.ts';
import { type LoadedRegistry, toLoadedJobs } from './loaded-registry.ts';
import type { Manifest } from './manifest.ts';
import { toProjectPath } from './project.ts';
import { toRouteProblems } from './to-route-problems.ts';

export interface ToManifestOptions {
  /** Whether the document has schemas, and routes their reasons. @default true */
  readonly hasSchemas?: boolean | undefined;
  /** Whether the places of the capabilities in the source are read. @default true */
  readonly hasPlaces?: boolean | undefined;
  /** Asks for the document for callers with these options. @default none */
  readonly published?: OpenApiOptions | undefined;
}

/** Gives what the commands show of a project, as plain JSON. Of its problems it has those of its routes. */
export async function loadManifest(
  loaded: LoadedRegistry,
  options: ToManifestOptions = {},
): Promise<Manifest> {
  const { hasSchemas = true, hasPlaces = true, published } = options;
  const { project, registry, restOptions, files } = loaded;
  const table = toRouteTable(registry.operations, restOptions);
  const graphql = hasSchemas ? await loadGraphql(loaded) : {};
  const toPlace: ToPlace = ({ key, definition }) => {
    const source = hasPlaces ? toDeclarationSource(definition.declaredAt, project.root) : undefined;
    const graphqlField = graphql.fields?.get(key);
    return {
      ...(source !== undefined && { source }),
      ...(graphqlField !== undefined && { graphqlField }),
    };
  };
  const about = {
    name: project.name,
    root: project.root,
    config: toProjectPath(project.entryFile, project.root),
  };
  const { describeProject } = hasSchemas ? await import('./describe-api.ts') : {};
  const manifest: Manifest = {
    project: about,
    document:
      describeProject?.(loaded, toPlace, graphql.facts) ??
      toOutlineDocument(loaded, { table, toPlace }),
    keys: registry.operations.map(({ key }) => key),
    groupPaths: findInGroups('path', registry.operations),
    mounts: toMounts(restOptions.mounts ?? {}, restOptions.prefix).map(({ path }) => path),
    problems: [],
    files,
    ...(published && { published: await loadPublished(loaded, published) }),
  };
  return { ...manifest, problems: toRouteProblems(table.problems, manifest) };
}

/** Gives nothing, and loads no code of GraphQL, where the project exports no transport of it. */
async function loadGraphql(loaded: LoadedRegistry) {
  if (loaded.graphql === undefined) return {};
  const { loadGraphqlFacts, toGraphqlFields } = await import('./describe-graphql.ts');
  return { fields: toGraphqlFields(loaded.graphql), facts: await loadGraphqlFacts(loaded) };
}

/** A server with routes that clash does not start, and has no document. */
async function loadPublished(
  loaded: LoadedRegistry,
  options: OpenApiOptions,
): Promise<Manifest['published']> {
  const { describeApi, toPublishedDocument } = await import('./describe-api.ts');
  try {
    return toPublishedDocument(describeApi(loaded, options), loaded.restOptions);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

interface OutlineParts {
  readonly table: RouteTable<Operation>;
  readonly toPlace: ToPlace;
}

/** A document of nothing but facts: to read the schemas of many capabilities takes longer than everything else. */
function toOutlineDocument(
  { restOptions, jobs }: LoadedRegistry,
  { table, toPlace }: OutlineParts,
): OpenApiDocument {
  const { routes, others } = table;
  const operations = [
    ...routes.map((route) => ({
      [FACTS]: { ...toRouteFacts(route), ...toPlace(route.operation) },
    })),
    ...others.map((route) => ({ [FACTS]: toOtherRouteFacts(route) })),
  ];
  const all = toLoadedJobs(jobs).map(({ operation, settings }) => {
    const facts = { ...toOperationFacts(operation), ...toPlace(operation) };
    return [operation.key, { ...settings, [FACTS]: facts }] as const;
  });
  const { urlCase, prefix } = restOptions;
  const facts = { urlCase, prefix, envelope: {}, queuePrefixes: jobs && (jobs.prefixes ?? []) };
  const paths = toPaths([...routes, ...others], operations);
  // It has what a list shows: without schemas it is less than a document.
  const outline: object = {
    openapi: '3.1.0',
    paths,
    'x-jobs': Object.fromEntries(all),
    [FACTS]: facts,
  };
  return outline as OpenApiDocument;
}
