import { innerPartsOf } from '../capability/enhancer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { CompiledRegistry } from '../registry/compile-registry.ts';
import type { Operation } from '../registry/operation.ts';
import { createMatcher } from '../routing/create-matcher.ts';
import type { Route, RouteProblem } from '../routing/route.ts';
import type { Application } from '../server/application.ts';
import type { Logger } from '../server/logger.ts';
import { type AnswererOptions, createAnswerer, type Page } from './answerer.ts';
import type { Preparation } from './create-prepared-sender.ts';
import { createRequestHandler } from './request-handler.ts';
import type { RestSettings } from './rest-options.ts';
import { createSender, type Phase, type Sender, type SenderOptions } from './sender.ts';
import { toCallRoute, toServedRoutes } from './served-routes.ts';

/** Makes the pages of `docs`. Injected, so that the transport does not depend on what writes documents. */
export type ToPages = (registry: CompiledRegistry, settings: RestSettings) => Promise<ReadonlyMap<string, Page>>;

export interface RestPipelineOptions {
  readonly app: Application;
  readonly settings: RestSettings;
  readonly toPages: ToPages;
  readonly phase: () => Phase;
}

/** Everything between a request and its answer, compiled for one application. */
export interface RestPipeline {
  readonly handle: (exchange: Exchange) => void;
  /** Whether a request is for a capability or a page, or the preflight of one. */
  readonly serves: (method: string, url: string) => boolean;
  readonly routes: readonly Route[];
  /** Ends the answers that may have no end: those of async iterables. */
  readonly endEvents: () => void;
}

/** @throws Error that names both capabilities where two have one route, and prints an override that solves it */
export async function createRestPipeline({
  app,
  settings,
  toPages,
  phase,
}: RestPipelineOptions): Promise<RestPipeline> {
  const { routes, problems } = toServedRoutes(app.registry, settings);
  expectNoProblems(problems, app.logger);
  const { envelope, heartbeatMs } = settings;
  const cors = settings.cors.exposing(toExposedHeaders(app.registry.operations, settings.etag !== undefined));
  const sender = await toPreparedSender({ app, cors, standing: settings.standing, phase }, settings);
  const { calls: takesCalls } = settings;
  const answering: AnswererOptions = { app, sender, cors, envelope, takesCalls, heartbeatMs, phase };
  const answer = takesCalls
    ? (await import('./create-call-answerer.ts')).createCallAnswerer(answering, settings.prefix)
    : createAnswerer(answering);
  const pages = settings.docs === undefined ? new Map<string, Page>() : await toPages(app.registry, settings);
  const { handle, serves } = createRequestHandler({
    app,
    settings,
    answer,
    pages,
    matchRoute: createMatcher(
      settings.calls ? [...routes, ...routes.map((route) => toCallRoute(route, settings.prefix))] : routes,
    ),
    phase,
  });
  return { handle, serves, routes, endEvents: answer.endEvents };
}

/** The sender, inside one that compresses and compares where that is turned on, which is loaded only then. */
async function toPreparedSender(options: SenderOptions, preparation: Preparation): Promise<Sender> {
  const sender = createSender(options);
  const { etag, compressFrom } = preparation;
  if (etag === undefined && compressFrom === undefined) return sender;
  const { createPreparedSender } = await import('./create-prepared-sender.ts');
  return createPreparedSender(sender, preparation);
}

function expectNoProblems(problems: readonly RouteProblem[], logger: Logger): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  for (const problem of problems) {
    if (problem.kind === 'unknown-override' || problem.kind === 'intent-contradiction')
      logger.warn(`[capix] ${problem.message}`);
  }
}

/** The headers of answers that a page of another origin may read by default: those that operations send. */
function toExposedHeaders(operations: readonly Operation[], isTagged: boolean): readonly string[] {
  const names = new Map<string, string>();
  const add = (...all: readonly string[]): void => all.forEach((name) => names.set(name.toLowerCase(), name));
  if (isTagged) add('ETag');
  for (const { definition } of operations) {
    for (const { kind, headers } of definition.answers)
      add(...(kind === 'redirect' ? ['Location'] : []), ...Object.keys(headers));
    for (const enhancer of definition.enhancers) {
      const { kind, headers = {} } = innerPartsOf(enhancer);
      add(...Object.keys(headers));
      if (kind === 'idempotency') add('Idempotency-Replayed');
    }
    const errors = [...definition.errors, ...definition.enhancers.flatMap((each) => each.errors)];
    if (errors.some(({ status }) => status === 429 || status === 503)) add('Retry-After');
  }
  return [...names.values()];
}
