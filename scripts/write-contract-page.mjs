/**
 * Writes `docs/contract.md`: the lines of the contract, which are the names of the tests in `test/contract`. `--check` only compares.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, writePage } from './write-page.mjs';

/** Heading, file of `test/contract`, and where the same is tested in depth. */
const sections = [
  ['Capability', 'capability', 'test/server-runtime/capability', 'test/types'],
  ['Guard', 'guard', 'test/server-runtime/capability'],
  ['Error factory', 'error-factory', 'test/server-runtime/errors'],
  ['Uploaded file', 'uploaded-file', 'test/server-runtime/rest/multipart.test.ts'],
  ['Response envelope', 'envelope', 'test/server-runtime/rest/answers.test.ts'],
  ['REST transport options', 'rest-transport-options', 'test/server-runtime/rest'],
  ['OpenAPI options', 'openapi-options', 'test/server-runtime/openapi'],
  ['Route inference', 'route-inference', 'test/server-runtime/routing'],
  ['Request input', 'request-input', 'test/server-runtime/input', 'test/server-runtime/rest/body.test.ts'],
  ['Type coercion', 'type-coercion', 'test/server-runtime/input'],
  ['File uploads', 'file-uploads', 'test/server-runtime/rest/multipart.test.ts'],
  ['CORS', 'cors', 'test/server-runtime/rest/cors.test.ts'],
  ['OpenAPI generation', 'openapi-generation', 'test/server-runtime/openapi'],
  ['Default scaffolded server', 'default-scaffolded-server', 'test/templates', 'test/cli/journey.test.ts'],
  ['Authentication', 'authentication', 'test/server-runtime/capability'],
  ['Errors', 'errors', 'test/server-runtime/rest/answers.test.ts'],
  ['Limits', 'limits', 'test/server-runtime/rest'],
  ['Versioning', 'versioning', 'test/server-runtime/openapi'],
  ['Common options', 'common-options', 'test/cli'],
  ['Commands', 'commands', 'test/cli'],
  ['Flags of openapi', 'openapi-flags', 'test/server-runtime/openapi'],
  ['Flags of mcp', 'mcp-flags', 'test/server-runtime/mcp'],
  ['In detail: capabilities, context, plugins, servers', 'details-capability', 'test/server-runtime'],
  [
    'In detail: registry and routes',
    'details-registry-and-routes',
    'test/server-runtime/registry',
    'test/server-runtime/routing',
  ],
  ['In detail: HTTP answers', 'details-answers', 'test/server-runtime/rest'],
  ['In detail: input', 'details-input', 'test/server-runtime/input', 'test/server-runtime/rest'],
  ['In detail: CORS and OpenAPI', 'details-cors-and-openapi', 'test/server-runtime/openapi'],
  ['In detail: the command line', 'details-command-line', 'test/cli'],
  ['In detail: the scaffold', 'details-scaffold', 'test/templates'],
  ['Bad input', 'bad-input', 'test/server-runtime', 'test/cli'],
];

const folder = join(root, 'test', 'contract');
const listed = sections.map(([, name]) => `${name}.test.ts`);
const unlisted = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && !listed.includes(file));
if (unlisted.length > 0) throw new Error(`Not in the list of sections: ${unlisted.join(', ')}`);

writePage('contract.md', `${[introduction(), ...sections.map(toSection)].join('\n\n')}\n`);

function introduction() {
  return `# The contract

Written by \`npm run docs\` from the names of the tests; do not edit it.

This page lists what capix promises. Each line is the name of a test in the file above it. The test shows the promise over a real socket or with
the built command. To run one test: \`npx vitest run test/contract/limits.test.ts -t 'multipart.maxFiles '\`.`;
}

function toSection([title, name, ...deeper]) {
  const missing = deeper.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) throw new Error(`No tests at ${missing.join(', ')}`);
  const path = `test/contract/${name}.test.ts`;
  const link = (to) => `[${to}](../${to})`;
  const lines = readNames(path).map(({ group, line }) =>
    line === undefined ? `\n${toProse(group)}:\n` : `- ${toProse(line)}`,
  );
  return `## ${title}\n\n${link(path)}; in depth: ${deeper.map(link).join(', ')}\n${lines.join('\n')}`;
}

/** Names of the groups and tests of a file, in order. Names are string literals, which keeps them greppable. */
function readNames(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const calls = [
    ...text.matchAll(/^ *(describe|it)(?:\.each\(\w+\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/gm),
  ];
  const count = [...text.matchAll(/^ *(?:describe|it)\b/gm)].length;
  if (calls.length !== count) throw new Error(`${path}: the name of each test must be a string literal`);
  return calls.map(([, kind, single, double]) => {
    const name = (single ?? double).replaceAll(/\\(.)/g, '$1');
    return kind === 'it' ? { line: name } : { group: name };
  });
}

/** As text, whatever it has of Markdown and HTML; what a table fills in is `…`. */
function toProse(text) {
  return text
    .replaceAll('%s', '…')
    .replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
    .replaceAll('<', '&lt;');
}
