import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { graphqlTransport } from '../../../server-runtime/graphql/index.ts';
import {
  capability,
  createServer,
  silentLogger as logger,
  restTransport,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { openRaw, readAnswers } from '../../helpers/raw-http.ts';

const capabilities = {
  items: { createItem: capability(z.object({ name: z.string().optional() }), () => 'made') },
  files: {
    sendFile: capability(z.object({ file: uploadedFile({ stream: true }) }), async ({ file }) => {
      let bytes = 0;
      for await (const chunk of file.stream) bytes += (chunk as Uint8Array).length;
      return bytes;
    })
      .route('POST', '/files')
      .takes({ body: 'file' }),
    sendForm: capability(z.object({ name: z.string(), file: uploadedFile() }), () => 'sent').route(
      'POST',
      '/forms',
    ),
  },
};

it.each([
  ['of a capability', 'POST /items', 'application/json', 200],
  ['of a capability that reads its query', 'GET /missing', 'application/json', 404],
  ['that is all of a file', 'POST /files', 'application/octet-stream', 200],
  ['that is a form', 'POST /forms', 'multipart/form-data; boundary=x', 400],
  ['of a message to agents', 'POST /mcp', 'application/json', 400],
  ['of a query of GraphQL', 'POST /graphql', 'application/json', 400],
])(
  'a request with a type and neither a length nor a body is answered at once: %s',
  async (_, line, type, status) => {
    const server = createServer({
      capabilities,
      logger,
      transports: {
        '/mcp': [mcpTransport({ port: 0 })],
        '/graphql': [restTransport({ port: 0 }), graphqlTransport()],
      }[line.slice(5)] ?? [restTransport({ port: 0 })],
    });
    const [started] = await server.start();
    onTestFinished(() => server.stop());
    const socket = openRaw(started?.url ?? '');
    const head = `${line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\naccept: */*\r\n\r\n`;
    socket.write(head + head);
    const answers = await readAnswers(socket, ['POST', 'POST']);
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    socket.destroy();
  },
);
