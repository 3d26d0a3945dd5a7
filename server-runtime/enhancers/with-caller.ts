import { type CallerTools, findCallRequest } from '../capability/call-request.ts';
import { withAdded } from '../capability/define-middleware.ts';
import { createEnhancer, type Enhancer, type Next } from '../capability/enhancer.ts';
import { defineError } from '../errors/define-error.ts';

/**
 * 428: the call needs an answer of its user, who cannot be asked over this transport or by this agent.
 *
 * @example
 * ```ts
 * try {
 *   await server.invoke({ capability: 'orders.cancelOrder', input: { id: '7' } });
 * } catch (error) {
 *   if (!InputRequired.is(error)) throw error;
 * }
 * ```
 */
export const InputRequired = defineError(428, 'InputRequired');

/**
 * A middleware that adds `ctx.progress`, `ctx.log` and `ctx.elicit`: the ways to reach an agent and its user while a
 * call runs. Over MCP they reach them; over other transports progress and notes go nowhere, and a question is refused
 * with 428 `InputRequired`.
 *
 * @example
 * ```ts
 * export const cancelOrder = capability.use(withCaller)(z.object({ id: z.string() }), async ({ id }, ctx) => {
 *   const answer = await ctx.elicit(`Cancel order ${id}?`, z.object({ reason: z.string() }));
 *   if (answer.action !== 'accept') return { id, state: 'kept' };
 *   ctx.progress(1, 2, 'Asking the bank');
 *   return { id, state: 'cancelled', reason: answer.content.reason };
 * });
 * ```
 */
export const withCaller: Enhancer<unknown, unknown, CallerTools, typeof InputRequired> = createEnhancer(
  (next: Next<unknown, CallerTools>) => (input: unknown, ctx: unknown) =>
    next(input, withAdded(ctx, findCallRequest(ctx)?.caller ?? nobody)),
  { name: 'withCaller', errors: [InputRequired] },
  { usesServer: true, kind: 'caller' },
);

const nobody: CallerTools = {
  progress: () => {},
  log: () => {},
  elicit: async (message) => {
    throw InputRequired(`The user must be asked, which is not possible here: ${message}`);
  },
};
