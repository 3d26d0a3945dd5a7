/**
 * The programs of the table. `module` is the file of `fixtures/kinds` by which the harness calls one; `generate` is the command that writes code of
 * `document.json` first; `role` says how its calls are judged (`judge.mjs`); `node` is a version other than that of this package, which the program asks for.
 */
const group = (title, role, members) =>
  members.map((member) => ({ ...member, group: title, role }));

/** What a client that does not know streams makes of one. */
const atOnce = 'one text, at the end';

const orval = (client) =>
  `export default { kinds: { input: './document.json', output: { target: './generated.ts', client: '${client}', baseUrl: process.env.SERVER } } };`;

const generators = [
  {
    name: 'openapi-fetch',
    title: 'openapi-typescript with openapi-fetch',
    remarks: {
      'objects in queries': 'one with a list inside is a text by its types: `JSON.stringify`',
      streams: 'bytes, as they come',
    },
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0' },
    besides: { typescript: '5.9.3' },
    generate: 'openapi-typescript document.json -o generated.d.ts',
  },
  {
    name: 'hey-api',
    title: '@hey-api/openapi-ts, client `fetch`',
    packages: { '@hey-api/openapi-ts': '0.99.0' },
    besides: { typescript: '5.9.3' },
    generate: 'openapi-ts -i document.json -o generated -c @hey-api/client-fetch',
  },
  {
    name: 'orval-fetch',
    title: 'orval, client `fetch`',
    remarks: {
      streams: 'lines of JSON, as they come, where the caller asks for `application/x-ndjson`',
    },
    packages: { orval: '8.38.0' },
    besides: { typescript: '5.9.3' },
    generate: 'orval --config orval.config.mjs',
    files: { 'orval.config.mjs': orval('fetch') },
  },
  {
    name: 'orval-axios',
    title: 'orval, client `axios`',
    remarks: { streams: atOnce },
    packages: { orval: '8.38.0' },
    besides: { axios: '1.21.1', typescript: '5.9.3' },
    generate: 'orval --config orval.config.mjs',
    files: { 'orval.config.mjs': orval('axios-functions') },
  },
  {
    name: 'kubb',
    title: 'kubb, client `axios`',
    remarks: { streams: atOnce },
    packages: { '@kubb/plugin-client': '4.39.3' },
    besides: {
      '@kubb/cli': '4.39.3',
      '@kubb/core': '4.39.3',
      '@kubb/plugin-oas': '4.39.3',
      '@kubb/plugin-ts': '4.39.3',
      axios: '1.21.1',
      typescript: '5.9.3',
    },
    generate: 'kubb generate --config kubb.config.mjs',
    files: {
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginClient } from '@kubb/plugin-client';
export default defineConfig({ root: '.', input: { path: './document.json' }, output: { path: './generated', clean: true }, plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'axios', baseURL: process.env.SERVER })] });`,
    },
  },
  {
    name: 'swagger-typescript-api',
    title: 'swagger-typescript-api',
    remarks: { streams: 'bytes, as they come' },
    packages: { 'swagger-typescript-api': '13.13.0' },
    generate: 'swagger-typescript-api generate -p document.json -o . -n generated.ts',
  },
  {
    name: 'zodios',
    title: 'openapi-zod-client with zodios',
    packages: { 'openapi-zod-client': '1.18.3', '@zodios/core': '10.9.6' },
    besides: { axios: '1.21.1', zod: '3.25.76' },
    generate: 'openapi-zod-client document.json -o generated.ts',
  },
  {
    name: 'rtk-query',
    title: '@rtk-query/codegen-openapi',
    packages: { '@rtk-query/codegen-openapi': '2.2.0' },
    besides: { '@reduxjs/toolkit': '2.15.0', typescript: '5.9.3' },
    generate: 'rtk-query-codegen-openapi config.json',
    files: {
      'config.json': JSON.stringify({
        schemaFile: './document.json',
        apiFile: './api.ts',
        apiImport: 'api',
        outputFile: './generated.ts',
        exportName: 'generated',
      }),
      'api.ts': `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
export const api = createApi({ baseQuery: fetchBaseQuery({ baseUrl: process.env['SERVER'] ?? '' }), endpoints: () => ({}) });`,
    },
  },
  {
    name: 'oazapfts',
    title: 'oazapfts',
    packages: { oazapfts: '7.5.0' },
    besides: { '@oazapfts/runtime': '1.2.0', typescript: '5.9.3' },
    generate: 'oazapfts document.json generated.ts',
  },
  {
    name: 'openapi-typescript-codegen',
    title: 'openapi-typescript-codegen, client `fetch`',
    remarks: { streams: atOnce },
    packages: { 'openapi-typescript-codegen': '0.31.0' },
    generate: 'openapi --input document.json --output generated --client fetch',
  },
  {
    name: 'typed-openapi',
    title: 'typed-openapi',
    remarks: { streams: atOnce },
    packages: { 'typed-openapi': '2.2.7' },
    generate: 'typed-openapi document.json -o generated.ts --default-fetcher fetcher.ts',
  },
  {
    name: 'fets',
    title: 'feTS client',
    remarks: { streams: 'bytes, as they come' },
    packages: { fets: '0.8.12' },
    isTyped: true,
  },
  {
    name: 'openapi-client-axios',
    title: 'openapi-client-axios',
    remarks: { streams: atOnce },
    packages: { 'openapi-client-axios': '7.9.1' },
    besides: { axios: '1.21.1' },
  },
  {
    name: 'swagger-client',
    title: 'swagger-client, of Swagger UI',
    remarks: { streams: atOnce },
    packages: { 'swagger-client': '3.39.0' },
  },
];

const validators = [
  {
    name: 'express-openapi-validator',
    title: 'express-openapi-validator',
    packages: { 'express-openapi-validator': '5.6.2' },
    besides: { express: '5.3.0' },
  },
  {
    name: 'openapi-backend',
    title: 'openapi-backend',
    packages: { 'openapi-backend': '5.21.2' },
    besides: { 'ajv-formats': '3.0.1' },
  },
  {
    name: 'prism-proxy',
    title: 'prism as a proxy',
    packages: { '@stoplight/prism-cli': '5.16.0' },
  },
  {
    name: 'ajv',
    title: 'Ajv with ajv-formats',
    packages: { ajv: '8.20.0', 'ajv-formats': '3.0.1' },
  },
];

const mocks = [
  { name: 'prism-mock', title: 'prism as a mock', packages: { '@stoplight/prism-cli': '5.16.0' } },
  {
    name: 'msw-source',
    title: '@msw/source with msw',
    packages: { '@msw/source': '0.6.1', msw: '2.15.0' },
  },
  {
    name: 'openapi-backend-mock',
    title: 'openapi-backend, mocked responses',
    packages: { 'openapi-backend': '5.21.2' },
  },
  {
    name: 'scalar-mock',
    title: '@scalar/mock-server',
    packages: { '@scalar/mock-server': '0.14.4' },
    besides: { '@hono/node-server': '2.1.9' },
  },
];

const hosts = [
  {
    name: 'mcp-sdk-1',
    title: '@modelcontextprotocol/sdk, client',
    packages: { '@modelcontextprotocol/sdk': '1.32.2' },
  },
  {
    name: 'mcp-sdk-2',
    title: '@modelcontextprotocol/client',
    packages: { '@modelcontextprotocol/client': '2.4.0' },
  },
  { name: 'ai-sdk', title: '@ai-sdk/mcp', packages: { '@ai-sdk/mcp': '2.0.99' } },
  {
    name: 'langchain',
    title: '@langchain/mcp-adapters',
    packages: { '@langchain/mcp-adapters': '1.1.4' },
    besides: { '@langchain/core': '1.4.0', '@langchain/langgraph': '1.7.3' },
  },
  {
    name: 'mastra',
    title: '@mastra/mcp',
    packages: { '@mastra/mcp': '2.0.0' },
    besides: { '@mastra/core': '1.71.0' },
  },
  {
    name: 'openai-agents',
    title: '@openai/agents',
    packages: { '@openai/agents': '0.20.0' },
    besides: { zod: '4.6.7' },
  },
  {
    name: 'mcp-inspector',
    title: '@modelcontextprotocol/inspector `--cli`',
    packages: { '@modelcontextprotocol/inspector': '2.12.0' },
  },
  {
    name: 'openapi-mcp-generator',
    title: 'openapi-mcp-generator',
    packages: { 'openapi-mcp-generator': '4.0.1' },
    besides: {
      '@modelcontextprotocol/sdk': '1.32.2',
      axios: '1.21.1',
      dotenv: '16.4.7',
      zod: '3.25.76',
      'json-schema-to-zod': '2.6.1',
    },
  },
];

const runners = [
  {
    name: 'newman',
    title: 'openapi-to-postmanv2 with newman',
    packages: { 'openapi-to-postmanv2': '6.3.3', newman: '6.2.2' },
  },
  {
    name: 'redocly-respect',
    title: '@redocly/cli `respect` (Arazzo)',
    packages: { '@redocly/cli': '2.77.0' },
  },
];

export const programs = [
  ...group('Generators and clients', 'client', generators),
  ...group('Validators', 'validator', validators),
  ...group('Mocks', 'mock', mocks),
  ...group('Hosts of MCP', 'client', hosts),
  ...group('Runners', 'client', runners),
];
