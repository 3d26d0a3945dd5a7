import { type Failure, toFailure } from '../../server-runtime/errors/failure.ts';
import type { CompiledRegistry } from '../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../server-runtime/server/create-server.ts';
import { silentLogger } from '../../server-runtime/server/logger.ts';
import { readValue } from '../../server-runtime/server/read-value.ts';

export type CallEnd =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface CapabilityCall {
  readonly registry: CompiledRegistry;
  readonly key: string;
  readonly input: unknown;
}

/** Calls a capability in this process, with guards, validation, enhancers and timeout, and the context `{requestId, signal}`. */
export async function callCapability({ registry, key, input }: CapabilityCall): Promise<CallEnd> {
  const server = createServer({ capabilities: registry, logger: silentLogger });
  try {
    return {
      kind: 'answered',
      value: toJsonValue(await readValue(await server.invoke({ capability: key, input })), key),
    };
  } catch (thrown) {
    return toFailedCall(thrown);
  }
}

/** The end of a call that threw, in the handler or beside it. */
export function toFailedCall(thrown: unknown): CallEnd {
  return { kind: 'failed', failure: toFailure(thrown) };
}

/** What the API would send: dates as text, `undefined` as `null`. */
function toJsonValue(value: unknown, key: string): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${key} returned a value that cannot be written as JSON: ${reason}`, { cause });
  }
}
