import { toInputFields } from '../../input/input-fields.ts';
import type { HandlerHost } from '../load-server-maker.ts';
import type { OfferReader } from './create-offer-reader.ts';
import { toListPage } from './list-page.ts';
import { toContents } from './to-contents.ts';
import { findUriFields, type OfferedResource, toResourceFacts } from './to-resources.ts';

export interface Resourceful {
  readonly resources: readonly OfferedResource[];
  readonly toMissing: (uri: string) => Error;
}

/** Answers what is asked about resources. */
export function registerResources(
  server: HandlerHost,
  reader: OfferReader,
  { resources, toMissing }: Resourceful,
): void {
  const fixed = resources.filter(({ variables }) => variables.length === 0);
  const templates = resources.filter(({ variables }) => variables.length > 0);
  server.setRequestHandler('resources/list', async ({ params }, context) => {
    const listed = await reader.list(fixed, context);
    const shown = listed.map((each) => ({ uri: each.declared.uri, ...toResourceFacts(each) }));
    return toListPage({ resources: shown }, params?.cursor, reader.toInvalid);
  });
  server.setRequestHandler('resources/templates/list', async ({ params }, context) => {
    const listed = await reader.list(templates, context);
    const shown = listed.map((each) => ({ uriTemplate: each.declared.uri, ...toResourceFacts(each) }));
    return toListPage({ resourceTemplates: shown }, params?.cursor, reader.toInvalid);
  });
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
    for (const resource of [...fixed, ...templates]) {
      const fields = findUriFields(resource, uri);
      if (fields === undefined) continue;
      const { operation, plan, declared } = resource;
      const input = toInputFields(fields, plan);
      return reader.read(
        { operation, input, toAnswer: (content) => toContents(content, uri, declared.mimeType) },
        context,
      );
    }
    throw toMissing(uri);
  });
}
