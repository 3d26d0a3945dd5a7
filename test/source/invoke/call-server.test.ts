import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callServer } from '../../../source/invoke/call-server.ts';
import type { Listed } from '../../../source/manifest/manifest.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const operation = { path: '/items/:id', params: ['id'], facts: {}, responses: [] };

const call = (
  baseUrl: string,
  method = 'GET',
  files: Readonly<Record<string, readonly string[]>> = {},
) =>
  callServer({ ...operation, method } as unknown as Listed, {
    baseUrl,
    input: { json: { id: '7', name: 'Tea' }, files },
    headers: { authorization: 'Bearer t' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part as string;
  return text;
}

it('sends path, query and headers, and gives status and body', async () => {
  const url = await serve((request, response) =>
    response
      .writeHead(201)
      .end(JSON.stringify([request.method, request.url, request.headers.authorization])),
  );
  const answer = await call(url);
  expect(answer).toMatchObject({ status: 201, body: ['GET', '/items/7?name=Tea', 'Bearer t'] });
  expect(answer.durationMs).toBeGreaterThan(0);
});

it('sends a body as JSON, and files as a form', async () => {
  const url = await serve((request, response) => {
    void readText(request).then((text) =>
      response.end(JSON.stringify([request.headers['content-type'], text])),
    );
  });
  expect((await call(url, 'POST')).body).toEqual(['application/json', '{"name":"Tea"}']);
  const file = join(await temporaryFolder(), 'photo.png');
  await writeFile(file, 'pixels');
  const [type, form] = (await call(url, 'POST', { photo: [file] })).body as [string, string];
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  expect(form).toMatch(/name="name"\r\n\r\nTea\r\n/);
  expect(form).toMatch(
    /name="photo"; filename="photo.png"\r\nContent-Type: image\/png\r\n\r\npixels\r\n/,
  );
});

it('shows a redirect and does not follow it', async () => {
  const url = await serve((_, response) =>
    response.writeHead(302, { location: '/elsewhere' }).end(),
  );
  expect(await call(url)).toMatchObject({
    status: 302,
    isRedirected: true,
    body: { error: 'Redirected', message: expect.stringContaining('/elsewhere') as string },
  });
});

it('opens a connection for each call', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('null');
  });
  for (let count = 0; count < 3; count += 1) await call(url);
  expect(ports.size).toBe(3);
});

it('says that nothing listens', async () => {
  const url = await serve(() => {});
  await expect(call(url.replace(/\d+$/, '1'))).rejects.toThrow('ECONNREFUSED');
  await expect(call('http://localhost:1')).rejects.toThrow('ECONNREFUSED');
});
