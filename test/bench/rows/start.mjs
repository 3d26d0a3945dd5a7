/**
 * A server with 300 routes from its start to its first answer: `node start.mjs <peer>`. Prints the CPU of that, in
 * microseconds, and the resident memory, in KiB.
 */
import { once } from 'node:events';
import * as z from '../zod-of-capix.mjs';

// An import of node:process would load readline, reports and promises of files in each of them.
const { process } = globalThis;

const GROUPS = 100;
const groups = Array.from({ length: GROUPS }, (_, at) => `g${at}`);
const toId = () => z.object({ id: z.string() });
const toItem = () => z.object({ name: z.string(), age: z.number() });

const starts = {
  capix: async () => {
    const { capability, createServer, restTransport, silentLogger } = await import(
      '../../../dist/server-runtime/index.js'
    );
    const capabilities = Object.fromEntries(
      groups.map((name) => [
        name,
        {
          getItem: capability(toId(), ({ id }) => ({ id })),
          listItems: capability(z.object({ limit: z.number().optional() }), () => []),
          createItem: capability(toItem(), (item) => item),
        },
      ]),
    );
    const server = createServer({
      capabilities,
      transports: [restTransport({ port: 0, host: '127.0.0.1' })],
      logger: silentLogger,
    });
    const [{ url }] = await server.start();
    return url;
  },
  'Fastify with zod': async () => {
    const { default: fastify } = await import('fastify');
    const { serializerCompiler, validatorCompiler } = await import('fastify-type-provider-zod');
    const app = fastify()
      .setValidatorCompiler(validatorCompiler)
      .setSerializerCompiler(serializerCompiler);
    const querystring = () => z.object({ limit: z.coerce.number().optional() });
    for (const name of groups) {
      app.get(`/${name}/:id`, { schema: { params: toId() } }, ({ params }) => ({
        data: { id: params.id },
      }));
      app.get(`/${name}`, { schema: { querystring: querystring() } }, () => ({ data: [] }));
      app.post(`/${name}`, { schema: { body: toItem() } }, ({ body }) => ({ data: body }));
    }
    return app.listen({ port: 0, host: '127.0.0.1' });
  },
  Hono: async () => {
    const { Hono } = await import('hono');
    const { validator } = await import('hono/validator');
    const { createAdaptorServer } = await import('@hono/node-server');
    const app = new Hono();
    const check = (target, schema) =>
      validator(target, (value, context) => {
        const read = schema.safeParse(value);
        return read.success ? read.data : context.json({ error: 1 }, 400);
      });
    const query = () => z.object({ limit: z.coerce.number().optional() });
    for (const name of groups) {
      app.get(`/${name}/:id`, check('param', toId()), (context) =>
        context.json({ data: context.req.valid('param') }),
      );
      app.get(`/${name}`, check('query', query()), (context) => context.json({ data: [] }));
      app.post(`/${name}`, check('json', toItem()), (context) =>
        context.json({ data: context.req.valid('json') }),
      );
    }
    const server = createAdaptorServer({ fetch: app.fetch }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${server.address().port}`;
  },
};

const url = await starts[process.argv[2]]();
if ((await readJson(`${url}/g5/1`)).data.id !== '1') throw new Error('The answer is another one.');
const { user, system } = process.cpuUsage();
const { rss } = process.memoryUsage();
process.stdout.write(JSON.stringify({ cpuUs: user + system, residentKiB: rss / 1024 }));
process.exit(0);

/**
 * Asks by node:http, which each of these servers has loaded. `fetch` and an `import` of node:http load undici, 10 MiB
 * and 40 ms that no server needs; Hono's adapter, which does load it, pays for that itself.
 */
async function readJson(address) {
  const [response] = await once(process.getBuiltinModule('node:http').get(address), 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}
