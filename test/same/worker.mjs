/**
 * Runs inside a folder that has one build as its `capix`: makes the servers of random projects there, and asks them. Reads `task.json`,
 * writes `results.json`. `{kind: 'describe', projects}` gives documents and tools, `{kind: 'ask', projects: [[name, requests]]}` responses,
 * `{kind: 'agents'}` what the wrong calls of agents get.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import {
  capability,
  createServer,
  defaultErrors,
  generateOpenAPI,
  restTransport,
  silentLogger,
} from 'capix';
import { mcpTransport } from 'capix/mcp';
import * as z from 'zod';

const task = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const agent = new Agent({ keepAlive: true });
const kinds = {
  describe: () => fill(task.projects, describe),
  ask: () => fill(Object.keys(task.requests), (name) => askAll(name, task.requests[name])),
  agents: askAsAgents,
};
const { [task.kind]: run } = kinds;
writeFileSync(process.argv[3], JSON.stringify(await run()));
// oxlint-disable-next-line unicorn/no-process-exit -- A project of a build may keep something open, which is not asked here.
process.exit();

async function fill(names, make) {
  const results = {};
  for (const name of names)
    results[name] = await make(name).catch((error) => ({ failed: String(error.message) }));
  return results;
}

async function describe(name) {
  const { capabilities, restOptions } = await import(`./projects/${name}.mjs`);
  const document = generateOpenAPI(capabilities, restOptions);
  const tools = await withTools({ capabilities }, ({ ask }) => ask('tools/list', {}));
  return { document, tools };
}

async function askAll(name, requests) {
  const { capabilities, restOptions, context } = await import(`./projects/${name}.mjs`);
  const transports = [restTransport({ ...restOptions, port: 0, host: '127.0.0.1' })];
  const server = createServer({ capabilities, context, transports, logger: silentLogger });
  const [{ url }] = await server.start();
  const responses = {};
  for (const [index, each] of requests.entries()) {
    const label = `${index} ${each.method} ${each.path.slice(0, 80)}`;
    responses[label] = await send(url, each).catch((error) => ({ failed: error.message }));
  }
  await server.stop({ graceMs: 0 });
  return responses;
}

function send(url, { method, path, headers, body }) {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = { agent, method, path, headers: { ...headers, ...length }, timeout: 10_000 };
    const request = httpRequest(new URL(url), options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const isText = response.headers['content-encoding'] === undefined;
        const { date: _, ...named } = response.headers;
        resolve({
          status: response.statusCode,
          headers: named,
          body: bytes.toString(isText ? 'utf8' : 'base64'),
        });
      });
    });
    request
      .on('error', reject)
      .on('timeout', () => request.destroy(new Error('no response within 10 s')));
    request.end(body);
  });
}

/** Speaks MCP with a server of these capabilities over a pair of streams. */
async function withTools(options, use) {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const server = createServer({
    ...options,
    logger: silentLogger,
    transports: [mcpTransport({ stdio: { input, output } })],
  });
  await server.start();
  const waiting = new Map();
  let rest = '';
  output.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result ?? { error: message.error });
    }
  });
  let lastId = 0;
  const write = (message) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      const timer = setTimeout(
        () => reject(new Error(`no answer to ${method} within 10 s`)),
        10_000,
      );
      waiting.set(id, (result) => resolve((clearTimeout(timer), result)));
      write({ id, method, params });
    });
  const clientInfo = { name: 'same', version: '1' };
  const opened = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo,
  });
  write({ method: 'notifications/initialized' });
  try {
    return await use({ ask, opened });
  } finally {
    input.end();
    await server.stop({ graceMs: 0 });
  }
}

/** Each wrong call, and the next one of a reader of its answer, over MCP and HTTP. */
async function askAsAgents() {
  const { Order, wrongCalls } = await import(new URL('inputs.mjs', import.meta.url).href);
  const fails = (make) => () => {
    throw make();
  };
  const api = {
    order: capability(Order, () => 'ordered', 'mutation'),
    gone: capability(
      z.object({ id: z.string() }),
      fails(() => defaultErrors.NotFound('There is no such order')),
      'mutation',
    ),
    often: capability(
      fails(() => defaultErrors.TooManyRequests('Too many', { retryAfterSeconds: 7 })),
      'mutation',
    ),
    boom: capability(
      fails(() => new Error('boom')),
      'mutation',
    ),
    hidden: capability(() => 1).tool(false),
  };
  const calls = wrongCalls.flatMap(([name, wrong, , next]) => [
    [name, 'api_order', { sku: 'A1', ...wrong }],
    ...(typeof next === 'object' ? [[`${name}, mended`, 'api_order', { sku: 'A1', ...next }]] : []),
  ]);
  const others = [
    'api_gone',
    'api_often',
    'api_boom',
    'api_hidden',
    'api_orders',
    'order',
    'api.order',
    '',
  ];
  calls.push(...others.map((tool) => [`tool ${tool}`, tool, {}]), [
    'arguments that are a list',
    'api_order',
    ['A1'],
  ]);
  const methods = [
    'tools/get',
    'resources/read',
    'prompts/get',
    'completion/complete',
    'ping',
    'tools/call',
  ];
  const byTool = await withTools({ capabilities: { api } }, async ({ ask, opened }) => {
    const results = { opened, tools: await ask('tools/list', {}) };
    for (const [name, tool, input] of calls)
      results[name] = await ask('tools/call', { name: tool, arguments: input });
    for (const method of methods) results[method] = await ask(method, {});
    return results;
  });
  const server = createServer({
    capabilities: { api },
    logger: silentLogger,
    transports: [restTransport({ port: 0, host: '127.0.0.1' })],
  });
  const [{ url }] = await server.start();
  const byRequest = {};
  const headers = { 'content-type': 'application/json' };
  for (const [name, tool, input] of calls) {
    const path = `/${tool.replace('_', '/')}`;
    byRequest[name] = await send(url, {
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(input),
    });
  }
  await server.stop({ graceMs: 0 });
  return { mcp: byTool, http: byRequest };
}
