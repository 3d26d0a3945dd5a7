import { expectCacheControl } from '../../server-runtime/capability/http.ts';
import { expectKnownOptions } from '../../server-runtime/errors/expect-options.ts';
import { type DocsOptions, expectDocsOptions } from '../../server-runtime/http/docs-options.ts';
import { type Envelope, toEnvelope } from '../../server-runtime/http/envelope.ts';
import { type EtagKind, toEtagKind } from '../../server-runtime/http/to-etag-kind.ts';
import { type MultipartOptions, toMultipartLimits } from '../../server-runtime/input/multipart-limits.ts';
import type { CorsOptions } from '../../server-runtime/rest/cors-settings.ts';
import { restOptionNames } from '../../server-runtime/rest/rest-options.ts';
import { type UrlCase, urlCases } from '../../server-runtime/routing/infer-route.ts';
import { toPrefix } from '../../server-runtime/routing/path-pattern.ts';
import type { RouteOverrides } from '../../server-runtime/routing/route.ts';
import type { BodyLimits } from './facts.ts';

/**
 * The parts of `restOptions` that the commands need, the options that a project shares between its server and the tool.
 */
export interface SharedRestOptions {
  readonly overrides?: RouteOverrides;
  readonly urlCase?: UrlCase;
  readonly prefix?: string;
  readonly envelope?: Envelope;
  readonly etag?: EtagKind;
  readonly cacheControl?: string;
  readonly docs?: DocsOptions;
  readonly maxBodySize?: number;
  readonly multipart?: MultipartOptions | false;
  readonly cors?: CorsOptions | false;
  readonly calls?: boolean;
  readonly timeoutMs?: number;
}

/** The limits of what a request may send, with the defaults of the server where nothing is said. */
export function toBodyLimits({ maxBodySize = DEFAULT_BODY_SIZE, multipart }: SharedRestOptions): BodyLimits {
  if (multipart === false) return { maxBodySize };
  const { maxFileSize, maxFiles, maxFieldsSize, maxParts } = toMultipartLimits(multipart);
  return { maxBodySize, forms: { maxFileSize, maxFiles, maxFieldsSize, maxParts } };
}

/** Bytes. */
const DEFAULT_BODY_SIZE = 1024 * 1024;

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
  expectKnownOptions('`restOptions`', exported, restOptionNames);
  const { overrides, urlCase, maxBodySize, multipart, docs, cacheControl, cors, calls, timeoutMs } = exported;
  const etag = toEtagKind(exported['etag'] as never);
  if (isRecord(docs)) expectDocsOptions('`restOptions.docs`', docs);
  if (urlCase !== undefined && !(urlCases as readonly unknown[]).includes(urlCase)) {
    throw new TypeError(`\`restOptions.urlCase\` is ${JSON.stringify(urlCase)}. Use one of ${urlCases.join(', ')}.`);
  }
  if (overrides !== undefined && !isRecord(overrides)) {
    throw new TypeError(
      `\`restOptions.overrides\` is ${toTypeName(overrides)}, not an object such as { 'users.getUser': { method: ` +
        `'GET', path: '/people/:id' } }.`,
    );
  }
  return {
    ...(overrides === undefined ? {} : { overrides: overrides as RouteOverrides }),
    ...(urlCase === undefined ? {} : { urlCase: urlCase as UrlCase }),
    ...(exported['envelope'] === undefined ? {} : { envelope: toEnvelope(exported['envelope']) }),
    ...(etag === undefined ? {} : { etag }),
    ...(cacheControl === undefined
      ? {}
      : { cacheControl: expectCacheControl('restOptions.cacheControl', cacheControl) }),
    ...(exported['prefix'] === undefined ? {} : { prefix: toPrefix(exported['prefix']) }),
    ...(isRecord(docs) ? { docs } : {}),
    ...(typeof maxBodySize === 'number' ? { maxBodySize } : {}),
    ...(multipart === false || isRecord(multipart) ? { multipart } : {}),
    ...(cors === false || isRecord(cors) ? { cors } : {}),
    ...(typeof calls === 'boolean' ? { calls } : {}),
    ...(typeof timeoutMs === 'number' ? { timeoutMs } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toTypeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
