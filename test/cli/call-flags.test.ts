import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'words.txt': 'two\nlines',
    'item.json': '{"id": "from a file"}',
    'src/flags.ts': `
      import { capability, defineContext, uploadedFile } from 'capix';
      import { z } from 'zod';
      export const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
      const input = z.object({
        id: z.string().optional(),
        count: z.number().optional(),
        dry: z.boolean().optional(),
        tags: z.array(z.string()).optional(),
        sizes: z.array(z.number()).optional(),
        kind: z.enum(['lamp', 'chair']).nullable().optional(),
        address: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
        createdAt: z.string().optional(),
        shape: z.discriminatedUnion('kind', [z.object({ kind: z.literal('circle'), r: z.number() }), z.object({ kind: z.literal('dot') })]).optional(),
        either: z.union([z.number(), z.string()]).optional(),
        photo: uploadedFile().optional(),
      });
      export const capabilities = {
        flags: {
          echoAll: capability(input, ({ photo, ...said }) => ({ ...said, ...(photo ? { photo: photo.filename + ' ' + photo.size } : {}) })),
          pay: capability(
            z.discriminatedUnion('by', [
              z.object({ by: z.literal('card'), amount: z.number() }),
              z.object({ by: z.literal('sepa'), amount: z.number(), iban: z.string() }),
            ]),
            (input) => input,
          ),
          crash: capability(() => { throw new Error('boom'); }),
          whoAmI: capability((_input, ctx) => ({ user: ctx.user })),
        },
      };
    `,
  });
});

const call = (...args: string[]) =>
  askCapix(['call', ...args, '--config', 'src/flags.ts'], { cwd: folder });

async function echo(...flags: string[]): Promise<unknown> {
  const { stdout, stderr } = await call('flags.echoAll', ...flags);
  return stderr === '' ? (JSON.parse(stdout) as unknown) : stderr;
}

describe('a union of objects', () => {
  it('has the flags of all its branches', async () => {
    expect(await echo('--shape.kind', 'circle', '--shape.r', '2')).toEqual({
      shape: { kind: 'circle', r: 2 },
    });
    expect(await echo('--shape.kind=dot')).toEqual({ shape: { kind: 'dot' } });
    const { stdout } = await call('flags.echoAll', '--fields');
    expect(stdout).toMatch(/--shape\.kind <'circle' \| 'dot'>/);
    expect(stdout).toMatch(/--shape\.r <number>/);
  });

  it('that is the whole input has them, too', async () => {
    const { stdout, stderr } = await call(
      'flags.pay',
      '--by',
      'sepa',
      '--iban',
      'DE02',
      '--amount',
      '3',
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ by: 'sepa', iban: 'DE02', amount: 3 });
    const wrong = await call('flags.pay', '--ibam', 'DE02');
    expect(wrong.stderr).toContain('Did you mean `--iban`?');
  });
});

describe('a failed call', () => {
  const user = ['-H', 'x-user: ada'];
  it.each([
    ['the stub', [], 'A call from here has a stub context, { requestId, signal }'],
    [
      'that of the project',
      user,
      'The call ran here with the context of the project, built for the headers of -H.',
    ],
    [
      'the one that was given',
      ['--context', '{}'],
      'The call ran here with the context that --context gives.',
    ],
  ])('says which context ran: %s', async (_, args, hint) => {
    expect((await call('flags.crash', ...args)).stderr).toContain(hint);
    const { error } = JSON.parse((await call('flags.crash', '--json', ...args)).stdout) as {
      error: { hint: string };
    };
    expect(error.hint).toContain(hint);
  });
});

it.each([
  ['the stub', []],
  ['that of the project', ['-H', 'x-user: ada']],
])('a call that crashes says where plugins are: %s', async (_, args) => {
  const hint = 'What plugins add is in a server: start `capix dev`, and call it with --server.';
  expect((await call('flags.crash', ...args)).stderr).toContain(hint);
  const wrong = await call('flags.pay', '--by', 'none', ...args);
  expect([wrong.exitCode, wrong.stderr.includes(hint)]).toEqual([1, false]);
});

describe('flags of capix call', () => {
  it('are the fields of the input, each by its type', async () => {
    expect(
      await echo(
        ...'--id 7 --count -2 --dry --tags a --tags=b --sizes 1 --kind lamp --address.city Rome'.split(
          ' ',
        ),
        ...'--created-at now --shape {"kind":"circle","r":2} --either 5 --photo words.txt'.split(
          ' ',
        ),
      ),
    ).toEqual({
      id: '7',
      count: -2,
      dry: true,
      tags: ['a', 'b'],
      sizes: [1],
      kind: 'lamp',
      address: { city: 'Rome' },
      createdAt: 'now',
      shape: { kind: 'circle', r: 2 },
      either: 5,
      photo: 'words.txt 9',
    });
  });

  it('go over the input that is given, and read files and stdin', async () => {
    expect(
      await echo('@item.json', '--dry=false', '--kind', 'null', '--tags', '@words.txt'),
    ).toEqual({
      id: 'from a file',
      dry: false,
      kind: null,
      tags: ['two\nlines'],
    });
    const { stdout } = await askCapix(
      ['call', 'flags.echoAll', '--id', '-', '--config', 'src/flags.ts'],
      {
        cwd: folder,
        input: 'from stdin',
      },
    );
    expect(JSON.parse(stdout)).toEqual({ id: 'from stdin' });
  });

  it.each([
    [['--cout', '1'], "unknown option '--cout'", 'Did you mean `--count`?'],
    [['--id'], "option '--id': its value is missing", ''],
    [['--count', 'many'], 'count: Invalid input: expected number', ''],
    [['--id', '@gone.txt'], 'Could not read gone.txt: it is not there.', ''],
    [['--__proto__', 'x'], "unknown option '--__proto__'", '--tags <string[]>'],
  ])('say what is wrong with %j', async (words, problem, hint) => {
    const { stderr, exitCode } = await call('flags.echoAll', ...words);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(hint);
    expect(exitCode).toBe(words[0] === '--count' ? 1 : 2);
  });

  it('give a call the context of the project by -H, or one of its own', async () => {
    expect(JSON.parse((await call('flags.whoAmI', '-H', 'X-User: Ada')).stdout)).toEqual({
      user: 'Ada',
    });
    expect(
      JSON.parse((await call('flags.whoAmI', '--context', '{"user": "Grace"}')).stdout),
    ).toEqual({
      user: 'Grace',
    });
  });

  it('call a server with --url, and say where none answers', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['x-user']}`);
      const isWrong = request.url?.includes('wrong');
      response
        .writeHead(isWrong ? 404 : 200)
        .end(isWrong ? '{"error":"NotFound","message":"Gone"}' : '{"data":[1]}');
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const who = (...more: string[]) => call('flags.whoAmI', '--url', ...more);
    expect((await who(url, '-H', 'x-user: Ada')).stdout).toBe('[\n  1\n]\n');
    expect(requests).toEqual([expect.stringMatching(/^(GET|POST) \/flags\/who-am-i Ada$/)]);
    await who(`${url}?key=1`);
    expect(requests[1]).toContain('/flags/who-am-i?key=1 ');
    expect(await who(`${url}wrong`)).toMatchObject({
      stderr: 'error: NotFound (404): Gone\n',
      exitCode: 1,
    });
    expect(await who('http://127.0.0.1:1')).toMatchObject({
      stderr: expect.stringMatching(/^error: No answer from http:\/\/127\.0\.0\.1:1: /),
      exitCode: 1,
    });
    expect(await call('flags.whoAmI', '--server')).toMatchObject({ exitCode: 2 });
  });
});
