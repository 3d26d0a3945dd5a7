#!/usr/bin/env bash
# mercurius: an index in the path of an error is a text
#
# mercurius 16.10.1 with graphql 16.15.0. The path of an error in the second item of a list is ["list",1,"bad"] by the
# specification of GraphQL, and as graphql-js gives it. Mercurius sends ["list","1","bad"], so that a client that follows
# the path by the types of its parts finds no list.
#
# Needs Node 20 or newer and npm. It installs pinned packages into a temporary folder, runs them, and fails where they behave otherwise.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"type":"module","private":true}' > package.json
npm install --silent --no-audit --no-fund --no-save mercurius@16.10.1 fastify@5.12.8 graphql@16.15.0

cat > run.mjs <<'JS'
import fastify from 'fastify';
import { graphql } from 'graphql';
import mercurius from 'mercurius';

const app = fastify();
const fail = () => {
  throw new Error('bad');
};
const resolvers = { Query: { list: () => [{}] }, Item: { bad: fail } };
await app.register(mercurius, { schema: 'type Query { list: [Item] } type Item { bad: Int }', resolvers });
const source = '{ list { bad } }';
const { body } = await app.inject({ method: 'POST', url: '/graphql', payload: { query: source } });
console.log('mercurius:', JSON.stringify(JSON.parse(body).errors[0].path));
const { errors } = await graphql({ schema: app.graphql.schema, source, rootValue: {} });
console.log('graphql-js:', JSON.stringify(errors[0].path));
JS
node run.mjs > actual.txt
cat > expected.txt <<'TXT'
mercurius: ["list","0","bad"]
graphql-js: ["list",0,"bad"]
TXT
diff -u expected.txt actual.txt && echo "as stated"
