/** `node phases.mjs <capabilities> <dist>`: CPU of what a server does with them, in a process of its own; one line of JSON. */
import { pathToFileURL } from 'node:url';
import * as z from '../zod-of-capix.mjs';

const [count, dist] = [Number(process.argv[2]), process.argv[3]];
const library = pathToFileURL(`${dist}/server-runtime/index.js`).href;
const { capability, compileRegistry, createServer, generateOpenAPI, restTransport, silentLogger } =
  await import(library);

const ms = {};
let before = process.cpuUsage();
function mark(name, per = 1) {
  const { user, system } = process.cpuUsage(before);
  ms[name] = (user + system) / 1000 / per;
  before = process.cpuUsage();
}

const toItem = () =>
  z.object({ id: z.string().min(1), name: z.string(), price: z.number().positive() });
const capabilities = {};
for (let group = 0; group < count / 5; group++) {
  capabilities[`group${group}`] = {
    getItem: capability(z.object({ id: z.string() }), () => ({})),
    listItems: capability(
      z.object({ limit: z.number().int().max(100).default(20) }),
      () => [],
    ).output(z.array(toItem())),
    createItem: capability(toItem(), (item) => item).output(toItem()),
    updateItem: capability(toItem(), (item) => item),
    deleteItem: capability(z.object({ id: z.string() }), () => null),
  };
}
mark('declare');
const registry = compileRegistry(capabilities);
mark('registry');
const server = createServer({
  capabilities: registry,
  transports: [restTransport({ port: 0 })],
  logger: silentLogger,
});
const [{ url }] = await server.start();
mark('server start');
const document = JSON.stringify(generateOpenAPI(registry, { title: 'size', version: '1' }));
mark('openapi');
const paths = registry.operations
  .filter(({ name }) => name === 'getItem')
  .map(({ groups }) => `/${groups[0]}/7`);
const ask = async (path) => (await fetch(url + path)).arrayBuffer();
for (let turn = 0; turn < 300; turn++) await ask(paths[turn % paths.length]);
before = process.cpuUsage();
for (let turn = 0; turn < 600; turn++) await ask(paths[(turn * 7919) % paths.length]);
mark('request, with its client', 600);
console.log(
  JSON.stringify({
    ms,
    rssMiB: process.memoryUsage().rss / 2 ** 20,
    documentBytes: document.length,
  }),
);
process.exit();
