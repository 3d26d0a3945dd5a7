import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** The time in which the first delay of the event loop is measured, milliseconds. */
const FIRST_DELAY_MS = 25;
/** How many of these a busy process gets. */
const MAX_WAITS = 40;

/**
 * Adds the metrics of prom-client of the process, such as heap and event loop, unless the application has done so.
 * Called when metrics are read: where nobody reads them, nothing is measured.
 */
export async function measureProcess(registry: Registry): Promise<void> {
  if (registry.getSingleMetric('nodejs_eventloop_lag_seconds') !== undefined) return;
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  for (const { name } of own.getMetricsAsArray()) {
    const metric = own.getSingleMetric(name);
    if (metric !== undefined && registry.getSingleMetric(name) === undefined)
      registry.registerMetric(metric);
  }
  await waitForDelay();
}

/** Until a delay of the event loop has been measured: before, its least one reads as 292 years. */
async function waitForDelay(): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  for (let waits = 0; waits < MAX_WAITS && delays.count === 0; waits++) await wait(FIRST_DELAY_MS);
  delays.disable();
}
