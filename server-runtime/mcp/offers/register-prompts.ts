import { toInputFields } from '../../input/input-fields.ts';
import type { HandlerHost } from '../load-server-maker.ts';
import type { OfferReader } from './create-offer-reader.ts';
import { toListPage } from './list-page.ts';
import { toPrompt } from './to-contents.ts';
import type { OfferedPrompt } from './to-prompts.ts';

/** Answers what is asked about prompts. */
export function registerPrompts(
  server: HandlerHost,
  reader: OfferReader,
  prompts: ReadonlyMap<string, OfferedPrompt>,
): void {
  server.setRequestHandler('prompts/list', async ({ params }, context) => {
    const listed = await reader.list(prompts.values(), context);
    return toListPage({ prompts: listed.map(({ description }) => description) }, params?.cursor, reader.toInvalid);
  });
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const prompt = prompts.get(params.name);
    if (prompt === undefined) throw reader.toInvalid(`There is no prompt '${params.name}'.`);
    const { operation, options, plan } = prompt;
    const input = toInputFields(params.arguments ?? {}, plan);
    const description = options.description ?? operation.definition.description;
    return reader.read({ operation, input, toAnswer: (content) => toPrompt(content, description) }, context);
  });
}
