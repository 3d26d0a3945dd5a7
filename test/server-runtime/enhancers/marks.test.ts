import { describe, expect, it } from 'vitest';
import {
  capability,
  defineMiddleware,
  generateOpenAPI,
  type RestOptions,
  withCache,
  withIdempotency,
  withRateLimit,
} from '../../../server-runtime/index.ts';
import { toCapabilities } from '../../../source/manifest/manifest.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';
import { startOverSocket } from '../../helpers/start-rest.ts';

const named = (name: string) => defineMiddleware(({ next }) => next(), { name });

/** Middleware of an application under the names of those of the package. */
const findItem = capability(() => 1, 'query')
  .enhance(named('withCache'))
  .enhance(named('withRateLimit'));
const createItem = capability(() => 1)
  .enhance(named('withIdempotency'))
  .enhance(named('withCaller'));

describe('a middleware of the application with the name of one of the package', () => {
  it('promises nothing that it does not do, in headers, documents and warnings', async () => {
    const items = { findItem, createItem };
    const { request, server, log } = await startOverSocket({ capabilities: { items } });
    const headers = { origin: 'https://a.example' };
    const found = await request('/items', { headers });
    expect([found.status, found.headers.get('cache-control'), found.headers.get('etag')]).toEqual([
      200,
      null,
      null,
    ]);
    expect(found.headers.get('access-control-expose-headers')).toBeNull();
    expect(log.warnings).toEqual([]);
    const document = JSON.stringify(generateOpenAPI(server.registry));
    expect(document).not.toMatch(/cache-control|etag|304|idempotency-key/i);
  });

  it('has no mark in the manifest, and those of the package have one', async () => {
    const marked = capability(() => 1)
      .enhance(withIdempotency({ required: true }))
      .enhance(withRateLimit({ limit: 1, windowMs: 1000 }));
    const manifest = await toTestManifest({ items: { createItem, updateItem: marked } });
    const [own, ours] = toCapabilities(manifest).map(({ facts }) => facts);
    expect(own?.enhancers.map(({ kind }) => kind)).toEqual([undefined, undefined]);
    expect(ours?.enhancers.map(({ kind }) => kind)).toEqual(['idempotency', 'limit']);
    expect([own, ours].map((each) => each?.idempotencyKey)).toEqual([undefined, 'required']);
  });
});

interface Document {
  readonly paths: {
    readonly '/rates': {
      readonly get: { readonly responses: Readonly<Record<string, { readonly headers?: object }>> };
    };
  };
}

describe('what callers may keep of an answer that is cached', () => {
  const rates = capability(() => ({ eur: 1 }), 'query').enhance(withCache({ ttlMs: 60_000 }));
  const getRates = rates.route('GET', '/rates');
  const getDeclared = rates.route('GET', '/declared').cacheControl('max-age=60');

  it.each<[string, RestOptions, readonly (string | RegExp | null)[]]>([
    ['is not derived', {}, [null, 'max-age=60', null]],
    ['is declared', { etag: true }, [null, 'max-age=60', 'W/']],
  ])('%s', async (_name, rest, [control, own, tag]) => {
    const { request, server } = await startOverSocket({
      capabilities: { rates: { getRates, getDeclared } },
      rest,
    });
    const toHeaders = ({ headers }: Response) => [
      headers.get('cache-control'),
      headers.get('etag')?.slice(0, 2) ?? null,
    ];
    for (let call = 0; call < 2; call++) {
      const response = await request('/rates');
      expect(toHeaders(response)).toEqual([control, tag]);
      expect([response.headers.get('age'), response.headers.get('vary')]).toEqual([null, null]);
      expect(toHeaders(await request('/declared'))).toEqual([own, tag]);
    }
    const document = generateOpenAPI(server.registry, rest as object) as never as Document;
    const answers = document.paths['/rates'].get.responses;
    expect(Object.keys(answers['200']?.headers ?? {})).toEqual(tag === null ? [] : ['etag']);
    expect('304' in answers).toBe(tag !== null);
  });
});
