import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { capability, generateOpenAPI } from '../../server-runtime/index.ts';
import { connectToTools } from '../helpers/connect-to-tools.ts';
import { startOverSocket } from '../helpers/start-rest.ts';

const capabilities = { items: { listItems: capability(() => []) } };

describe('versioning', () => {
  it('1: the document and the server of agents carry a version, 0.1.0 by default', async () => {
    expect(generateOpenAPI(capabilities).info.version).toBe('0.1.0');
    expect((await connectToTools({ capabilities })).getServerVersion()).toMatchObject({
      version: '0.1.0',
    });
  });

  it('2: the document is OpenAPI 3.1', () => {
    expect(generateOpenAPI(capabilities).openapi).toBe('3.1.0');
  });

  it('3: the transport speaks HTTP/1.1', async () => {
    const { url } = await startOverSocket({ capabilities });
    const socket = connect({ port: Number(new URL(url).port) });
    socket.write('GET /items HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});
