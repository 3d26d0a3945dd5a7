import { type CallerTools, type CallLog, findCallRequest } from '../capability/context.ts';
import { createEnhancer, type Enhancer, type Next, withAdded } from '../capability/enhancer.ts';
import { defineError } from '../errors/define-error.ts';

/** 428: the call needs an answer of its user, which this transport or this agent cannot ask for. */
export const InputRequired = defineError(428, 'InputRequired');

/**
 * A middleware that adds `ctx.progress`, `ctx.log` and `ctx.elicit`: the ways to reach an agent and its user while a
 * call runs over MCP. Over other transports progress and notes go nowhere, and a question is 428 `InputRequired`. The
 * methods of `ctx.log` write to the log of the server, as without it.
 */
export const withCaller: Enhancer<unknown, unknown, CallerTools, typeof InputRequired> =
  createEnhancer(
    (next: Next<unknown, CallerTools>) => (input: unknown, ctx: unknown) =>
      next(input, withAdded(ctx, withLog(findCallRequest(ctx)?.caller ?? nobody, ctx))),
    { name: 'withCaller', errors: [InputRequired], kind: 'caller' },
  );

/** `ctx.log(…)` reaches the agent, and `ctx.log.info(…)` the log. */
function withLog(tools: CallerTools, ctx: unknown): CallerTools {
  const own = Object(ctx).log as CallLog | undefined;
  if (typeof own?.info !== 'function') return tools;
  const log: CallerTools['log'] = (level, data) => tools.log(level, data);
  const methods = Object.fromEntries(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => [level, own[level]?.bind(own)]),
  );
  return { ...tools, log: Object.assign(log, methods) };
}

const nobody: CallerTools = {
  progress: () => {},
  log: () => {},
  elicit: async (message) => {
    throw InputRequired(`The user must be asked, which is not possible here: ${message}`);
  },
};
