import type { Application } from '../server/application.ts';
import { invokeOperation } from '../server/invoke-operation.ts';
import type { TransportCall } from '../server/transport.ts';
import { toGraphqlError } from './schema/errors.ts';
import type { FieldToRun } from './schema/to-schema.ts';

/** The caller of an operation, as another server of GraphQL knows it. */
export type ForeignCaller = Pick<TransportCall, 'headers' | 'remoteAddress' | 'signal'>;

/** Runs fields for a server of another library: each is a call of its own. */
export function createForeignRun(
  app: Application,
  findCaller: (context: unknown) => ForeignCaller,
): (field: FieldToRun) => Promise<unknown> {
  return async ({ operation, toInput, context }) => {
    const { remoteAddress, ...caller } = findCaller(context);
    const read = toInput();
    const invocation = { ...caller, capability: operation.key, input: read.ok ? read.value : {} };
    const outcome = read.ok
      ? await invokeOperation(app, invocation, { transport: 'graphql', remoteAddress })
      : read;
    if (outcome.ok) return outcome.value;
    throw toGraphqlError(outcome.failure, app.logger);
  };
}

interface ForeignRequest {
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly signal?: AbortSignal;
  readonly ip?: string;
  readonly socket?: { readonly remoteAddress?: string };
}

type ForeignContext = Partial<
  Readonly<Record<'request' | 'req', ForeignRequest>> & {
    readonly reply: { readonly request: ForeignRequest };
  }
>;

/** Reads the request in the contexts of yoga (`request`), Apollo and Express (`req`), and mercurius (`reply`). */
export function findForeignCaller(context: unknown): ForeignCaller {
  const { request, req, reply } = Object(context) as ForeignContext;
  const { headers = {}, signal, ip, socket } = request ?? req ?? reply?.request ?? {};
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const named = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  const remoteAddress = ip ?? socket?.remoteAddress;
  return { headers: Object.fromEntries(named), remoteAddress, signal };
}
