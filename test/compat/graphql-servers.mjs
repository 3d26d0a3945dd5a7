/**
 * `npm run compat:graphql-servers`: the schema of `toGraphqlSchema`, served by graphql-yoga, mercurius and Apollo
 * Server. Each must answer as our own transport does: guards, context, errors, links, keys of idempotency, and
 * subscriptions where it has them. The packages lie in `node_modules/.cache/capix-graphql-servers`.
 */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { makePackedProject, run } from './packed.mjs';

const packages = {
  '@apollo/server': '5.5.1',
  '@types/node': '20.19.43',
  '@types/ws': '8.18.2',
  fastify: '5.12.8',
  graphql: '16.15.0',
  'graphql-sse': '2.6.1',
  'graphql-ws': '6.4.2',
  'graphql-yoga': '5.24.1',
  mercurius: '16.10.1',
  typescript: '5.9.3',
  ws: '8.23.0',
  zod: '4.6.7',
};

const fixtures = fileURLToPath(new URL('fixtures/graphql-servers', import.meta.url));

const folder = await makePackedProject('capix-graphql-servers', packages);
for (const name of await readdir(fixtures))
  await cp(join(fixtures, name), join(folder, name === 'tsconfig.json' ? '' : 'src', name));
run(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc')], folder);
run(process.execPath, [join('built', 'run.js')], folder);
