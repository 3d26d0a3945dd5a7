// Boundary: whoever reads logs, spans, screens and files of the tool. Promise: what is secret by its name, its schema, its
// cookie or the header of a credential is masked alike in all of them.
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { INVALID_SPAN_CONTEXT, type Tracer } from '@opentelemetry/api';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  defineGuard,
  type Logger,
  type RestOptions,
  silentLogger,
  toFetchHandler,
  toNodeHandler,
} from '../../server-runtime/index.ts';
import { openTelemetry } from '../../server-runtime/observe/open-telemetry.ts';
import { queueTransport } from '../../server-runtime/queue/index.ts';
import { toShownPath } from '../../server-runtime/routing/shown-path.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { findSecretNames } from '../../server-runtime/schema/secret-names.ts';
import { toRequestLines } from '../../source/dev/screen/request-lines.ts';
import { toOperationSecrets } from '../../source/document/operations/secret-check.ts';
import { keepCall } from '../../source/files/past-call.ts';
import { writeCache } from '../../source/files/project-cache.ts';
import { toSavedFileText } from '../../source/invoke/saved/read-saved-calls.ts';
import { loadManifest } from '../../source/manifest/load-manifest.ts';
import { toCapabilities } from '../../source/manifest/manifest.ts';
import { toRequestCurl } from '../../source/record/curl.ts';
import { toShownUrl } from '../../source/record/replace-url-secrets.ts';
import type { RequestRecord } from '../../source/record/request-record.ts';
import { RequestRecorder } from '../../source/record/request-recorder.ts';
import { createJobWatch } from '../../source/serve/job-watch.ts';
import { countInputs } from '../helpers/count-inputs.ts';
import { recordLog } from '../helpers/start-rest.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const VALUE = 'hunter2andmore';
const text = z.string();
const mustHaveDoor = defineGuard(() => {}, {
  security: { type: 'apiKey', in: 'header', name: 'X-Door' },
});

/** A capability whose every field but `plain` is a secret, each by another way. */
const input = z.object({
  plain: text.optional(),
  password: text.optional(),
  answer: text.meta({ secret: true }).optional(),
  phrase: text.meta({ format: 'password' }).optional(),
  codes: z.array(text.meta({ secret: true })).optional(),
  inner: z.object({ maiden: text.meta({ secret: true }) }).optional(),
  vault: z.object({ any: text }).meta({ secret: true }).optional(),
  theme: text.optional(),
  door: text.optional(),
});
const createOne = capability(input, (given) => given)
  .output(input.omit({ theme: true }))
  .guard(mustHaveDoor)
  .takes({ cookies: { theme: 'theme' }, headers: { door: 'x-door' } });
const body = {
  plain: 'visible',
  password: VALUE,
  answer: VALUE,
  phrase: VALUE,
  codes: [VALUE],
  inner: { maiden: VALUE },
  vault: { any: VALUE },
};

describe('a secret in a path', () => {
  const reset = z.object({ token: text, plain: text });
  const declared = z.object({ entry: text.meta({ secret: true }) });
  const fail = (): never => {
    throw new Error('foreseen by nobody');
  };
  const a = {
    named: capability(reset, () => 1, 'query').route('GET', '/resets/:token/of/:plain'),
    declared: capability(declared, () => 1, 'query').route('GET', '/entries/:entry'),
    rest: capability(declared, () => 1, 'query').route('GET', '/files/*entry'),
    failing: capability(declared, fail, 'query').route('GET', '/failing/:entry'),
  };
  const paths = [
    `/resets/${VALUE}/of/visible`,
    `//resets///${VALUE}//of/visible/`,
    `/entries/${VALUE}`,
    `/entries/${VALUE}/`,
    `/files/${VALUE}/${VALUE}`,
    `/failing/${VALUE}`,
    `/failing/${VALUE}?token=${VALUE}`,
  ];

  it.each([{}, { prefix: '/api' }] as RestOptions[])(
    'stands in no line of a log, and in no span, with %o',
    async (rest) => {
      const told: unknown[] = [];
      const note = (...words: unknown[]): void => void told.push(words);
      const logger: Logger = { info: note, warn: note, error: note };
      const tracer = {
        startActiveSpan: (name: string, ...more: unknown[]) => {
          told.push(name, more[0]);
          const span = {
            end() {},
            setAttribute() {},
            setStatus() {},
            recordException() {},
            spanContext: () => INVALID_SPAN_CONTEXT,
          };
          return (more.at(-1) as (made: unknown) => unknown)(span);
        },
      } as unknown as Tracer;
      const plugins = [openTelemetry({ tracer })] as const;
      const server = createServer({ capabilities: { a }, accessLog: true, logger, plugins });
      const answer = toFetchHandler(server, rest);
      for (const path of paths) {
        const url = `http://a.test${rest.prefix ?? ''}${path}`;
        const { status } = await answer(new Request(url));
        expect([path, status]).toEqual([path, path.startsWith('/failing') ? 500 : 200]);
      }
      const all = JSON.stringify(told);
      expect(all).not.toContain(VALUE);
      expect(all).toContain('/resets/***/of/visible');
      expect(all).toContain('/files/***/***');
    },
  );

  it('is masked wherever it stands, and nothing else is', () => {
    const segment = fc.stringMatching(/^[a-z0-9%.~-]{1,8}$/);
    const part = fc.record({ value: segment, kind: fc.constantFrom('text', 'token', 'id') });
    const slashes = fc.constantFrom('/', '//', '///');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), slashes, (parts, between) => {
        const route = parts.map(({ value, kind }) => (kind === 'text' ? value : `:${kind}`));
        const path = between + parts.map(({ value }) => value).join(between);
        const shown = toShownPath(path, `/${route.join('/')}`, { isSecret: looksSecret });
        const wanted = parts.map(({ value, kind }) => (kind === 'token' ? '***' : value));
        expect(shown).toBe(between + wanted.join(between));
      }),
      { numRuns: countInputs(300) },
    );
  });
});

describe('what a request carried', () => {
  /** What capix dev has of a request with the secrets of `createOne`. */
  async function record(): Promise<RequestRecord> {
    const records: RequestRecord[] = [];
    const recorder = new RequestRecorder((requests) => void records.push(...requests), 100);
    const key = Symbol.for('capix.devLink');
    const link = { observe: recorder.observe, started: () => {} };
    Object.defineProperty(globalThis, key, { value: link, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
    const http = createHttpServer().listen(0);
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const server = createServer({
      capabilities: { a: { createOne: createOne.route('POST', '/a/:answer') } },
      logger: silentLogger,
    });
    http.on('request', toNodeHandler(server));
    recorder.attach(http);
    const { port } = http.address() as AddressInfo;
    const { answer: _inPath, ...others } = body;
    const response = await fetch(`http://localhost:${port}/a/${VALUE}?phrase=${VALUE}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `theme=${VALUE}`,
        'x-door': VALUE,
        connection: 'close',
      },
      body: JSON.stringify(others),
    });
    expect(response.status).toBe(200);
    await response.text();
    recorder.flush();
    return records[0] as RequestRecord;
  }

  it('is masked on the screen, in the table and in a copied command of capix dev', async () => {
    const request = { ...(await record()), route: '/a/:answer' };
    const lines = toRequestLines(request as never, { frame: undefined, columns: 100 } as never);
    const screen = lines.map((line) => line.map((segment) => segment.text).join('')).join('\n');
    const curl = toRequestCurl(request, 'http://localhost:3000');
    for (const shown of [screen, toShownUrl(request), curl]) expect(shown).not.toContain(VALUE);
    expect(screen).toContain('visible');
    expect(curl).toContain('visible');
  });

  it('is not in the history of calls, nor in a saved one', async () => {
    const project = { root: '/shop', name: 'shop', entryFile: '/shop/src/capabilities.ts' };
    const registry = compileRegistry({ a: { createOne } });
    const facts = { kind: 'loaded', project, registry, restOptions: {}, files: [] } as const;
    const [operation] = toCapabilities(await loadManifest(facts));
    if (operation === undefined) throw new Error('The document has no operation.');
    const isSecret = toOperationSecrets(operation);
    const given = { ...body, theme: VALUE, door: VALUE };
    const root = await temporaryFolder();
    await mkdir(join(root, 'node_modules'));
    await keepCall(root, { key: 'a.createOne', input: given, status: 200, at: 0 }, isSecret);
    const files = await readdir(root, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
    );
    expect(texts.join('\n')).toContain('visible');
    expect(texts.join('\n')).not.toContain(VALUE);
    const saved = { call: 'a.createOne', input: given, headers: {}, environment: undefined };
    const savedText = toSavedFileText({ ...saved, expect: undefined }, isSecret);
    expect(savedText).toContain('visible');
    expect(savedText).not.toContain(VALUE);
  });

  it('is masked among the failed jobs of capix dev', async () => {
    const told: string[] = [];
    const watch = createJobWatch((news) => void told.push(JSON.stringify(news)));
    const key = Symbol.for('capix.devLink');
    const value = { watchJobs: watch.watch, observe: <App>(app: App) => app, started: () => {} };
    Object.defineProperty(globalThis, key, { value, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, key));
    const send = capability(input, () => {
      throw new Error('foreseen by nobody');
    });
    const jobs = queueTransport({
      capabilities: { mails: { send } },
      jobs: { 'mails.send': { attempts: 1 } },
    });
    const server = createServer({ capabilities: {}, transports: [jobs], logger: silentLogger });
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await jobs.enqueue('mails.send', body, { headers: { cookie: VALUE } });
    await expect.poll(() => told.join('\n')).toContain('visible');
    expect(told.join('\n')).not.toContain(VALUE);
  });

  it('is masked in the line of a job that no queue takes', async () => {
    const capabilities = { mails: { send: capability(input, () => null) } };
    const jobs = queueTransport({ url: 'redis://127.0.0.1:1', isWorker: false, capabilities });
    const logger = recordLog();
    const server = createServer({ capabilities: {}, transports: [jobs], logger });
    await server.start();
    onTestFinished(() => server.stop({ graceMs: 0 }));
    await expect(jobs.enqueue('mails.send', body)).rejects.toThrow();
    const [line] = logger.errors.map(({ message }) => message);
    expect(line).toContain('{"plain":"visible","password":"***",');
    expect(line).not.toContain(VALUE);
  });
});

it('what the tool remembers of a project is for its user alone', async () => {
  const root = await temporaryFolder();
  const folder = join(root, 'node_modules/.cache/capix');
  await mkdir(folder, { recursive: true });
  // Of a version before, whose files everybody could read.
  await writeFile(join(folder, 'calls.json'), '', { mode: 0o644 });
  for (const name of ['calls.json', 'servers/1.jsonl']) {
    await writeCache(root, name, 'remembered');
    const { mode } = await stat(join(folder, name));
    expect([name, (mode & 0o777).toString(8)]).toEqual([name, '600']);
  }
});

it('finds every name that a schema declares a secret, by whatever schemas it is reached', () => {
  const wrap = fc.constantFrom<(schema: z.ZodType) => z.ZodType>(
    (schema) => schema.optional(),
    (schema) => schema.nullable(),
    (schema) => z.array(schema),
    (schema) => z.union([z.number(), schema]),
    (schema) => z.record(z.string(), schema),
    (schema) => schema.meta({ description: 'words' }),
  );
  const secret = fc.constantFrom({ secret: true }, { format: 'password' });
  fc.assert(
    fc.property(fc.array(wrap, { maxLength: 4 }), secret, fc.boolean(), (wraps, mark, isDeep) => {
      const field = wraps.reduce<z.ZodType>((schema, each) => each(schema), text.meta(mark));
      const object = z.object({ mine: field, other: text });
      const schema = isDeep ? z.object({ list: z.array(object) }) : object;
      const json = z.toJSONSchema(schema);
      expect([...findSecretNames(json)]).toEqual(['mine']);
    }),
    { numRuns: countInputs(200) },
  );
});
