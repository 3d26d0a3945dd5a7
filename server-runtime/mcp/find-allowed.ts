import type { Guard } from '../capability/guard.ts';
import { toFailure } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { Application } from '../server/application.ts';
import { InvokedRequest } from '../server/invoke/invoked-request.ts';
import type { Caller } from './serve/caller.ts';

/** The tools, resources and prompts whose guards let a caller pass. Those with the same guards are asked for once. */
export async function findAllowed<Offer extends { readonly operation: Operation }>(
  app: Application,
  offers: Iterable<Offer>,
  caller: Caller,
): Promise<readonly Offer[]> {
  const answers = new Map<string, Promise<boolean>>();
  const ids = new Map<Guard, number>();
  const toId = (guard: Guard): number => {
    const id = ids.get(guard) ?? ids.size;
    ids.set(guard, id);
    return id;
  };
  const checked = await Promise.all(
    [...offers].map(async (offer) => {
      const { operation } = offer;
      const key = operation.definition.guards.map(toId).join();
      const answer = answers.get(key) ?? mayCall(app, operation, caller);
      answers.set(key, answer);
      return (await answer) ? [offer] : [];
    }),
  );
  return checked.flat();
}

/** Whether no guard refuses with 401 or 403. Nothing is called: no limit counts it, and nobody observes it. */
async function mayCall(
  app: Application,
  operation: Operation,
  { headers, remoteAddress, identity }: Caller,
): Promise<boolean> {
  if (operation.definition.guards.length === 0) return true;
  const { key, timeoutMs } = operation;
  const { newRequestId } = app;
  const door = { transport: 'mcp', remoteAddress, identity, caller: undefined };
  const request = new InvokedRequest({ capability: key, headers, newRequestId, ...door });
  return new Promise((resolve) => {
    const scope = app.openScope(timeoutMs, () => resolve(false));
    request.scope = scope;
    const end = async (isAllowed: boolean): Promise<void> => {
      scope.close();
      await scope.held?.release();
      resolve(isAllowed);
    };
    app.checkGuards(operation, request).then(
      () => end(true),
      (thrown: unknown) => end(![401, 403].includes(toFailure(thrown).status)),
    );
  });
}
