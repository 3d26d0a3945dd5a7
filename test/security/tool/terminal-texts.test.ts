// Boundary: documents, servers, projects and arguments of others. Promise: nothing of them acts on a terminal or turns the
// direction of text, whatever command prints it and in whatever form. The screens have test/terminal/foreign-text.test.ts.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cleanUp } from '../../helpers/clean-up.ts';
import { packageRoot, runCapix } from '../../helpers/run-capix.ts';
import { writeTree } from '../../helpers/scaffold.ts';

/** Sets the title of a window, turns text red, goes to the corner, rings, clears, and turns the direction of text. */
const EVIL =
  '\u001B]0;owned\u0007\u001B[41mE\u009B1;1HV\r\u0085\u202EIL\u2066\u001B]8;;http://x\u001B\\\u0090q\u009C\b';
const quoted = JSON.stringify(EVIL);

/** Each is an answer of a server of others. */
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  data: (response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data: { [EVIL]: EVIL } })),
  text: (response) => response.setHeader('content-type', 'text/plain').end(EVIL),
  page: (response) => response.setHeader('content-type', 'text/html').end(`<p>${EVIL}`),
  refusal: (response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        error: EVIL,
        message: EVIL,
        meta: { [EVIL]: EVIL, issues: [EVIL], fields: [{ path: EVIL, message: EVIL }] },
      }),
    ),
  fault: (response) =>
    response
      .writeHead(502, EVIL.replace(/[^\x20-\x7E]/g, ''), { 'content-type': 'text/plain' })
      .end(EVIL),
  events: (response) =>
    response
      .setHeader('content-type', 'text/event-stream')
      .end(
        `event: ${EVIL.replace('\r', '')}\nid: ${EVIL.replace('\r', '')}\ndata: ${JSON.stringify(EVIL)}\n\ndata: ${EVIL}\n\n`,
      ),
  lines: (response) =>
    response
      .setHeader('content-type', 'application/x-ndjson')
      .end(`${JSON.stringify(EVIL)}\n${EVIL}\n`),
  headers: (response) =>
    response
      .setHeader('x-evil', '\u009B1;1H\u0085')
      .setHeader('content-type', 'application/json')
      .end('{"data":1}'),
  type: (response) => response.setHeader('content-type', 'text/\u009B1;1H').end('{"data":1}'),
  broken: (response) =>
    response.setHeader('content-type', 'application/json').end(`{"data":"${EVIL}`),
  redirect: (response) => response.writeHead(302, { location: '/\u009B1;1H' }).end(),
  bytes: (response) =>
    response.setHeader('content-type', 'application/octet-stream').end(Buffer.from(EVIL, 'latin1')),
};

const project = `
import { capability, defineError, defineGuard } from 'capix';
import * as z from 'zod';
const evil = ${quoted};
const Evil = defineError(409, 'Evil', evil);
const guard = defineGuard(() => {}, { name: evil, errors: [Evil] });
const input = z.object({ id: z.string().min(3, evil).describe(evil), [evil]: z.enum(['a', evil]).default(evil).describe(evil) });
export const notes = {
  getNote: capability(input, ({ id }) => { return { [evil]: evil, id }; }, 'query').guard(guard).describe(evil).tool({ description: evil, title: evil }).deprecated({ since: '2020-01-01', use: evil }),
  failNote: capability(() => { throw new Error(evil, { cause: new Error(evil) }); }),
  refuseNote: capability(() => { throw Evil(evil, { [evil]: evil }); }).errors(Evil),
  streamNotes: capability(async function* () { yield evil; throw new Error(evil); }, 'query'),
};
export const restOptions = { docs: { title: evil, version: evil, description: evil, servers: [{ url: 'https://a.test', description: evil }] } };
`;

function toDocument(type: string, path: string): string {
  const schema = {
    type: 'object',
    description: EVIL,
    required: [EVIL],
    properties: { [EVIL]: { type, enum: [EVIL, type], default: EVIL, pattern: EVIL } },
  };
  const content = { 'application/json': { schema }, [`text/${EVIL}`]: { schema } };
  const operation = {
    operationId: `${EVIL}${path}`,
    summary: EVIL,
    tags: [EVIL],
    parameters: [{ name: EVIL, in: 'header', schema }],
    requestBody: { content },
    responses: { 200: { description: EVIL, content, headers: { [EVIL]: { schema } } } },
    security: [{ [EVIL]: [EVIL] }],
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: EVIL, version: EVIL },
    servers: [{ url: `https://${EVIL}` }],
    paths: { [`/${EVIL}${path}`]: { post: operation } },
    components: { securitySchemes: { [EVIL]: { type: 'http', scheme: EVIL } } },
  });
}

const ofProject = [
  ['list'],
  ['list', '--json'],
  ['list', EVIL.replaceAll('\0', '')],
  ['show', 'notes.getNote'],
  ['show', 'notes.getNote', '--json'],
  ['show', EVIL],
  ['check'],
  ['check', '--json'],
  ['check', '--agents'],
  ['check', '--format', 'github'],
  ['openapi'],
  ['openapi', '--format', 'yaml'],
  ['openapi', '--json'],
  ['openapi', '--title', EVIL],
  ['client'],
  ['client', '--json'],
  ['docs'],
  ['docs', '--json'],
  ['ai-context'],
  ['ai-context', '--json'],
  ['mcp', '--list'],
  ['mcp', '--list', '--json'],
  ['call', 'notes.getNote', '--id', 'abc'],
  ['call', 'notes.getNote', '--id', 'abc', '--json'],
  ['call', 'notes.getNote', '--id', EVIL],
  ['call', 'notes.getNote', '--id', 'a'],
  ['call', 'notes.getNote', '--id', 'a', '--json'],
  ['call', 'notes.getNote', '--fields'],
  ['call', 'notes.failNote'],
  ['call', 'notes.failNote', '--json'],
  ['call', 'notes.refuseNote'],
  ['call', 'notes.refuseNote', '--json'],
  ['call', 'notes.streamNotes'],
  ['call', 'notes.streamNotes', '--json'],
  ['call', EVIL],
  ['call', EVIL, '--json'],
  ['call', 'notes.getNote', `{"${EVIL}`],
  ['call', `@${EVIL}`],
  ['call', '@saved'],
  ['call', '--all'],
  ['call', '--all', '--json'],
  ['call', '--all', '--format', 'junit'],
  ['generate', 'capability', EVIL, '--dry-run'],
  ['lock', '--json'],
  ['diff', 'before.json', 'after.json'],
  ['diff', 'before.json', 'after.json', '--json'],
  ['diff', 'before.json', 'after.json', '--format', 'github'],
  ['diff', 'before.json', 'gone.json'],
  ['diff', 'broken.json', 'after.json'],
  ['diff', 'after.json'],
  ['diff', EVIL],
  ['diff', `${EVIL}:a.json`, 'after.json'],
  ['--config', EVIL, 'list'],
  [`--${EVIL}`],
  [EVIL],
  ['__complete', 'show', ''],
] as const;
const ofServer = Object.keys(answers).flatMap((name) => [
  ['call', 'notes.getNote', '--id', 'abc', '--url', `URL/${name}`],
  ['call', 'notes.getNote', '--id', 'abc', '--url', `URL/${name}`, '--json'],
]);
const rows: readonly (readonly string[])[] = [...ofProject, ...ofServer];

const printed = new Map<readonly string[], string>();

beforeAll(async () => {
  const server = createServer((request, response) => {
    const name = request.url?.split('/')[1] ?? '';
    answers[name]?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.afterEachFile.add(async () => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const root = await mkdtemp(join(tmpdir(), 'capix-texts-'));
  cleanUp.afterEachFile.add(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'node_modules'));
  for (const [name, to] of [
    ['capix', '.'],
    ['zod', 'node_modules/zod'],
  ] as const)
    await symlink(join(packageRoot, to), join(root, 'node_modules', name), 'junction');
  await writeTree(root, {
    'package.json': JSON.stringify({ name: 'demo', type: 'module', description: EVIL }),
    'src/capabilities.ts': project,
    'before.json': toDocument('string', 'a'),
    'after.json': toDocument('integer', 'a'),
    'broken.json': `{"openapi": "3.1.0", ${EVIL}`,
    'calls/saved.json': JSON.stringify({
      call: 'notes.getNote',
      input: { id: EVIL },
      expect: { body: EVIL },
    }),
    'calls/other.json': `{"call": "${EVIL}"`,
  });
  const waiting = [...rows];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const words = row.map((word) => word.replace('URL', url));
      const { stdout, stderr } = await runCapix(words, { cwd: root });
      printed.set(row, `${stdout}${stderr}`);
    }
  };
  await Promise.all([work(), work(), work()]);
});

test.each(
  rows.map((row) => [row.map((word) => word.replace(EVIL, 'EVIL')).join(' '), row] as const),
)('capix %s', (_words, row) => {
  const text = printed.get(row) ?? '';
  // Annotations are of files of the project, and documents have none.
  if (!row.includes('github')) expect(text).not.toBe('');
  const found = text.match(
    /[^\n]{0,40}[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/,
  );
  expect(JSON.stringify(found?.[0])).toBeUndefined();
});

test('the same document is read from JSON and from YAML', () => {
  const find = (...words: readonly string[]) =>
    printed.get(rows.find((row) => row.join() === words.join()) ?? []) ?? '';
  const document = JSON.parse(find('openapi')) as { info: { title: string } };
  expect(document.info.title).toBe(EVIL);
  expect(parse(find('openapi', '--format', 'yaml'))).toEqual(document);
});
