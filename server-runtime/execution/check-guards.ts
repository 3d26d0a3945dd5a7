import type { CallRequest } from '../capability/call-request.ts';
import type { BuilderRequest } from '../capability/context.ts';
import type { Operation } from '../registry/operation.ts';
import type { BuildContext } from './context-builder.ts';

/** Runs the guards of an operation for a request, and nothing else of a call. Rejects with what refused. */
export type CheckGuards = (operation: Operation, request: BuilderRequest & CallRequest) => Promise<void>;

/** No limit counts such a check, and no observer sees it. */
export function createGuardChecker(buildContext: BuildContext): CheckGuards {
  return async (operation, request) => {
    const ctx = await buildContext(request, false);
    for (const guard of operation.definition.guards) {
      const checked: unknown = await guard.check(ctx as never);
      if (checked instanceof Error) throw checked;
    }
  };
}
