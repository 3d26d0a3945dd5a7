// The public surface of `capix/prometheus`.
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  type Registry,
  register,
} from 'prom-client';
import { type Capability, capability } from '../capability/capability.ts';
import { text } from '../capability/content.ts';
import type { BaseContext } from '../capability/context.ts';
import { isPromise } from '../errors/maybe-promise.ts';
import { findDevLink } from '../server/dev-link.ts';
import { definePlugin, type Plugin } from '../server/plugin.ts';
import type { AnyTransport } from '../server/transport.ts';
import { countJobs } from './job-metrics.ts';
import { measureProcess } from './process-metrics.ts';

interface PrometheusOptions {
  /** @default the global one of prom-client */
  readonly registry?: Registry | undefined;
  /** The path at which they are read, behind the prefix of the transport; `false` serves none. @default '/metrics' */
  readonly path?: `/${string}` | false | undefined;
  /** The upper bounds of the histogram, seconds. @default 5 ms to 10 s, as of prom-client */
  readonly buckets?: readonly number[] | undefined;
  /** What `queueTransport(…)` makes: their jobs are counted whenever the metrics are read. @default none */
  readonly queues?: readonly AnyTransport[] | undefined;
}

/** The capability of {@link prometheus}. */
export type PrometheusTree = {
  /** The metrics as text. */
  readonly prometheus: {
    readonly getMetrics: Capability<undefined, string, BaseContext, BaseContext>;
  };
};

/**
 * A plugin that counts and times requests by capability with prom-client; under `capix start`, those of all processes.
 * With a path, it also measures the process from the first read on. Every caller that reaches the server can read
 * the path: block it from the outside, or serve the registry yourself.
 */
export function prometheus(options: PrometheusOptions = {}): Plugin<PrometheusTree, BaseContext> {
  const { registry = register, path = '/metrics', buckets, queues = [] } = options;
  countJobs(registry, queues);
  // Two servers of one process count together.
  const toMetric = <M extends Metric>(name: string, make: (name: string) => M): M =>
    (registry.getSingleMetric(name) as M | undefined) ?? make(name);
  const own = { labelNames: ['capability'], registers: [registry] };
  const durations = toMetric('capix_request_duration_seconds', (name) => {
    const help = 'Time from the first byte of a request to its response.';
    const labelNames = ['capability', 'transport', 'method', 'status'];
    return new Histogram({
      ...own,
      name,
      help,
      labelNames,
      ...(buckets && { buckets: [...buckets] }),
    });
  });
  const running = toMetric(
    'capix_calls_in_progress',
    (name) => new Gauge({ ...own, name, help: 'Calls that have begun and have no result yet.' }),
  );
  const givenUp = toMetric(
    'capix_jobs_given_up_total',
    (name) => new Counter({ ...own, name, help: 'Jobs that failed and are not tried again.' }),
  );
  return definePlugin({
    name: 'prometheus',
    outsideUse: true,
    capabilities: path === false ? ({} as PrometheusTree) : toMetricsTree(registry, path),
    observe: ({ kind, capability: key }) =>
      kind === 'call' ? (run) => countWhile(running.labels({ capability: key }), run) : undefined,
    hooks: {
      onResponse: ({ request: { transport, method }, capability: key = '', status, durationMs }) =>
        durations.observe(
          { capability: key, transport, method: toMethodLabel(transport, method), status },
          durationMs / 1000,
        ),
      onJobGivenUp: ({ capability: key }) => givenUp.inc({ capability: key }),
    },
  });
}

const httpMethods = 'GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY'.split(' ');

/** Each label is a series, and a caller may send any word as its method: unknown ones are one, as of OpenTelemetry. */
function toMethodLabel(transport: string, method: string): string {
  return transport !== 'rest' || httpMethods.includes(method) ? method : '_OTHER';
}

function countWhile(gauge: Gauge.Internal<string>, run: () => unknown): unknown {
  let result: unknown;
  const done = (): void => gauge.dec();
  gauge.inc();
  try {
    result = run();
    return result;
  } finally {
    if (isPromise(result)) Promise.resolve(result).then(done, done);
    else done();
  }
}

function toMetricsTree(registry: Registry, path: `/${string}`): PrometheusTree {
  const readAll = findDevLink()?.shareMetrics?.(path, async () => {
    await measureProcess(registry);
    return registry.getMetricsAsJSON();
  });
  const read = async () => {
    if (readAll) return AggregatorRegistry.aggregate((await readAll()) as object[]).metrics();
    await measureProcess(registry);
    return registry.metrics();
  };
  const getMetrics = capability(read, 'query')
    .output(text(registry.contentType))
    .route('GET', path as '/metrics')
    .cacheControl('no-store')
    .tool(false)
    .describe('The metrics of the server, as Prometheus reads them');
  return { prometheus: { getMetrics } };
}
