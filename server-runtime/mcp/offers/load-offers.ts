import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import type { Application } from '../../server/application.ts';
import { createOfferReader, type ToCall } from './create-offer-reader.ts';
import { registerPrompts } from './register-prompts.ts';
import { registerResources } from './register-resources.ts';
import { registerSuggestions } from './register-suggestions.ts';
import { toPrompts } from './to-prompts.ts';
import { toResources } from './to-resources.ts';

export interface OfferParts {
  readonly app: Application;
  /** Whether callers see only what guards let them have. */
  readonly hidesRefused: boolean;
}

export interface LoadedOffers {
  readonly capabilities: ServerCapabilities;
  readonly register: (server: Server, toCall: ToCall) => void;
}

/** Resources, prompts and suggestions for their fields, as far as the application has any. */
export async function loadOffers(parts: OfferParts): Promise<LoadedOffers> {
  const sdk = await import('@modelcontextprotocol/server');
  const { operations } = parts.app.registry;
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const prompts = toPrompts(operations);
  const hasOffers = resources.length > 0 || prompts.size > 0;
  const toInvalid = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  const toInternal = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, message);
  return {
    capabilities: {
      ...(resources.length > 0 ? { resources: {} } : {}),
      ...(prompts.size > 0 ? { prompts: {} } : {}),
      ...(hasOffers ? { completions: {} } : {}),
    },
    register: (server, toCall) => {
      const reader = createOfferReader({ ...parts, toCall, toInvalid, toInternal });
      const toMissing = (uri: string): Error => new sdk.ResourceNotFoundError(uri, `There is no resource '${uri}'.`);
      if (resources.length > 0) registerResources(server, reader, { resources, toMissing });
      if (prompts.size > 0) registerPrompts(server, reader, prompts);
      if (hasOffers) registerSuggestions(server, reader, { resources, prompts });
    },
  };
}
