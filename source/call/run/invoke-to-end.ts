import type { ContextBuilder } from '../../../server-runtime/capability/context.ts';
import type { CallerTools } from '../../../server-runtime/capability/middleware/caller-tools.ts';
import { isReply } from '../../../server-runtime/capability/reply.ts';
import type { Outcome } from '../../../server-runtime/errors/outcome.ts';
import { toDataText } from '../../../server-runtime/http/to-json-text.ts';
import type { CompiledRegistry } from '../../../server-runtime/registry/compile-registry.ts';
import { createServer } from '../../../server-runtime/server/create-server.ts';
import { type Door, type Invocation, invokeOperation } from '../../../server-runtime/server/invoke/invoke-operation.ts';
import { readValue } from '../../../server-runtime/server/invoke/read-value.ts';
import { silentLogger } from '../../../server-runtime/server/log/logger.ts';
import { internalsOf } from '../../../server-runtime/server/server-internals.ts';
import { waitWithin } from '../../system/wait-within.ts';

export interface InvocationToEnd extends Invocation {
  readonly registry: CompiledRegistry;
  /** @default the context is `{requestId, signal}` */
  readonly context?: ContextBuilder | undefined;
  /** Answers what the capability asks its user. @default it is refused */
  readonly caller?: CallerTools | undefined;
  /** Looks at the input once the guards have passed, and gives it back or refuses it. */
  readonly checkInput?: Door['checkInput'];
  /** Given the status of what the handler gave by `reply(…)`. */
  readonly onStatus?: (status: number) => void;
}

/** The time for which a stream that is ended early may clean up, milliseconds. */
const CLEAN_UP_MS = 1000;

/** Calls a capability in this process and reads what it gives to its end, within its timeout. The value is as JSON has it. */
export async function invokeToEnd({
  registry,
  context,
  caller,
  checkInput,
  onStatus,
  ...invocation
}: InvocationToEnd): Promise<Outcome> {
  const server = createServer({ capabilities: registry, logger: silentLogger, ...(context && { context }) });
  let cleaned: Promise<void> | undefined;
  const outcome = await invokeOperation(internalsOf(server).appFor(undefined), invocation, {
    caller,
    checkInput,
    finish: async (value, signal) => {
      if (isReply(value) && value.status !== undefined) onStatus?.(value.status);
      const onLetGo = (end: Promise<void>): void => void (cleaned = end);
      const read = await readValue(value, { signal, onLetGo });
      return JSON.parse(toDataText(read, invocation.capability)) as unknown;
    },
  });
  // The call is over before its stream hears of that.
  await new Promise((resolve) => void setImmediate(resolve));
  if (cleaned !== undefined) await waitWithin(CLEAN_UP_MS, cleaned);
  return outcome;
}
