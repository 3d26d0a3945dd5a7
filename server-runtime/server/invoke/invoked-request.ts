import type { EndOfCall } from '../../capability/after-success.ts';
import type { CallerTools, CallRequest } from '../../capability/call-request.ts';
import type { BuilderRequest, CallingClient } from '../../capability/context.ts';
import { findRequestId } from '../../execution/find-request-id.ts';
import { type RequestScope, resourcesOf } from '../../execution/request-scope.ts';

export interface InvokedRequestOptions {
  /** Key as it was asked for. */
  readonly capability: string;
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly transport: string;
  readonly remoteAddress: string | undefined;
  readonly caller: CallerTools | undefined;
  readonly identity: unknown;
  readonly client?: CallingClient | undefined;
  readonly newRequestId: () => string;
}

/** A call without a route, as context builders and hooks see it. */
export class InvokedRequest implements BuilderRequest, CallRequest {
  readonly method = 'INVOKE';
  readonly path: string;
  readonly url: string;
  readonly headers: BuilderRequest['headers'];
  readonly transport: string;
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly caller: CallerTools | undefined;
  readonly identity: unknown;
  readonly client: CallingClient | undefined;
  /** Key of the capability; undefined where there is none of this key. */
  capability: string | undefined = undefined;
  endOfCall: EndOfCall | undefined = undefined;
  /** Set once the capability is found. */
  scope: RequestScope | undefined = undefined;

  constructor({ capability, headers = {}, newRequestId, ...door }: InvokedRequestOptions) {
    this.path = capability;
    this.url = capability;
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.transport = door.transport;
    this.remoteAddress = door.remoteAddress;
    this.caller = door.caller;
    this.identity = door.identity;
    this.client = door.client;
    this.requestId = findRequestId(this.headers['x-request-id']) ?? newRequestId();
  }

  /** Without a capability, a signal that never fires; a new one each time, so that no listeners gather. */
  get signal(): AbortSignal {
    return this.scope?.signal ?? new AbortController().signal;
  }

  /** @throws Error before the capability is found */
  get resources(): BuilderRequest['resources'] {
    return resourcesOf(this.scope);
  }
}
