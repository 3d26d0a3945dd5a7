import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  type GroupTree,
  restTransport,
  silentLogger,
  uploadedFile,
} from '../../server-runtime/index.ts';
import { openChromium } from '../helpers/open-chromium.ts';

/** A field of each kind with the value that the page offers for it, which is sent as it is. */
const fields: Readonly<Record<string, readonly [schema: z.ZodType, value: unknown]>> = {
  text: [z.string(), 'a b&c=d/é'],
  digits: [z.string(), '007'],
  number: [z.number(), 1.5],
  flag: [z.boolean(), true],
  choice: [z.enum(['open', 'done']), 'done'],
  texts: [z.array(z.string()), ['a', 'b,c', 'd&e']],
  oneText: [z.array(z.string()), ['only']],
  numbers: [z.array(z.int()), [1, 2]],
  object: [z.object({ state: z.string(), min: z.int() }), { state: 'open', min: 3 }],
  deep: [
    z.object({ by: z.object({ names: z.array(z.string()), size: z.int() }) }),
    { by: { names: ['a', 'b'], size: 2 } },
  ],
  objects: [
    z.array(z.object({ sku: z.string(), count: z.int() })),
    [
      { sku: 'x', count: 1 },
      { sku: 'y', count: 2 },
    ],
  ],
};

type Made = GroupTree[string];

/** The name and the text of each file that the page sends. */
const FILE = 'a "b".txt: abc';

const received: Record<string, unknown> = {};

function echo(name: string, shape: z.ZodRawShape, withFiles = false): Made {
  const files = { file: uploadedFile(), more: z.array(uploadedFile()).optional() };
  const schema = z.object({ ...shape, ...(withFiles && files) });
  return capability(schema, (input: object) => {
    received[name] = Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, toText(value)]),
    );
    return null;
  }) as unknown as Made;
}

/** Of a file its name and its text. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText);
  const { filename, buffer: bytes } = Object(value) as { filename?: string; buffer?: Buffer };
  return filename === undefined ? value : `${filename}: ${String(bytes)}`;
}

/** A capability for each field, and one for all of them, in a query, a body of JSON, and a form. */
function toCapabilities(): Record<string, Made> {
  const made: Record<string, Made> = {};
  const shapes = Object.entries(fields).map(([name, [schema, value]]) => {
    const shown = (schema as z.ZodString).meta({ example: value, examples: [value as string] });
    return [name, { [name]: shown }] as const;
  });
  const all = ['all', Object.assign({}, ...shapes.map(([, shape]) => shape))] as const;
  for (const [name, shape] of [...shapes, all]) {
    const end = name.charAt(0).toUpperCase() + name.slice(1);
    for (const verb of ['get', 'send', 'upload'])
      made[verb + end] = echo(verb + end, shape as z.ZodRawShape, verb === 'upload');
  }
  return made;
}

const cdn = /https:\/\/cdn\.jsdelivr\.net\/npm\/swagger-ui-dist@[\d.]+\//g;

/** The server with Swagger UI of npm in place of the CDN, and with what drives the page. */
async function serveWithPage(url: string, names: readonly string[]) {
  let finish: (statuses: Record<string, string>) => void = () => {};
  const statuses = new Promise<Record<string, string>>((resolve) => {
    finish = resolve;
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '/', method = 'GET', headers } = request;
    const body = await buffer(request);
    const [, file] = /^\/cdn\/([\w-]+\.(?:js|css))$/.exec(path) ?? [];
    if (path === '/done') {
      response.end();
      return finish(JSON.parse(String(body)) as Record<string, string>);
    }
    if (path === '/drive.mjs') {
      response.setHeader('content-type', 'text/javascript');
      response.end(await readFile(new URL('drive-docs-page.mjs', import.meta.url)));
      return;
    }
    if (file !== undefined) {
      response.setHeader('content-type', file.endsWith('.css') ? 'text/css' : 'text/javascript');
      response.end(await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))));
      return;
    }
    const { 'content-type': type = '' } = headers;
    const init =
      method === 'GET' ? {} : { body: new Uint8Array(body), headers: { 'content-type': type } };
    const answered = await fetch(url + path, { method, ...init });
    const text = (await answered.text()).replaceAll(cdn, '/cdn/');
    const call = `import { drive } from '/drive.mjs'; drive(${JSON.stringify(names)});`;
    const script = `<script type="module">${call}</script></body>`;
    response.setHeader('content-type', answered.headers.get('content-type') ?? 'text/plain');
    response
      .writeHead(answered.status)
      .end(path === '/docs' ? text.replace('</body>', script) : text);
  };
  const pages = createHttpServer((request, response) => void answer(request, response));
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  onTestFinished(() => {
    pages.close();
    pages.closeAllConnections();
  });
  return { page: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/docs`, statuses };
}

it('the page at /docs sends every kind of field as it is meant, in a query, a body and a form with files', async () => {
  const capabilities = { a: toCapabilities() };
  const transports = [restTransport({ port: 0, docs: true })];
  const server = createServer({ capabilities, transports, logger: silentLogger });
  const [started] = await server.start();
  onTestFinished(() => server.stop({ graceMs: 0 }));
  const names = Object.keys(capabilities.a);
  const { page, statuses } = await serveWithPage(started?.url ?? '', names);
  await openChromium(page);
  const answered = await statuses;
  expect.soft(Object.entries(answered).filter(([, status]) => status !== '200')).toEqual([]);
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, [, value]]) => [name, value]),
  );
  for (const name of names) {
    const [, verb, rest = ''] = /^(get|send|upload)(.+)$/.exec(name) ?? [];
    const field = rest.charAt(0).toLowerCase() + rest.slice(1);
    const files = verb === 'upload' ? { file: FILE, more: [FILE, FILE] } : {};
    const expected = field === 'all' ? values : { [field]: values[field] };
    expect.soft([name, received[name]]).toEqual([name, { ...expected, ...files }]);
  }
});
