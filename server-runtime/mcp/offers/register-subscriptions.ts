import type { HandlerHost } from '../load-server-maker.ts';
import type { OfferReader } from './create-offer-reader.ts';
import type { ResourceChanges } from './resource-changes.ts';
import { findUriFields, type OfferedResource } from './to-resources.ts';

/**
 * The life of a server of the protocol: one request, a session of the revisions before 2026-07-28, or a pair of streams
 * of that one, where the SDK picks out what its client has subscribed to.
 */
export type ConversationKind = 'request' | 'session' | 'streams';

export interface Subscribing {
  readonly resources: readonly OfferedResource[];
  readonly toMissing: (uri: string) => Error;
  readonly changes: ResourceChanges;
  readonly conversation: ConversationKind;
}

/** The number of resources that one session may watch. */
const MAX_WATCHED = 1000;

/** Tells a client that lasts which of the resources it watches have changed. */
export function registerSubscriptions(
  server: HandlerHost,
  reader: OfferReader,
  { resources, toMissing, changes, conversation }: Subscribing,
): void {
  const watched = new Set<string>();
  let stop: (() => void) | undefined;
  const listen = (isWanted: (uri: string) => boolean): void => {
    stop ??= changes.subscribe((uri) => {
      if (isWanted(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
    });
  };
  server.onclose = () => stop?.();
  if (conversation === 'streams') listen(() => true);
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
    const resource = resources.find((each) => findUriFields(each, uri) !== undefined);
    const allowed = resource === undefined ? [] : await reader.list([resource], context);
    if (allowed.length === 0) throw toMissing(uri);
    if (conversation === 'request')
      throw reader.toInvalid('There is no session to send changes to. Open one with initialize, and name it.');
    if (watched.size >= MAX_WATCHED) throw reader.toInvalid(`A session watches at most ${MAX_WATCHED} resources.`);
    watched.add(uri);
    listen((changed) => watched.has(changed));
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    watched.delete(uri);
    return {};
  });
}
