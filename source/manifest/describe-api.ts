import {
  type OpenApiOptions,
  toOpenApi,
  type WrittenDocument,
} from '../../server-runtime/openapi/generate-openapi.ts';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { createCliError } from '../cli/cli-error.ts';
import { type DocumentFacts, FACTS, type GraphqlFacts } from '../document/facts.ts';
import {
  defined,
  type ToPlace,
  toDocumentFacts,
  toDocumentNotes,
} from '../document/operation-facts.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import { toPublished } from '../document/to-published.ts';
import { type LoadedRegistry, toLoadedJobs } from './loaded-registry.ts';

/** The parts of a loaded project that its document is made of. */
type Described = Pick<LoadedRegistry, 'registry' | 'restOptions' | 'jobs' | 'webSockets'>;

/**
 * Describes the API that the project's server has, with everything that `readOperations` reads: {@link
 * toPublishedDocument} gives the document for callers. The project's `restOptions` count, unless `options` say
 * otherwise.
 *
 * @throws CliError `InvalidRoutes` where the server would not start
 */
export function describeApi(
  loaded: Described,
  options: OpenApiOptions = {},
  graphql?: GraphqlFacts,
): WrittenDocument {
  try {
    const { docs, ...shared } = loaded.restOptions;
    const all = { ...docs, ...shared, ...(defined(options) as object) };
    return toDocument(loaded, { options: all, graphql });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidRoutes', { reason: error.message }, { cause: error });
  }
}

/** The same for a manifest: also of routes that clash, and with the places of the capabilities. */
export function describeProject(
  loaded: Described,
  toPlace: ToPlace,
  graphql?: GraphqlFacts,
): OpenApiDocument {
  const { tags: _mayBeWrong, ...docs } = loaded.restOptions.docs ?? {};
  return toDocument(loaded, {
    options: { ...docs, ...loaded.restOptions },
    toPlace,
    graphql,
    withClashes: true,
  }).document;
}

interface DocumentParts {
  readonly options: OpenApiOptions;
  readonly toPlace?: ToPlace;
  readonly graphql?: GraphqlFacts | undefined;
  readonly withClashes?: boolean;
}

function toDocument(
  { registry, jobs, webSockets }: Described,
  { options, toPlace, graphql, ...parts }: DocumentParts,
): WrittenDocument {
  const all = {
    ...parts,
    webSockets,
    jobs: toLoadedJobs(jobs),
    notes: toDocumentNotes(toPlace),
  };
  const { document, guessedNames } = toOpenApi(registry, options, all);
  const facts: DocumentFacts = {
    ...toDocumentFacts(options as SharedRestOptions, jobs?.prefixes),
    ...(graphql !== undefined && { graphql }),
  };
  return { document: { ...document, [FACTS]: facts }, guessedNames } as WrittenDocument;
}

/**
 * The document as the project publishes it, after `edit` of its `restOptions.docs`.
 *
 * @throws CliError `InvalidEdit` where that throws
 */
export function toPublishedDocument(
  { document }: Pick<WrittenDocument, 'document'>,
  { docs }: Pick<SharedRestOptions, 'docs'>,
): OpenApiDocument {
  const published = toPublished(document);
  if (docs?.edit === undefined) return published;
  try {
    return docs.edit(published);
  } catch (cause) {
    throw createCliError(
      'InvalidEdit',
      { reason: cause instanceof Error ? cause.message : String(cause) },
      { cause },
    );
  }
}
