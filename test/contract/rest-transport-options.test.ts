import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  capability,
  createServer,
  restTransport,
  silentLogger,
} from '../../server-runtime/index.ts';
import { ask, formBody } from '../helpers/ask.ts';
import { findFreePort } from '../helpers/find-free-port.ts';

const bulkStatus = capability(z.object({}), () => 'done');

describe('restTransport', () => {
  it('port is the port it listens at', async () => {
    const port = await findFreePort();
    const server = createServer({ transports: [restTransport({ port })], logger: silentLogger });
    const [started] = await server.start();
    onTestFinished(() => server.stop());
    expect(started?.url).toBe(`http://localhost:${port}`);
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(404);
  });

  it('overrides replaces method and path, with :param segments', async () => {
    const rest = {
      overrides: { 'users.bulkStatus': { method: 'PUT', path: '/projects/:projectId/status' } },
    } as const;
    const capabilities = {
      users: { bulkStatus: capability(z.object({ projectId: z.string() }), (input) => input) },
    };
    expect(await ask({ rest, capabilities }, 'PUT /projects/p1/status')).toMatchObject({
      status: 200,
      body: { data: { projectId: 'p1' } },
    });
    expect((await ask({ rest, capabilities }, 'POST /users/bulk-status')).status).toBe(404);
  });

  it('multipart sets the limits of uploads', async () => {
    const createFile = capability((input) => Object.keys(input));
    const body = formBody(['file', new File(['1234'], 'a.txt')]);
    const ofSize = (maxFileSize: number) => ({
      rest: { multipart: { maxFileSize } },
      capabilities: { files: { createFile } },
    });
    expect((await ask(ofSize(4), 'POST /files', body)).status).toBe(200);
    expect((await ask(ofSize(3), 'POST /files', body)).status).toBe(413);
  });

  it('urlCase is kebab by default, and snake or camel', async () => {
    const capabilities = { orderItems: { bulkStatus } };
    expect((await ask({ capabilities }, 'POST /order-items/bulk-status')).status).toBe(200);
    expect(
      (await ask({ capabilities, rest: { urlCase: 'snake' } }, 'POST /order_items/bulk_status'))
        .status,
    ).toBe(200);
    expect(
      (await ask({ capabilities, rest: { urlCase: 'camel' } }, 'POST /orderItems/bulkStatus'))
        .status,
    ).toBe(200);
  });

  it('cors sets who may ask from another origin', async () => {
    const options = {
      rest: { cors: { origin: 'https://a.example' } },
      capabilities: { users: { bulkStatus } },
    };
    const { headers } = await ask(options, 'POST /users/bulk-status', {
      headers: { origin: 'https://a.example' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://a.example');
  });
});
