import { type Capability, capability } from '../capability/capability.ts';
import type { BaseContext } from '../capability/context.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { expectKnownOptions, expectTimeout } from '../errors/expect-options.ts';
import { untilAborted } from '../resources/item-source.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';

export interface HealthOptions {
  /** The path that answers while the process lives; below it `/ready` says whether it can serve. @default '/health' */
  readonly path?: `/${string}` | undefined;
  /** The parts that the server needs, by name: each fails by throwing, rejecting, or taking too long. @default none */
  readonly checks?: Readonly<Record<string, (signal: AbortSignal) => unknown>> | undefined;
  /** The time of each check. @default 5000 */
  readonly timeoutMs?: number | undefined;
}

type HealthProbe = Capability<undefined, { status: string }, BaseContext, BaseContext, never>;

/** The capabilities of {@link healthChecks}. */
export type HealthTree = {
  /** Whether the process lives, and whether it can serve. */
  readonly health: { readonly getLiveness: HealthProbe; readonly getReadiness: HealthProbe };
};

/**
 * A plugin with two routes for orchestrators: `GET /health` is 200 while the process lives, and `GET /health/ready`
 * while every check passes and the server is not about to stop, else 503. The hook `onError` gets the reasons as the
 * `cause`.
 */
export function healthChecks(options: HealthOptions = {}): Plugin<HealthTree, BaseContext> {
  expectKnownOptions('healthChecks', options, { path: true, checks: true, timeoutMs: true });
  const { path = '/health', checks = {}, timeoutMs = 5000 } = options;
  expectTimeout(timeoutMs, 'healthChecks timeoutMs');
  let isReady = true;
  const check = async (): Promise<{ status: string }> => {
    if (!isReady) throw defaultErrors.ServiceUnavailable('The server is about to stop');
    const signal = AbortSignal.timeout(timeoutMs);
    const names = Object.keys(checks);
    const running = names.map((name) =>
      untilAborted(Promise.resolve(signal).then(checks[name]), signal),
    );
    const results = await Promise.allSettled(running);
    const failed = names.filter((_name, at) => results[at]?.status === 'rejected');
    if (failed.length === 0) return { status: 'ok' };
    const reasons = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    const cause = new AggregateError(reasons, `Not ready: ${failed.join(', ')}`);
    throw defaultErrors.ServiceUnavailable(cause.message, { failed }, { cause });
  };
  const getLiveness = toProbe(path, 'Whether the process lives', () => ({ status: 'ok' }));
  const getReadiness = toProbe(`${path}/ready`, 'Whether the process can serve', check as never);
  return definePlugin({
    name: 'health',
    outsideUse: true,
    capabilities: { health: { getLiveness, getReadiness } },
    hooks: {
      onReadiness: (readiness) => {
        isReady = readiness.isReady;
      },
    },
  });
}

function toProbe(path: string, description: string, probe: () => { status: string }): HealthProbe {
  return capability(probe, 'query')
    .route('GET', path as '/health')
    .cacheControl('no-store')
    .tool(false)
    .describe(description);
}
