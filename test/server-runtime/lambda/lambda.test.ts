import { PassThrough, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  capability,
  createServer,
  defineContext,
  reply,
  silentLogger,
  toFetchHandler,
  uploadedFile,
} from '../../../server-runtime/index.ts';
import {
  type LambdaEvent,
  type LambdaEventV1,
  type LambdaEventV2,
  toLambdaHandler,
  toLambdaStreamHandler,
} from '../../../server-runtime/lambda/index.ts';

const Query = z.object({ tags: z.array(z.string()).optional(), q: z.string().optional() });
const capabilities = {
  items: {
    listItems: capability(Query, (input, ctx) => ({ ...input, caller: (ctx as { caller?: string }).caller })),
    createItem: capability(z.object({ name: z.string() }), ({ name }) =>
      reply({ name }, { status: 201, headers: { 'set-cookie': ['a=1', 'b=2; Path=/'] } }),
    ),
    uploadItem: capability(z.object({ file: uploadedFile() }), ({ file }) => file.buffer.length).route(
      'POST',
      '/files',
    ),
    getPixel: capability(
      () => reply(new Uint8Array([0, 255, 254]), { headers: { 'content-type': 'image/gif' } }),
      'query',
    ).route('GET', '/pixel'),
    getCookie: capability(z.object({ session: z.string() }), ({ session }) => session)
      .takes({ cookies: { session: 'sid' } })
      .route('GET', '/cookie'),
    watchItems: capability(async function* () {
      yield { n: 1 };
      yield { n: 2 };
    }, 'query').route('GET', '/watch'),
  },
};
const context = defineContext(({ remoteAddress }) => ({ caller: remoteAddress }));
const handle = toFetchHandler(createServer({ capabilities, context, logger: silentLogger }), { prefix: '/prod' });
const answer = toLambdaHandler(handle);

/** As API Gateway (HTTP APIs) and function URLs send it. */
function version2(method: string, path: string, more: Partial<LambdaEventV2> = {}): LambdaEventV2 {
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const headers = { host: 'abc.lambda-url.eu-central-1.on.aws', 'content-type': 'application/json' };
  const requestContext = {
    http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'x' },
    stage: 'prod',
  };
  return {
    version: '2.0',
    rawPath: `/prod${rawPath}`,
    rawQueryString,
    headers,
    requestContext,
    isBase64Encoded: false,
    ...more,
  };
}

/** As API Gateway (REST APIs) sends it. */
function version1(httpMethod: string, path: string, more: Partial<LambdaEventV1> = {}): LambdaEventV1 {
  const headers = { Host: 'abc.execute-api.eu-central-1.amazonaws.com', 'Content-Type': 'application/json' };
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return {
    httpMethod,
    path: `/prod${path}`,
    headers,
    multiValueHeaders,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    requestContext: { identity: { sourceIp: '192.0.2.1' } },
    body: null,
    isBase64Encoded: false,
    ...more,
  };
}

describe.each<[string, (method: string, path: string, more?: object) => LambdaEvent]>([
  ['1', version1],
  ['2', version2],
])('payload %s', (payload, toEvent) => {
  it('is a request with its body, and answers with status and text', async () => {
    const result = await answer(toEvent('POST', '/items', { body: '{"name":"Ada"}' }));
    expect(result).toMatchObject({ statusCode: 201, body: '{"data":{"name":"Ada"}}', isBase64Encoded: false });
    expect(payload === '1' ? result.multiValueHeaders?.['set-cookie'] : result.cookies).toEqual(['a=1', 'b=2; Path=/']);
    expect((await answer(toEvent('POST', '/items', { body: '{' }))).statusCode).toBe(400);
    expect((await answer(toEvent('GET', '/nothing'))).statusCode).toBe(404);
  });

  it('takes and gives bytes as base64', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array([0, 255, 10])]), 'a.bin');
    const request = new Request('http://x', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    const own = { 'content-type': request.headers.get('content-type') ?? '' };
    const lists = { multiValueHeaders: { 'content-type': [own['content-type']] } };
    const event = toEvent('POST', '/files', {
      headers: own,
      ...lists,
      body: body.toString('base64'),
      isBase64Encoded: true,
    });
    expect(await answer(event)).toMatchObject({ statusCode: 200, body: '{"data":3}' });
    const pixel = await answer(toEvent('GET', '/pixel'));
    expect(pixel).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      body: Buffer.from([0, 255, 254]).toString('base64'),
    });
  });

  it('gives the address of the caller, lists in the query, and cookies', async () => {
    const listed =
      payload === '1'
        ? version1('GET', '/items', { multiValueQueryStringParameters: { tags: ['a', 'b'], q: ['x y&z'] } })
        : version2('GET', '/items?tags=a&tags=b&q=x%20y%26z');
    expect(JSON.parse((await answer(listed)).body)).toEqual({
      data: { tags: ['a', 'b'], q: 'x y&z', caller: '192.0.2.1' },
    });
    const sent =
      payload === '1'
        ? version1('GET', '/cookie', { multiValueHeaders: { Cookie: ['a=1; sid=7'] } })
        : version2('GET', '/cookie', { cookies: ['a=1', 'sid=7'] });
    expect((await answer(sent)).body).toBe('{"data":"7"}');
  });
});

describe('toLambdaHandler', () => {
  it('answers a load balancer, which leaves the query encoded and takes one value of a header', async () => {
    const { multiValueHeaders: _lists, ...event } = version1('GET', '/items', {
      queryStringParameters: { q: 'x%20y' },
      requestContext: { elb: { targetGroupArn: 'arn' } },
    });
    const result = await answer(event);
    expect(JSON.parse(result.body)).toEqual({ data: { q: 'x y' } });
    expect(result.headers?.['content-type']).toBe('application/json; charset=utf-8');
  });

  it('takes a path that begins with two slashes for a path', async () => {
    expect((await answer(version2('GET', '//evil.example/items'))).statusCode).toBe(404);
  });
});

describe('toLambdaStreamHandler', () => {
  type Streamed = (event: LambdaEvent, stream: Writable) => Promise<void>;

  /** Stands for the global of the runtime of AWS, which cannot be run here. */
  function install(): object[] {
    const heads: object[] = [];
    const awslambda = {
      streamifyResponse: (handler: Streamed) => handler,
      HttpResponseStream: {
        from: (stream: Writable, head: object) => {
          heads.push(head);
          return stream;
        },
      },
    };
    Object.assign(globalThis, { awslambda });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'awslambda'));
    return heads;
  }

  it('sends the head, and then items as they are made', async () => {
    const heads = install();
    const handler = toLambdaStreamHandler(handle) as Streamed;
    const stream = new PassThrough();
    const [sent] = await Promise.all([
      text(stream),
      handler(version2('GET', '/watch', { headers: { accept: 'text/event-stream' } }), stream),
    ]);
    expect(heads).toMatchObject([
      { statusCode: 200, headers: { 'content-type': expect.stringContaining('text/event-stream') }, cookies: [] },
    ]);
    expect(sent).toContain('data: {"n":1}\n\n');
    const empty = new PassThrough();
    await Promise.all([text(empty), handler(version2('OPTIONS', '/items'), empty)]);
    expect(heads[1]).toMatchObject({ statusCode: 204 });
  });

  it('says where it works, elsewhere', () => {
    expect(() => toLambdaStreamHandler(handle)).toThrow('in the Node.js runtime of AWS Lambda alone');
  });
});
