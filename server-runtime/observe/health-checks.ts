import { type Capability, capability } from '../capability/capability.ts';
import type { BaseContext } from '../capability/context.ts';
import { expectTimeout } from '../enhancers/with-timeout.ts';
import { defaultErrors } from '../errors/default-errors.ts';
import { expectKnownOptions } from '../errors/expect-options.ts';
import { untilAborted } from '../resources/item-source.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';

/** The places of health checks, and what has to work. */
export interface HealthOptions {
  /** The path that answers while the process lives; below it `/ready` says whether it can serve. @default '/health' */
  readonly path?: `/${string}` | undefined;
  /** The parts that the server needs, by name: each fails by throwing, rejecting, or taking too long. @default none */
  readonly checks?: Readonly<Record<string, (signal: AbortSignal) => unknown>> | undefined;
  /** The time that a check may take, milliseconds. @default 5000 */
  readonly timeoutMs?: number | undefined;
}

/** A capability that says that all is well, or throws. */
export type HealthProbe = Capability<undefined, { status: string }, BaseContext, BaseContext, never>;

/** The capabilities of {@link healthChecks}. */
export type HealthTree = {
  /** Whether the process lives, and whether it can serve. */
  readonly health: { readonly getLiveness: HealthProbe; readonly getReadiness: HealthProbe };
};

/**
 * A plugin with two routes for orchestrators: `GET /health` answers 200 as soon as the server is started,
 * `GET /health/ready` 200 when every check has passed, else 503 with the names of those that failed in `meta.failed`.
 * The reasons are not sent: the hook `onError` gets them as the `cause`.
 */
export function healthChecks(options: HealthOptions = {}): Plugin<HealthTree, BaseContext> {
  expectKnownOptions('healthChecks', options, { path: true, checks: true, timeoutMs: true });
  const { path = '/health', checks = {}, timeoutMs = 5000 } = options;
  expectTimeout(timeoutMs, 'healthChecks timeoutMs');
  const getLiveness = toProbe(path, 'Whether the process lives', () => ({ status: 'ok' }));
  const getReadiness = toProbe(`${path}/ready`, 'Whether the process can serve', async () => {
    const results = Object.entries(checks).map(async ([name, check]) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const checked = untilAborted(Promise.resolve(signal).then(check), signal);
      return checked.then(
        () => [],
        (reason: unknown) => [{ name, reason }],
      );
    });
    const faults = (await Promise.all(results)).flat();
    if (faults.length === 0) return { status: 'ok' };
    const failed = faults.map(({ name }) => name);
    const reasons = faults.map(({ reason }) => reason);
    const cause = new AggregateError(reasons, `Not ready: ${failed.join(', ')}`);
    throw defaultErrors.ServiceUnavailable(cause.message, { failed }, { cause });
  });
  return definePlugin({ name: 'health', outsideUse: true, capabilities: { health: { getLiveness, getReadiness } } });
}

function toProbe(path: string, description: string, probe: () => unknown): HealthProbe {
  return capability(probe as () => { status: string }, 'query')
    .route('GET', path as '/health')
    .cacheControl('no-store')
    .tool(false)
    .describe(description);
}
