import type { ServerCapabilities } from '@modelcontextprotocol/server';
import { toInputFields } from '../../input/input-fields.ts';
import type { Application } from '../../server/application.ts';
import type { HandlerHost } from '../load-server-maker.ts';
import { createOfferReader, type OfferReader, type ToCall } from './create-offer-reader.ts';
import { toListPage } from './list-page.ts';
import { registerResources } from './register-resources.ts';
import { type ConversationKind, registerSubscriptions } from './register-subscriptions.ts';
import { registerSuggestions } from './register-suggestions.ts';
import type { ResourceChanges } from './resource-changes.ts';
import { toPrompt } from './to-contents.ts';
import { type OfferedPrompt, toPrompts } from './to-prompts.ts';
import { toResources } from './to-resources.ts';

export interface OfferParts {
  readonly app: Application;
  /** Whether callers see only what guards let them have. */
  readonly hidesRefused: boolean;
  /** Says which resources have changed. @default nobody does */
  readonly changes?: ResourceChanges | undefined;
}

/** A server of the protocol that answers what is asked about offers. */
export interface OfferingServer {
  readonly server: HandlerHost;
  readonly conversation: ConversationKind;
  readonly toCall: ToCall;
}

export interface LoadedOffers {
  readonly capabilities: ServerCapabilities;
  readonly register: (offering: OfferingServer) => void;
}

/** Resources, prompts and suggestions for their fields, as far as the application has any. */
export async function loadOffers(parts: OfferParts): Promise<LoadedOffers> {
  const sdk = await import('@modelcontextprotocol/server');
  const { app, changes } = parts;
  const { operations } = app.registry;
  const resources = toResources(operations, (uri) => new sdk.UriTemplate(uri));
  const prompts = toPrompts(operations);
  const hasOffers = resources.length > 0 || prompts.size > 0;
  const toInvalid = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, message);
  const toInternal = (message: string): Error => new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, message);
  return {
    capabilities: {
      ...(resources.length > 0 ? { resources: changes === undefined ? {} : { subscribe: true } } : {}),
      ...(prompts.size > 0 ? { prompts: {} } : {}),
      ...(hasOffers ? { completions: {} } : {}),
    },
    register: ({ server, conversation, toCall }) => {
      const reader = createOfferReader({ ...parts, toCall, toInvalid, toInternal });
      const toMissing = (uri: string): Error => new sdk.ResourceNotFoundError(uri, `There is no resource '${uri}'.`);
      if (resources.length > 0) registerResources(server, reader, { resources, toMissing });
      if (resources.length > 0 && changes !== undefined)
        registerSubscriptions(server, reader, { resources, toMissing, changes, conversation });
      if (prompts.size > 0) registerPrompts(server, reader, prompts);
      if (hasOffers) registerSuggestions(server, reader, { resources, prompts });
    },
  };
}

/** Answers what is asked about prompts. */
function registerPrompts(server: HandlerHost, reader: OfferReader, prompts: ReadonlyMap<string, OfferedPrompt>): void {
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
