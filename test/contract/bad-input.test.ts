import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  createServer,
  restTransport,
  uploadedFile,
} from '../../server-runtime/index.ts';
import { readAnswer } from '../helpers/ask.ts';
import { askCapix } from '../helpers/ask-capix.ts';
import { describeOverSockets, itOverHttp } from '../helpers/every-door.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';
import { startOverSocket } from '../helpers/start-rest.ts';

const things = {
  listThings: capability(z.object({ n: z.number().optional() }), () => 'answered'),
  getThing: capability(z.object({ id: z.number() }), ({ id }) => id),
  createThing: capability(
    z.object({ name: z.string(), file: uploadedFile().optional() }),
    ({ name }) => name,
  ),
};

function post(
  body: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
  more: Record<string, string> = {},
): RequestInit {
  return { method: 'POST', headers: { 'content-type': type, ...more }, body };
}
const form = (text: string) =>
  post(text.replaceAll('\n', '\r\n'), 'multipart/form-data; boundary=X');
const bytes = (...values: readonly number[]) => new Uint8Array(values);

const requests: readonly (readonly [
  name: string,
  path: string,
  init: RequestInit,
  status: number,
  message: RegExp,
])[] = [
  // Paths and queries
  [
    'a path that is not percent-encoded UTF-8',
    '/things/%ff',
    {},
    400,
    /percent-encoding of the path/,
  ],
  ['a path with half an escape', '/things/%2', {}, 400, /percent-encoding of the path/],
  ['a path parameter of the wrong type', '/things/seven', {}, 400, /validation/],
  ['a path that leads up', '/things/..%2f..%2fetc%2fpasswd', {}, 400, /validation/],
  ['a query value of the wrong type', '/things?n=1e', {}, 400, /validation/],
  ['a query of brackets', '/things?n[][a]=1&n[[=2&n=x', {}, 400, /validation/],
  ['a path that nobody has', '/nothing', {}, 404, /Not found/],
  ['a method that the path has not', '/things/7', { method: 'DELETE' }, 405, /Method not allowed/],
  // Types and encodings
  ['a type that is none', '/things', post('{}', 'json'), 415, /Content type/],
  ['text', '/things', post('name=a', 'text/plain'), 415, /Content type 'text\/plain'/],
  [
    'an HTML form',
    '/things',
    post('name=a', 'application/x-www-form-urlencoded'),
    415,
    /Content type/,
  ],
  ['XML', '/things', post('<name/>', 'application/xml'), 415, /Content type/],
  [
    'JSON in UTF-16',
    '/things',
    post(bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), 'application/json; charset=utf-16'),
    415,
    /Charset 'utf-16'/,
  ],
  [
    'JSON in latin1 that says nothing of it',
    '/things',
    post(bytes(0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d)),
    400,
    /UTF-8/,
  ],
  [
    'a compressed body',
    '/things',
    post('x', 'application/json', { 'content-encoding': 'gzip' }),
    415,
    /encoding 'gzip'/,
  ],
  // JSON
  ['half of an object', '/things', post('{"name":'), 400, /not valid JSON/],
  ['single quotes', '/things', post("{'name': 'a'}"), 400, /not valid JSON/],
  ['two objects', '/things', post('{}{}'), 400, /not valid JSON/],
  ['a comma at the end', '/things', post('{"name":"a",}'), 400, /not valid JSON/],
  ['NaN', '/things', post('{"name":NaN}'), 400, /not valid JSON/],
  ['an array', '/things', post('[1]'), 400, /must be a JSON object, got an array/],
  ['a string', '/things', post('"a"'), 400, /must be a JSON object, got a string/],
  ['null', '/things', post('null'), 400, /must be a JSON object, got null/],
  ['a field that is missing', '/things', post('{}'), 400, /validation/],
  ['a file as JSON', '/things', post('{"name":"a","file":{"buffer":"x"}}'), 400, /validation/],
  ['a prototype', '/things', post('{"__proto__":{"name":"a"}}'), 400, /validation/],
  [
    'too much',
    '/things',
    post(`{"name":"${'x'.repeat(1_100_000)}"}`),
    413,
    /larger than 1048576 bytes/,
  ],
  // Forms
  ['a form without boundary', '/things', post('--X', 'multipart/form-data'), 400, /boundary/i],
  [
    'a form without end',
    '/things',
    form('--X\nContent-Disposition: form-data; name="name"\n\na'),
    400,
    /form|multipart/i,
  ],
  ['a form of noise', '/things', form('noise'), 400, /form|multipart/i],
  [
    'a part without name',
    '/things',
    form('--X\nContent-Disposition: form-data\n\na\n--X--\n'),
    400,
    /form|multipart|validation/i,
  ],
  [
    'another boundary',
    '/things',
    form('--Y\nContent-Disposition: form-data; name="name"\n\na\n--Y--\n'),
    400,
    /form|multipart/i,
  ],
  [
    'a text where a file belongs',
    '/things',
    form(
      '--X\nContent-Disposition: form-data; name="name"\n\na\n--X\nContent-Disposition: form-data; name="file"\n\nb\n--X--\n',
    ),
    400,
    /validation/,
  ],
  [
    'a file where a text belongs',
    '/things',
    form('--X\nContent-Disposition: form-data; name="name"; filename="a.txt"\n\na\n--X--\n'),
    400,
    /takes no file/,
  ],
];

/** Those that a message can be, too. */
const inputs = new Set([
  'a path parameter of the wrong type',
  'a path that leads up',
  'a query value of the wrong type',
  'a query of brackets',
  'half of an object',
  'single quotes',
  'two objects',
  'a comma at the end',
  'NaN',
  'a field that is missing',
  'a file as JSON',
  'a prototype',
]);

async function expectError([, path, init, status, message]: (typeof requests)[number]) {
  const { request, log } = await startOverSocket({ capabilities: { things } });
  const answer = await readAnswer(await request(path, init));
  expect(answer).toMatchObject({
    status,
    body: { error: expect.any(String), message: expect.stringMatching(message) },
  });
  expect(log.errors).toEqual([]);
  expect((await readAnswer(await request('/things'))).body).toEqual({ data: 'answered' });
}

describeOverSockets('a request', () => {
  const asMessages = requests.filter(([name]) => inputs.has(name));
  it.each(asMessages)('of %s gets its error, and the next one its answer', (...row) =>
    expectError(row),
  );
  const others = requests.filter(([name]) => !inputs.has(name));
  itOverHttp.each(others)(
    'of %s gets its error, and the next one its answer, over HTTP alone',
    (...row) => expectError(row),
  );

  const raw: readonly (readonly [name: string, bytes: string])[] = [
    ['no HTTP at all', '\u0000\u0001\u0002\r\n\r\n'],
    [
      'a head that is too long',
      `GET /things HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`,
    ],
    [
      'a length that is not a number',
      'POST /things HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /things HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    ],
    [
      'chunks that are none',
      'POST /things HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
  ];
  itOverHttp.each(raw)(
    'of %s is refused with 4xx, and the next one gets its answer',
    async (_name, sent) => {
      const { url, request } = await startOverSocket({ capabilities: { things } });
      const socket = connect({ port: Number(new URL(url).port) }).on('error', () => {});
      const received: Buffer[] = [];
      socket.on('data', (chunk) => received.push(chunk));
      socket.write(sent);
      await once(socket, 'close');
      expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect((await readAnswer(await request('/things'))).body).toEqual({ data: 'answered' });
    },
  );
});

describe('a declaration', () => {
  const one = capability(() => 1);
  const wrong: readonly (readonly [name: string, make: () => unknown, message: RegExp])[] = [
    [
      'a key with a hyphen',
      () => compileRegistry({ users: { 'get-user': one } }),
      /'get-user' in group 'users' cannot be the name/,
    ],
    [
      'an empty key',
      () => compileRegistry({ users: { '': one } }),
      /'' in group 'users' cannot be the name/,
    ],
    [
      'a key that starts with a digit',
      () => compileRegistry({ '2users': { one } }),
      /'2users' at the root cannot be the name/,
    ],
    ['no handler', () => capability(z.object({}) as never), /expected a handler function/],
    [
      'an intent that is none',
      () => capability(() => 1, 'write' as never),
      /intent must be one of/,
    ],
    ['a guard that is a function', () => one.guard((() => {}) as never), /expected defineGuard/],
    [
      'groups that are a list',
      () => compileRegistry(null as never),
      /expected groups of capabilities/,
    ],
    [
      'a port that is a string',
      () => restTransport({ port: '3000' as never }),
      /port: expected an integer from 0 to 65535, got the string '3000'/,
    ],
    [
      'a case that is none',
      () => restTransport({ urlCase: 'pascal' as never }),
      /urlCase: expected 'kebab', 'snake' or 'camel'/,
    ],
    [
      'origins as a list',
      () => restTransport({ cors: { origin: ['a'] as never } }),
      /cors\.origin: expected a string or a function, got an array/,
    ],
    [
      'a limit below zero',
      () => restTransport({ multipart: { maxFiles: -1 } }),
      /multipart\.maxFiles: expected an integer of at least 0/,
    ],
    [
      'a timeout of nothing',
      () => createServer({ timeoutMs: 0 }),
      /timeoutMs: expected milliseconds/,
    ],
  ];
  it.each(wrong)('of %s is an error that says what is expected', (_name, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('a command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await scaffold();
    await writeTree(folder, {
      'syntax.ts': 'export const capabilities = {{;\n',
      'missing.ts': "import './nowhere.js';\n",
      'package.ts': "import 'no-such-package';\n",
      'throws.ts': "throw new Error('no \\u001b[31mdatabase');\n",
      'rejects.ts': "await Promise.reject(new Error('no database'));\n",
      'number.ts': 'export const capabilities = 5;\n',
      'name.ts':
        "import { capability } from 'capix';\nexport const users = { 'get-user': capability(() => 1) };\n",
      'options.ts':
        'export const restOptions = { urlCases: "kebab" };\nexport const capabilities = {};\n',
      'case.ts':
        'export const restOptions = { urlCase: "pascal" };\nexport const capabilities = {};\n',
      'binary.ts': '\u0000\u0001\u0002',
    });
  });

  const commands: readonly (readonly [
    name: string,
    args: readonly string[],
    exitCode: number,
    message: RegExp,
  ])[] = [
    // Config files
    [
      'a config file that is not there',
      ['list', '--config', 'nowhere.ts'],
      1,
      /No capabilities file at nowhere\.ts[^]*--config/,
    ],
    [
      'a config file that is a folder',
      ['list', '--config', 'src'],
      1,
      /No capabilities file at src/,
    ],
    [
      'a config file with a syntax error',
      ['list', '--config', 'syntax.ts'],
      1,
      /syntax\.ts:1:\d+: [^]*> 1 \| /,
    ],
    [
      'an import that is not there',
      ['list', '--config', 'missing.ts'],
      1,
      /missing\.ts:1:8: [^]*nowhere\.js/,
    ],
    [
      'a package that is not installed',
      ['list', '--config', 'package.ts'],
      1,
      /package\.ts:1:\d+: [^]*no-such-package/,
    ],
    [
      'a config file that throws',
      ['list', '--config', 'throws.ts'],
      1,
      /throws\.ts:1:\d+: no .*database/,
    ],
    ['a config file that rejects', ['list', '--config', 'rejects.ts'], 1, /no database/],
    [
      'capabilities that are a number',
      ['list', '--config', 'number.ts'],
      1,
      /number\.ts: .*is (?:a )?number/,
    ],
    [
      'a name that cannot be',
      ['list', '--config', 'name.ts'],
      1,
      /'get-user' in group 'users' cannot be the name/,
    ],
    [
      'an option of the routes that is none',
      ['list', '--config', 'options.ts'],
      1,
      /no option `urlCases`\. Did you mean `urlCase`/,
    ],
    ['a case of the routes that is none', ['list', '--config', 'case.ts'], 1, /urlCase.*kebab/],
    ['a config file of bytes', ['list', '--config', 'binary.ts'], 1, /binary\.ts/],
    [
      'a second config file that is not there',
      ['diff', 'src/capabilities.ts', 'nowhere.ts'],
      1,
      /nowhere\.ts/,
    ],
    // Words and options
    ['a word that is no command', ['serve'], 2, /unknown command 'serve'/],
    ['an option that is none', ['list', '--jsno'], 2, /unknown option '--jsno'/],
    ['a value that is missing', ['openapi', '--title'], 2, /--title/],
    ['an argument too many', ['show', 'items.getItem', 'more'], 2, /too many arguments/],
    ['an argument too few', ['show'], 2, /missing required argument 'capability'/],
    ['a port that is not a number', ['mcp', '--port', '3e'], 2, /--port/],
    ['a port that is too high', ['mcp', '--port', '70000'], 2, /port/i],
    ['a case that is none', ['openapi', '--url-case', 'pascal'], 2, /kebab, camel, snake/],
    // Keys, JSON and names
    [
      'a key that nobody has',
      ['show', 'items.getItm'],
      2,
      /items\.getItm[^]*Did you mean `items\.getItem`/,
    ],
    ['JSON that is none', ['call', 'items.getItem', '{id: 1}'], 2, /not JSON/],
    [
      'JSON that is not an object',
      ['call', 'items.getItem', '[1]'],
      2,
      /must be a JSON object, got an array/,
    ],
    ['input that fails validation', ['call', 'items.getItem', '{"id":1}'], 1, /BadRequest[^]*id/],
    ['a name with a blank', ['new', 'My Shop'], 2, /My Shop/],
    ['a name outside', ['new', '../../shop'], 2, /outside/],
    ['a name of dots', ['generate', 'capability', '../../etc', 'passwd'], 2, /leads out of/],
    ['a name of nothing', ['generate', 'group', ''], 2, /name/],
    ['a name of escapes', ['generate', 'group', '\u001B[31mred'], 2, /cannot be the name/],
    [
      'a file that cannot be written',
      ['openapi', '--output', 'package.json/api.json'],
      1,
      /package\.json/,
    ],
  ];
  it.each(commands)('given %s says so and ends', async (_name, args, exitCode, message) => {
    const result = await askCapix(args, { cwd: folder });
    expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(message) });
    expect(result.stderr).toMatch(/^error: /);
    expect(result.stderr).not.toMatch(/\u001B|\n {4}at /);
  });

  it('after all of them finds the project as it was', async () => {
    const { stdout } = await askCapix(['list'], { cwd: folder });
    expect(stdout).toMatch(/^Capabilities \(3\)\n/);
  });
});
