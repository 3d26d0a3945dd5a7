import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { onTestFinished } from 'vitest';
import {
  compileRegistry,
  createServer,
  type GroupTree,
  type OpenApiDocument,
  type RestOptions,
  restTransport,
  silentLogger,
} from '../../server-runtime/index.ts';
import type { SharedRestOptions } from '../../source/document/parse-rest-options.ts';
import { toPublished } from '../../source/document/to-published.ts';
import { describeApi } from '../../source/manifest/describe-api.ts';
import { generateClient } from '../../source/written/client/generate-client.ts';
import { loadRuntime } from '../../source/written/client/load-client-text.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Call = ((input?: unknown, options?: unknown) => Promise<unknown>) & {
  readonly safe: (input?: unknown, options?: unknown) => Promise<unknown>;
};

export interface GeneratedClient {
  /** The calls by group and name. */
  readonly api: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  /** The text of the client. */
  readonly source: string;
  readonly document: OpenApiDocument;
  readonly url: string;
  /** The exports of the client. */
  readonly exported: { readonly createClient: (options: object) => GeneratedClient['api'] };
}

/** The client that `capix client --standalone` writes. */
export async function writeClient({
  document,
}: {
  readonly document: OpenApiDocument;
}): Promise<string> {
  return generateClient(document, { code: await loadRuntime(), isCarried: true });
}

/** Serves capabilities, and gives the client that `capix client` writes for them, connected to that server. */
export async function openGeneratedClient(
  capabilities: GroupTree,
  restOptions: SharedRestOptions & RestOptions = {},
): Promise<GeneratedClient> {
  const registry = compileRegistry(capabilities);
  const description = describeApi({ registry, restOptions });
  const source = await writeClient(description);
  const file = join(await temporaryFolder(), 'client.mjs');
  await writeFile(file, (await transform(source, { loader: 'ts' })).code);
  const server = createServer({
    capabilities,
    transports: [restTransport({ ...restOptions, port: 0, host: '127.0.0.1' })],
    logger: silentLogger,
  });
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const [started] = await server.start();
  const url = started?.url ?? '';
  const exported = (await import(pathToFileURL(file).href)) as GeneratedClient['exported'];
  return {
    api: exported.createClient({ baseUrl: url }),
    source,
    document: toPublished(description.document),
    url,
    exported,
  };
}
