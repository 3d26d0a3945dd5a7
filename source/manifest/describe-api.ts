import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import { type OpenApiOptions, toOpenApi, type WrittenDocument } from '../../server-runtime/openapi/generate-openapi.ts';
import type { DocumentedJob } from '../../server-runtime/openapi/to-job-objects.ts';
import { createCliError } from '../cli/errors/cli-error.ts';
import { toDocumentNotes } from '../document/document-notes.ts';
import { FACTS } from '../document/facts.ts';
import { toDocumentFacts } from '../document/operation-facts.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import { toPublished } from '../document/to-published.ts';
import type { LoadedRegistry } from './loaded-registry.ts';

/**
 * Describes the API that the project's server has, with everything that `readOperations` reads: {@link toPublishedDocument} gives the document for
 * callers. The project's `restOptions` count, unless `options` say otherwise.
 *
 * @throws CliError `InvalidRoutes` where the server would not start
 */
export function describeApi(
  { registry, restOptions, jobs }: Pick<LoadedRegistry, 'registry' | 'restOptions' | 'jobs'>,
  options: OpenApiOptions = {},
): WrittenDocument {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const all = { ...restOptions.docs, ...restOptions, ...given };
  const notes = toDocumentNotes();
  const { document, guessedNames } = expectRoutes(() =>
    toOpenApi(registry, all, { jobs: toDocumentedJobs(jobs), notes }),
  );
  return { document: { ...document, [FACTS]: toDocumentFacts(all, jobs?.prefixes) }, guessedNames } as WrittenDocument;
}

function toDocumentedJobs(jobs: LoadedRegistry['jobs']): readonly DocumentedJob[] {
  return (jobs?.registry.operations ?? []).flatMap((operation) => {
    const settings = jobs?.settings.get(operation.key);
    return settings === undefined ? [] : [{ operation, settings }];
  });
}

function expectRoutes(write: () => WrittenDocument): WrittenDocument {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidRoutes', { reason: error.message }, { cause: error });
  }
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
    throw createCliError('InvalidEdit', { reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  }
}
