import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');
const docs = readdirSync(join(packageRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => read(`docs/${name}`))
  .join('\n');
const code = new Set(
  [...docs.matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => text.match(/\w+/g) ?? []),
);

/** Options that users give, from the record of the public surface, and where an interface of it has no name of its own. */
const sources = [
  'etc/capix.api.md',
  'server-runtime/capability/definition.ts',
  'server-runtime/enhancers/with-cache.ts',
  'server-runtime/enhancers/with-circuit-breaker.ts',
  'server-runtime/enhancers/with-idempotency.ts',
  'server-runtime/enhancers/with-rate-limit.ts',
  'server-runtime/http/limits.ts',
  'server-runtime/input/multipart-limits.ts',
  'server-runtime/mcp/options.ts',
  'server-runtime/websocket/options.ts',
  'server-runtime/graphql/execution/options.ts',
  'server-runtime/http/cors.ts',
  'server-runtime/testing/test-server.ts',
  'server-runtime/topics/index.ts',
];
const interfaces = sources.flatMap((path) =>
  [
    ...read(path).matchAll(
      /^export interface (\w*Options|Hooks|Deprecation|WebSocketLimits|GraphqlLimits)\b[^{]*\{([^]*?)^\}/gm,
    ),
  ].map(([, name = '', body = '']) => ({
    name,
    fields: [...body.matchAll(/^ +(?:readonly )?(\w+)\??[:(]/gm)].map(([, field = '']) => field),
  })),
);

describe('docs/', () => {
  it('finds the interfaces of the options', () => {
    const names = interfaces.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'RestOptions',
        'ServerOptions',
        'OpenApiOptions',
        'McpOptions',
        'MultipartOptions',
      ]),
    );
  });

  it.each(interfaces)('names every field of $name', ({ fields }) => {
    expect(fields.filter((field) => !code.has(field))).toEqual([]);
  });
});
