import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal, type TerminalOptions } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const context = `import { capability, defineContext, defineError, defineGuard } from 'capix';

export const context = defineContext(({ headers, requestId }) => ({
  requestId,
  user: headers.authorization === 'Bearer open-sesame' ? 'Ada' : undefined,
  tenant: headers['x-tenant'],
}));
const Unauthorized = defineError(401, 'Unauthorized');
const mustBeUser = defineGuard(
  function mustBeUser(ctx) {
    if (!ctx.user) throw Unauthorized('Sign in first.');
  },
  { errors: [Unauthorized], security: { type: 'http', scheme: 'bearer' } },
);
export const authCap = capability.guard(mustBeUser);
`;

const capabilities = `import { capability, uploadedFile } from 'capix';
import * as z from 'zod';
import { authCap } from './context.js';

export { context } from './context.js';

const upload = z.object({
  title: z.string(),
  at: z.coerce.date().optional(),
  cover: uploadedFile({ accept: ['image/*'] }),
  pages: z.array(z.file()).optional(),
});
const nameOf = ({ filename, size, mimeType }) => [filename, size, mimeType].join(' ');

export const capabilities = {
  users: {
    getMe: authCap((_, ctx) => ({ user: ctx.user, tenant: ctx.tenant })),
    getTenant: authCap((_, ctx) => ctx.tenant),
  },
  books: {
    createBook: capability(upload, ({ title, at, cover, pages = [] }) => ({
      title,
      year: at?.getUTCFullYear(),
      cover: nameOf(cover),
      pages: pages.map((page) => page.name),
    })),
    waitForever: capability(() => new Promise(() => {})),
    leave: capability(z.object({ now: z.boolean() }), ({ now }) => (now ? process.exit(3) : 'stays')),
  },
};
`;

async function open(
  key: string,
  options: TerminalOptions & { readonly exportsContext?: boolean } = {},
) {
  const { exportsContext = true } = options;
  const project = await openProject({
    'src/context.ts': context,
    'src/capabilities.ts': exportsContext
      ? capabilities
      : capabilities.replace(/export \{ context \}.*\n/, ''),
  });
  terminal = openTerminal(['call', key], { cwd: project.root, ...options });
  await terminal.waitFor('in this process');
  await terminal.waitFor('Enter send');
  return { terminal, project };
}

const down = '\u001B[B';
const targetKey = '\u0014\r';

it('gives a call with a header the context of the project, and keeps the secret from screen and disk', async () => {
  const { terminal, project } = await open('users.getMe');
  terminal.type('\r');
  await terminal.waitFor(
    /401[^]*Sign in first\.[^]*A call from here has a stub context[^]*Fill in its header in the form/,
  );
  terminal.type('Bearer open-sesame');
  await terminal.waitFor(/authorization: Bearer \*{11} /);
  terminal.type('\u0018i');
  await terminal.waitFor('[2 items]');
  terminal.type('x-tenant');
  await terminal.waitFor('✗ write it as name: value');
  terminal.type(': acme\r');
  await terminal.waitFor(/200[^]*user: "Ada"[^]*tenant: "acme"/);
  terminal.type('\u0019');
  await terminal.waitFor('Sent the call as curl');
  expect(readCopied(terminal)).toBe(
    `curl 'http://localhost:3000/users/me' -H 'authorization: '"$AUTHORIZATION" -H 'x-tenant: acme'`,
  );

  terminal.type('\u0010call users.getTenant\r');
  await terminal.waitFor(/call ▸ users\.getTenant[^]*authorization: Bearer \*{11} /);
  terminal.type('\r');
  await terminal.waitFor('data: "acme"');
  const kept = await readFile(join(project.root, 'node_modules/.cache/capix/calls.json'), 'utf8');
  expect(kept).toContain('users.getMe');
  expect(kept).not.toContain('sesame');
  expect(terminal.output()).not.toContain('sesame');
});

it('says what to export where a header has no context to go to', async () => {
  const { terminal } = await open('users.getMe', { exportsContext: false });
  terminal.type('Bearer open-sesame\r');
  await terminal.waitFor(/401[^]*Export context from\s+src\/capabilities\.ts/);
});

it('reads files by their path, of the kind that the schema wants, and says which is not there', async () => {
  const { terminal, project } = await open('books.createBook');
  await writeFile(join(project.root, 'cover.png'), 'picture');
  terminal.type(`Tea${down}2026-12-31T23:59:00Z${down}cover.pn`);
  await terminal.waitFor(/cover\* +cover\.pn +✗ No file at/);
  terminal.type(`g${down}+package.json`);
  await terminal.waitFor((shown) => !shown.includes('✗'));
  terminal.type('\r');
  await terminal.waitFor(
    /200[^]*year: 2026[^]*cover: "cover\.png 7 image\/png"[^]*0: "package\.json"/,
  );
  terminal.type('\u0012');
  await terminal.waitFor('"cover":"cover.png"');
  terminal.type('\r');
  await terminal.waitFor(/cover\* +cover\.png/);
});

it('sends the files as a form to the server, with the headers', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = `${request.headers.authorization} ${request.headers['content-type']}\n`;
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.end('{"data":"stored"}');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { terminal, project } = await open('books.createBook', { env: { PORT: String(port) } });
  await writeFile(join(project.root, 'cover.png'), 'picture');
  terminal.type(
    `Tea${down}${down}cover.png${down}${down}+authorization: Basic c2VjcmV0${targetKey}`,
  );
  await terminal.waitFor(/authorization: Basic \*+/);
  await terminal.waitFor(`http://localhost:${port}`);
  terminal.type('\r');
  await terminal.waitFor('may change data');
  terminal.type('y');
  await terminal.waitFor('data: "stored"');
  expect(bodies).toHaveLength(1);
  const [, parts] =
    /^Basic c2VjcmV0 multipart\/form-data; boundary=\S+\n([^]*)$/.exec(bodies[0] ?? '') ?? [];
  expect(parts).toMatch(/name="title"\r\n\r\nTea\r\n/);
  expect(parts).toMatch(
    /name="cover"; filename="cover.png"\r\ncontent-type: image\/png\r\n\r\npicture\r\n/i,
  );
});

it('ends a call that never answers, and calls again after one that ended its process', async () => {
  const { terminal } = await open('books.waitForever');
  terminal.type('\r');
  await terminal.waitFor(/Running[^]*Esc cancel/);
  terminal.type('\u001B');
  await terminal.waitFor('Its process was ended');
  terminal.type('\u0010call books.leave\r');
  await terminal.waitFor(/call ▸ books\.leave[^]*No call yet/);
  terminal.type(' \r');
  await terminal.waitFor(/< true >[^]*The code ended the process\./);
  terminal.type(' \r');
  await terminal.waitFor(/< false >[^]*data: "stays"/);
});

it('edits a field as a shell does its line', async () => {
  const { terminal } = await open('books.createBook');
  const steps: readonly (readonly [keys: string, text: string])[] = [
    ['one two three', 'one two three'],
    ['\u0017', 'one two'],
    ['\u001A', 'one two three'],
    ['\u001B[H0', '0one two three'],
    ['\u001B[F9', '0one two three9'],
    ['\u001Bb\u001BbX', '0one Xtwo three9'],
    ['\u000B', '0one X'],
    ['\u0015', '·'],
    ['\u001A\u001A', '0one Xtwo three9'],
  ];
  for (const [keys, text] of steps) {
    terminal.type(keys);
    await terminal.waitFor((shown) =>
      shown.split('\n').some((line) => line.includes(`title*   ${text} `)),
    );
  }
});

/** The text that was put on the clipboard last. */
function readCopied(from: OpenTerminal): string {
  const [, text = ''] =
    [...from.output().matchAll(/\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007/g)].at(-1) ?? [];
  return Buffer.from(text, 'base64').toString();
}
