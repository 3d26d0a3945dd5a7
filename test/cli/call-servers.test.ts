import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localhost } from '../helpers/localhost-certificate.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

const servers: Server[] = [];
const seen: string[] = [];
let folder: string;
let address: string;

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0);
  await once(server, 'listening');
  return `localhost:${(server.address() as AddressInfo).port}`;
}

const answer: RequestListener = ({ method, url, headers }, response) => {
  seen.push(`${method} ${url} ${headers.authorization ?? 'nobody'}`);
  if (url?.startsWith('/moved'))
    return response.writeHead(307, { location: 'https://sign-in.example/?a' }).end();
  return response.setHeader('content-type', 'application/json').end('{"data": ["x"]}');
};

beforeAll(async () => {
  folder = await scaffold();
  address = await listen(createServer(answer));
  await writeTree(folder, {
    'calls/list.json': '{"call": "items.listItems"}',
    'calls/moved.json': '{"call": "items.listItems", "expect": {"status": 307}}',
    'capix.json': JSON.stringify({
      environments: { stage: { url: `http://ada:p%40ss@${address}/api/?tenant=1#top` } },
    }),
  });
});
afterAll(() => servers.forEach((server) => server.close()));

const call = (...args: string[]) => runCapix(['call', ...args], { cwd: folder });
const list = (url: string, env: Record<string, string> = {}) =>
  runCapix(['call', 'items.listItems', '--url', url], { cwd: folder, env });
const ada = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;

describe('the URL of a server', () => {
  it.each([
    ['http://ada:p%40ss@HOST', `GET /items ${ada}`],
    ['http://ada:p%40ss@HOST/api/', `GET /api/items ${ada}`],
    ['http://HOST/?tenant=1', 'GET /items?tenant=1 nobody'],
    ['http://HOST/api?a=1&b=2#top', 'GET /api/items?a=1&b=2 nobody'],
    ['http://HOST#top', 'GET /items nobody'],
    ['http://100%25:50%@HOST', `GET /items Basic ${Buffer.from('100%:50%').toString('base64')}`],
  ])('%s: %s', async (url, expected) => {
    seen.length = 0;
    expect(await list(url.replace('HOST', address))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(seen).toEqual([expected]);
  });

  it('says the same in the settings, and a header of the user counts more', async () => {
    seen.length = 0;
    await call('@list', '--environment', 'stage');
    await call('@list', '--environment', 'stage', '-H', 'authorization: mine');
    expect(seen).toEqual([`GET /api/items?tenant=1 ${ada}`, 'GET /api/items?tenant=1 mine']);
  });

  it('is refused where it is none', async () => {
    const { exitCode, stderr } = await list('http://a b');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('`http://a b` is not the URL of a server');
  });
});

describe('a redirect that the API does not declare', () => {
  const refusal =
    'the server redirects to https://sign-in.example/?a; `.output(redirect)` declares a redirect of the API itself';

  it('is a failure that names where it leads', async () => {
    const { stdout, stderr, exitCode } = await list(`http://${address}/moved`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toBe(`error: Redirected (307): ${refusal}\n`);
    const json = await call('items.listItems', '--json', '--url', `http://${address}/moved`);
    expect(JSON.parse(json.stdout)).toEqual({
      ok: false,
      error: { code: 'Redirected', message: refusal, status: 307 },
    });
  });

  it('fails a saved call, unless it expects that status', async () => {
    const { stdout, exitCode } = await call('--all', '--url', `http://${address}/moved`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`expected no error, got 307 (Redirected: ${refusal})`);
    expect(stdout).toMatch(/^ok +@moved +307/m);
  });

  it('is the answer of a capability that declares one', async () => {
    await writeFile(
      join(folder, 'src', 'moving.ts'),
      `import { capability, redirect } from 'capix';
       export const moved = { getShop: capability(() => 'https://sign-in.example/?a').output(redirect) };`,
    );
    const url = `http://${address}`;
    const words = ['moved.getShop', '--json', '--config', 'src/moving.ts', '--url', url];
    expect(JSON.parse((await call(...words)).stdout)).toMatchObject({ ok: true });
  });
});

describe('a proxy of the environment', () => {
  it('is used for http and, by a tunnel, for https; not for NO_PROXY and this machine', async () => {
    const used: string[] = [];
    const proxy = createServer(({ url = '', method, headers }, response) => {
      used.push(`${method} ${url}`);
      const { pathname } = new URL(url);
      const passed = { host: 'localhost', port: address.split(':')[1], path: pathname, headers };
      request(passed, (answered) => answered.pipe(response)).end();
    });
    proxy.on('connect', ({ url }, socket) => {
      used.push(`CONNECT ${url}`);
      const to = connect(Number(address.split(':')[1]), 'localhost', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(to).pipe(socket);
      });
      for (const end of [socket, to]) end.on('error', () => {});
    });
    const at = await listen(proxy);
    const env = { HTTP_PROXY: at, HTTPS_PROXY: `http://${at}`, NO_PROXY: 'direct.invalid' };
    expect(await list('http://shop.invalid/api', env)).toMatchObject({ exitCode: 0, stderr: '' });
    const tunnel = await list('https://shop.invalid', env);
    expect(tunnel.stderr).toContain('No answer from https://shop.invalid');
    const direct = await list('http://direct.invalid', env);
    expect(direct.stderr).toContain('ENOTFOUND');
    expect(await list(`http://${address}`, env)).toMatchObject({ exitCode: 0 });
    expect(used).toEqual(['GET http://shop.invalid/api/items', 'CONNECT shop.invalid:443']);
  });
});

describe('the hint where no answer comes', () => {
  it('is about the certificate where that is not trusted', async () => {
    const { key, cert } = localhost;
    const at = await listen(createTlsServer({ key, cert }, answer));
    const { stderr, exitCode } = await list(`https://${at}`);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/certificate.*\n.*NODE_EXTRA_CA_CERTS=<file\.pem> capix call/);
    expect(stderr).not.toContain('capix dev');
  });

  it.each([
    ['http://localhost:1', 'Start the server with `capix dev`'],
    ['http://nowhere.invalid', 'Check the name of the host'],
    ['https://HOST', 'The server may speak http:// there'],
  ])('of %s: %s', async (url, hint) => {
    expect((await list(url.replace('HOST', address))).stderr).toContain(hint);
  });
});
