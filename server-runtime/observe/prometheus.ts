// The public surface of `capix/prometheus`.
import { AggregatorRegistry, Counter, Gauge, Histogram, type Metric, type Registry, register } from 'prom-client';
import type { Capability } from '../capability/capability.ts';
import { capability } from '../capability/capability-factory.ts';
import { text } from '../capability/content.ts';
import type { BaseContext } from '../capability/context.ts';
import type { Observer } from '../capability/run-capability.ts';
import { isPromise } from '../errors/failure.ts';
import { findDevLink } from '../server/dev-link.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';

interface PrometheusOptions {
  /** The registry of the metrics. @default the global one of prom-client */
  readonly registry?: Registry | undefined;
  /** The path at which they are read, behind the prefix of the transport; `false` serves none. @default '/metrics' */
  readonly path?: `/${string}` | false | undefined;
  /** The upper bounds of the histogram, seconds. @default 5 ms to 10 s, as of prom-client */
  readonly buckets?: readonly number[] | undefined;
}

/** The capability of {@link prometheus}. */
export type PrometheusTree = {
  /** The metrics as text. */
  readonly prometheus: { readonly getMetrics: Capability<undefined, string, BaseContext, BaseContext> };
};

/**
 * A plugin that counts and times requests by capability with prom-client: `capix_request_duration_seconds` by
 * `capability` (empty where no route matched), `transport`, `method` and `status`, and `capix_calls_in_progress` and
 * `capix_jobs_given_up_total` by `capability`. Under `capix start` they are those of all processes. Everybody who
 * reaches the server can read the path: keep it from the outside, or serve the registry yourself.
 *
 * @example
 * ```ts
 * import { prometheus } from 'capix/prometheus';
 *
 * const server = createServer({ plugins: [prometheus()] });
 * ```
 */
export function prometheus(options: PrometheusOptions = {}): Plugin<PrometheusTree, BaseContext> {
  const { registry = register, path = '/metrics', buckets } = options;
  const durations = findOrMake(registry, DURATIONS, (name) => {
    const labelNames = ['capability', 'transport', 'method', 'status'] as const;
    const help = 'Time from the first byte of a request to its response.';
    return new Histogram({ name, help, labelNames, registers: [registry], ...(buckets && { buckets: [...buckets] }) });
  });
  const running = findOrMake(registry, RUNNING, (name) => {
    const help = 'Calls that have begun and have no result yet.';
    return new Gauge({ name, help, labelNames: ['capability'] as const, registers: [registry] });
  });
  const givenUp = findOrMake(registry, GIVEN_UP, (name) => {
    const help = 'Jobs that failed and are not tried again.';
    return new Counter({ name, help, labelNames: ['capability'] as const, registers: [registry] });
  });
  return definePlugin({
    name: 'prometheus',
    outsideUse: true,
    capabilities:
      path === false ? ({} as PrometheusTree) : { prometheus: { getMetrics: toMetricsCapability(registry, path) } },
    observe: createCounter(running),
    hooks: {
      onResponse: ({ request, capability: key = '', status, durationMs }) => {
        const { transport, method } = request;
        durations.observe({ capability: key, transport, method, status }, durationMs / 1000);
      },
      onJobGivenUp: ({ capability: key }) => givenUp.inc({ capability: key }),
    },
  });
}

const DURATIONS = 'capix_request_duration_seconds';
const RUNNING = 'capix_calls_in_progress';
const GIVEN_UP = 'capix_jobs_given_up_total';

/** Two servers of one process count together. */
function findOrMake<M extends Metric>(registry: Registry, name: string, make: (name: string) => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make(name);
}

function createCounter(running: Gauge<'capability'>): Observer {
  return ({ kind, capability: key }) => {
    if (kind !== 'call') return undefined;
    const gauge = running.labels({ capability: key });
    const done = (): void => gauge.dec();
    return (run) => {
      gauge.inc();
      try {
        const result = run();
        if (isPromise(result)) result.then(done, done);
        else done();
        return result;
      } catch (thrown) {
        done();
        throw thrown;
      }
    };
  };
}

type Aggregated = Parameters<typeof AggregatorRegistry.aggregate>[0];

function toMetricsCapability(registry: Registry, path: `/${string}`): PrometheusTree['prometheus']['getMetrics'] {
  const readAll = findDevLink()?.shareMetrics?.(path, () => registry.getMetricsAsJSON());
  const read = async (): Promise<string> =>
    readAll === undefined
      ? registry.metrics()
      : AggregatorRegistry.aggregate((await readAll()) as unknown as Aggregated).metrics();
  return capability(read, 'query')
    .output(text(registry.contentType))
    .route('GET', path as '/metrics')
    .cacheControl('no-store')
    .tool(false)
    .describe('The metrics of the server, as Prometheus reads them');
}
