/**
 * `npm run compat:graphql-clients`: urql and Apollo Client, with the documents of gql.tada and of graphql-codegen, as
 * docs/graphql.md shows them. They are compiled against the schema that `capix graphql` writes, and call a server over
 * HTTP. They are case 59 of GraphQL; test/server-runtime/graphql has the others by their numbers. The packages lie in `node_modules/.cache/capix-graphql-clients`, with the packed package of this project.
 */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { makePackedProject, run, writeBookshop } from './packed.mjs';

const packages = {
  '@apollo/client': '4.3.8',
  '@graphql-codegen/cli': '7.4.3',
  '@graphql-codegen/client-preset': '6.2.0',
  '@graphql-typed-document-node/core': '3.2.0',
  '@swc/core': '1.16.22',
  '@types/node': '20.19.43',
  '@types/ws': '8.18.2',
  '@urql/core': '6.0.3',
  '@urql/exchange-persisted': '5.0.1',
  'gql.tada': '1.11.3',
  graphql: '16.15.0',
  'graphql-sse': '2.6.1',
  'graphql-ws': '6.4.2',
  rxjs: '7.8.2',
  typescript: '5.9.3',
  'typescript-7': 'npm:typescript@7.0.2',
  ws: '8.23.0',
  zod: '4.6.7',
};

const fixtures = fileURLToPath(new URL('fixtures/graphql-clients', import.meta.url));
const inRoot = ['codegen.ts', 'tsconfig.json'];

const folder = await makePackedProject('capix-graphql-clients', packages);
await writeBookshop(folder);
for (const name of await readdir(fixtures))
  await cp(join(fixtures, name), join(folder, inRoot.includes(name) ? '' : 'src', name));
const node = (file, ...words) =>
  run(process.execPath, [join('node_modules', file), ...words], folder);
node('capix/dist/cli.cjs', 'graphql', '--output', 'schema.graphql');
node('gql.tada/bin/cli.js', 'generate-output');
node('@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.ts', '--silent');
node('typescript-7/bin/tsc', '--noEmit');
node('typescript/bin/tsc');
// The compiler writes no JSON that lies below a node_modules.
const known = join('gql', 'persisted-documents.json');
await cp(join(folder, 'src', known), join(folder, 'built', known));
node('gql.tada/bin/cli.js', 'check');
node('../built/run.js');
