import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Json = Readonly<Record<string, unknown>>;

/** A document whose one answer has the schema. */
const answering = (schema: Json, more: Json = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pet': { get: { responses: { 200: toResponse(schema) } } } },
    ...more,
  });

const toResponse = (schema: Json): Json => ({
  description: 'A pet',
  content: { 'application/json': { schema } },
});

const toPet = (...fields: readonly string[]): Json => ({
  type: 'object',
  required: fields,
  properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
});

const GONE = 'color` was removed';

/** Two folders, \`old\` and \`new\`, of the files that a function gives for a pet of one and of two fields. */
async function openPair(toFiles: (pet: Json) => Readonly<Record<string, string>>) {
  const toFolder = (folder: string, pet: Json) =>
    Object.entries(toFiles(pet)).map(([path, text]) => [`${folder}/${path}`, text] as const);
  return openProject(
    Object.fromEntries([
      ...toFolder('old', toPet('name', 'color')),
      ...toFolder('new', toPet('name')),
    ]),
  );
}

test.each<[string, (pet: Json) => Readonly<Record<string, string>>]>([
  [
    'a schema in another file',
    (pet) => ({
      'api.json': answering({ $ref: './schemas/pet.json' }),
      'schemas/pet.json': JSON.stringify(pet),
    }),
  ],
  [
    'a file of a file, in another language, by a pointer',
    (pet) => ({
      'api.json': answering({ $ref: 'schemas/all.yaml#/definitions/Pet' }),
      'schemas/all.yaml': 'definitions: { Pet: { $ref: "../more/pet%20one.json" } }\n',
      'more/pet one.json': JSON.stringify({ allOf: [{ $ref: '#/parts/pet' }], parts: { pet } }),
    }),
  ],
  [
    'a path item and a response in other files, behind two references',
    (pet) => ({
      'api.json': JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Pets', version: '1' },
        paths: { '/pet': { $ref: 'paths/pet.json' } },
        components: { responses: { Pet: { $ref: 'responses.json#/Pet' } } },
      }),
      'paths/pet.json': JSON.stringify({
        get: { responses: { 200: { $ref: '../api.json#/components/responses/Pet' } } },
      }),
      'responses.json': JSON.stringify({ Pet: { $ref: '#/Other' }, Other: toResponse(pet) }),
    }),
  ],
  [
    'an anchor',
    (pet) => ({
      'api.json': answering(
        { $ref: '#pet' },
        { components: { schemas: { A: { $anchor: 'pet', ...pet } } } },
      ),
    }),
  ],
  [
    'an identifier, and a pointer and an anchor inside of what it names',
    (pet) => ({
      'api.json': answering(
        {
          type: 'object',
          properties: { color: {} },
          allOf: [{ $ref: 'https://example.org/pet' }],
        },
        {
          components: {
            schemas: {
              Other: {
                $id: 'https://example.org/pet',
                allOf: [{ $ref: '#/$defs/inner' }, { $ref: '#again' }],
                $defs: { inner: pet, outer: { $anchor: 'again', type: 'object' } },
              },
            },
          },
        },
      ).replace('"properties":{"color":{}},', ''),
    }),
  ],
])('%s is followed', async (_, toFiles) => {
  const { capix } = await openPair(toFiles);
  const { stdout, stderr } = await capix(['diff', 'old/api.json', 'new/api.json']);
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(GONE), stderr: '' });
  const same = await capix(['diff', 'old/api.json', 'old/api.json', '--fail-on', 'unread']);
  expect(same).toEqual({ stdout: 'No differences\n', stderr: '', exitCode: 0 });
});

test('a circle of files ends', async () => {
  const { capix } = await openPair((pet) => ({
    'api.json': answering({ $ref: 'a.json' }),
    'a.json': JSON.stringify({
      ...pet,
      properties: { ...Object(pet['properties']), b: { $ref: 'b.json' } },
    }),
    'b.json': JSON.stringify({ type: 'object', properties: { a: { $ref: 'a.json' } } }),
  }));
  expect((await capix(['diff', 'old/api.json', 'new/api.json'])).stdout).toContain(GONE);
});

test('what lies outside of the folder is read where it is allowed, and told otherwise', async () => {
  const { capix, root } = await openPair((pet) => ({
    'api/api.json': answering({ $ref: '../common/pet.json' }),
    'common/pet.json': JSON.stringify(pet),
  }));
  const sides = ['diff', 'old/api/api.json', 'new/api/api.json'];
  const closed = await capix([...sides, '--fail-on', 'unread']);
  expect(closed.stdout).toBe('No differences\n');
  expect(closed.stderr).toBe(
    ['old', 'new']
      .map(
        (side) =>
          `note: not compared in ${side}/api/api.json: \`$ref: ../common/pet.json\` at ` +
          `/paths/~1pet/get/responses/200/content/application~1json/schema ` +
          `(it lies elsewhere: --allow ${side}/common/pet.json reads it)\n`,
      )
      .join(''),
  );
  expect(closed.exitCode).toBe(1);
  const open = await capix([...sides, '--allow', 'old/common', '--allow', 'new/common/pet.json']);
  expect(open).toMatchObject({ stdout: expect.stringContaining(GONE), stderr: '' });
  expect((await capix([...sides, '--allow', root])).stderr).toBe('');
});

test('a link does not lead out of the folder', async () => {
  const { capix, root } = await openPair(() => ({ 'api.json': answering({ $ref: 'pet.json' }) }));
  const secret = join(await temporaryFolder(), 'secret.json');
  await execa(
    'sh',
    ['-c', `echo '{"type":"string"}' > "$1"; ln -s "$1" new/pet.json`, 'sh', secret],
    {
      cwd: root,
    },
  );
  const { stderr } = await capix(['diff', 'old/api.json', 'new/api.json']);
  expect(stderr).toContain('it lies elsewhere: --allow new/pet.json reads it');
  expect(stderr).toContain('there is no such file');
});

test('a document of a server is followed on that server, and to no other by itself', async () => {
  let isRead = false;
  const listen = async (answer: (path: string) => string | undefined): Promise<string> => {
    const server = createServer((request, response) => {
      const text = answer(request.url ?? '');
      if (text?.startsWith('http')) response.writeHead(302, { location: text }).end();
      else response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const other = await listen(() => {
    isRead = true;
    return JSON.stringify(toPet('name'));
  });
  const url = await listen((path) => {
    const files: Readonly<Record<string, string>> = {
      '/v1/old.json': answering({ $ref: '../pet.json' }),
      '/v1/new.json': answering(toPet('name')),
      '/pet.json': JSON.stringify(toPet('name', 'color')),
      '/v1/far.json': answering({ allOf: [{ $ref: `${other}/pet.json` }, { $ref: 'moved.json' }] }),
      '/v1/moved.json': other,
    };
    return files[path];
  });
  const { capix } = await openProject({});
  expect((await capix(['diff', `${url}/v1/old.json`, `${url}/v1/new.json`])).stdout).toContain(
    GONE,
  );
  const far = await capix(['diff', `${url}/v1/far.json`, `${url}/v1/new.json`]);
  expect(far.stderr).toContain(`(it lies elsewhere: --allow ${other} reads it)`);
  expect(far.stderr).toContain('`$ref: moved.json`');
  expect(isRead).toBe(false);
  await capix(['diff', `${url}/v1/far.json`, `${url}/v1/new.json`, '--allow', other]);
  expect(isRead).toBe(true);
});

test('a document of a ref is followed at that ref', async () => {
  const { capix, root, write } = await openPair((pet) => ({
    'api.json': answering({ $ref: './schemas/pet.json' }),
    'schemas/pet.json': JSON.stringify(pet),
  }));
  const git = (...words: readonly string[]) =>
    execa('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...words], {
      cwd: root,
    });
  await git('init', '--quiet');
  await git('add', '--', 'old');
  await git('commit', '--quiet', '--message', 'first');
  await write('old/schemas/pet.json', JSON.stringify(toPet('name')));
  const { stdout, stderr } = await capix(['diff', 'HEAD:old/api.json', 'old/api.json']);
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(GONE), stderr: '' });
});

test('--json lists what was not compared with its place and how often it stands there', async () => {
  const broken = { $ref: '#/components/schemas/Gone' };
  const { capix } = await openPair((pet) => ({
    'api.json': answering(
      { ...pet, properties: { ...Object(pet['properties']), a: broken, b: broken } },
      { servers: [{ url: '/', variables: { a: { default: 'b' } } }] },
    ),
  }));
  const { stdout, exitCode } = await capix(['diff', 'old/api.json', 'old/api.json', '--json']);
  expect(exitCode).toBe(0);
  const { data } = JSON.parse(stdout) as { data: { unread: readonly Json[] } };
  expect(data.unread[0]).toEqual({
    side: 'old/api.json',
    place: '/paths/~1pet/get/responses/200/content/application~1json/schema/properties/a',
    keyword: '$ref: #/components/schemas/Gone',
    count: 2,
    reason: 'it leads nowhere',
  });
});

test('a document that is nested deeper than anybody reads is refused with its name', async () => {
  let schema: Json = { type: 'string' };
  for (let level = 0; level < 3000; level += 1) schema = { type: 'array', items: schema };
  const { capix } = await openProject({ 'deep.json': answering(schema) });
  expect(await capix(['diff', 'deep.json', 'deep.json'])).toMatchObject({
    stderr: expect.stringContaining('error: deep.json is nested deeper than 500 levels.'),
    exitCode: 1,
  });
});
