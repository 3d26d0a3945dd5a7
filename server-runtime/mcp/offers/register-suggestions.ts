import type { HandlerHost } from '../load-server-maker.ts';
import type { OfferReader } from './create-offer-reader.ts';
import { findSuggestions } from './find-suggestions.ts';
import type { OfferedPrompt } from './to-prompts.ts';
import type { OfferedResource } from './to-resources.ts';

export interface Suggesting {
  readonly resources: readonly OfferedResource[];
  readonly prompts: ReadonlyMap<string, OfferedPrompt>;
}

/** Suggests values for the fields of resources and prompts. */
export function registerSuggestions(
  server: HandlerHost,
  { toInvalid }: OfferReader,
  { resources, prompts }: Suggesting,
): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }) => {
    const field = { name: argument.name, typed: argument.value, given: context?.arguments ?? {} };
    if (ref.type === 'ref/prompt') {
      const prompt = prompts.get(ref.name);
      if (prompt === undefined) throw toInvalid(`There is no prompt '${ref.name}'.`);
      return findSuggestions(prompt.operation, prompt.options, field);
    }
    const resource = resources.find(({ declared }) => declared.uri === ref.uri);
    if (resource === undefined) throw toInvalid(`There is no resource '${ref.uri}'.`);
    return findSuggestions(resource.operation, resource.declared, field);
  });
}
