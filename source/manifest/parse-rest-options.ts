import type { RestOptions } from '../../server-runtime/rest/rest-options.ts';
import { findNearest } from '../../server-runtime/routing/find-nearest.ts';
import { type UrlCase, urlCases } from '../../server-runtime/routing/infer/url-case.ts';
import type { RouteOverrides } from '../../server-runtime/routing/route-override.ts';

/** What the commands need of `restOptions`, the options that a project shares between its server and the tool. */
export interface SharedRestOptions {
  readonly overrides?: RouteOverrides;
  readonly urlCase?: UrlCase;
}

/**
 * Reads the export `restOptions`. Options that only a server uses are accepted and passed over.
 *
 * @throws TypeError that says what is wrong with it
 */
export function parseRestOptions(exported: unknown): SharedRestOptions {
  if (exported === undefined) return {};
  if (!isRecord(exported))
    throw new TypeError(
      `the export \`restOptions\` is ${toTypeName(exported)}, not an object such as { urlCase: 'snake' }.`,
    );
  for (const name of Object.keys(exported)) expectKnown(name);
  const { overrides, urlCase } = exported;
  if (urlCase !== undefined && !(urlCases as readonly unknown[]).includes(urlCase)) {
    throw new TypeError(`\`restOptions.urlCase\` is ${JSON.stringify(urlCase)}. Use one of ${urlCases.join(', ')}.`);
  }
  if (overrides !== undefined && !isRecord(overrides)) {
    throw new TypeError(
      `\`restOptions.overrides\` is ${toTypeName(overrides)}, not an object such as { 'users.getUser': { method: 'GET', path: '/people/:id' } }.`,
    );
  }
  return {
    ...(overrides === undefined ? {} : { overrides: overrides as RouteOverrides }),
    ...(urlCase === undefined ? {} : { urlCase: urlCase as UrlCase }),
  };
}

/** Every option of `restTransport`; the compiler holds the list to its type. */
const restOptionNames = Object.keys({
  port: true,
  host: true,
  unix: true,
  server: true,
  https: true,
  http2: true,
  urlCase: true,
  overrides: true,
  cors: true,
  multipart: true,
  maxBodySize: true,
  timeoutMs: true,
  heartbeatMs: true,
  docs: true,
  capabilities: true,
} satisfies Record<keyof RestOptions, true>);

function expectKnown(name: string): void {
  if (restOptionNames.includes(name)) return;
  const nearest = findNearest(name, restOptionNames);
  const hint = nearest === undefined ? `Known are ${restOptionNames.join(', ')}.` : `Did you mean \`${nearest}\`?`;
  throw new TypeError(`\`restOptions\` has no option \`${name}\`. ${hint}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toTypeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
