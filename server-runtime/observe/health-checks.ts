import type { Capability } from '../capability/capability.ts';
import { capability } from '../capability/capability-factory.ts';
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
 * While the server starts and drains both answer 503. The reasons are the `cause` of the error that the hook `onError`
 * gets, and are not sent.
 *
 * @example
 * ```ts
 * const db = { ping: async () => {} };
 * const server = createServer({ plugins: [healthChecks({ checks: { db: () => db.ping() } })] });
 * ```
 */
export function healthChecks(options: HealthOptions = {}): Plugin<HealthTree, BaseContext> {
  expectKnownOptions('healthChecks', options, { path: true, checks: true, timeoutMs: true });
  const { path = '/health', checks = {}, timeoutMs = 5000 } = options;
  expectTimeout(timeoutMs, 'healthChecks timeoutMs');
  const getLiveness = toProbe(path, 'Whether the process lives', () => ({ status: 'ok' }));
  const getReadiness = toProbe(`${path}/ready`, 'Whether the process can serve', async () => {
    const names = Object.keys(checks);
    const results = await Promise.allSettled(names.map(async (name) => runCheck(checks[name], timeoutMs)));
    const failed = names.filter((_, index) => results[index]?.status === 'rejected');
    if (failed.length === 0) return { status: 'ok' };
    const causes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const cause = new AggregateError(causes, `Not ready: ${failed.join(', ')}`);
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

/** A check that hangs fails too; it hears of it by its signal. */
async function runCheck(check: ((signal: AbortSignal) => unknown) | undefined, timeoutMs: number): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  return untilAborted(Promise.resolve(signal).then(check), signal);
}
