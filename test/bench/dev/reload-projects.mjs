import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(bench));

/**
 * A project in a folder of its own: an operation in each of its files, with a schema, and one that says with which save it was written,
 * GET and POST of `/marks`. In the style of `capix`, of the same files as JavaScript (`script`), or of a `worker`.
 */
export async function createProject(style, fileCount) {
  const folder = await mkdtemp(join(tmpdir(), 'capix-bench-'));
  const names = Array.from({ length: fileCount - 1 }, (_, index) => `getThing${index}`);
  const files = {
    'package.json': '{"name": "bench", "type": "module"}',
    ...Object.fromEntries(
      names.map((name) => [`src/capabilities/${name}.ts`, styles[style].toThing(name)]),
    ),
    'src/capabilities/index.ts': [
      ...names.map((name) => `export { ${name} } from './${name}.ts';\n`),
      "export * from './listMarks.ts';\n",
    ].join(''),
    ...styles[style].files,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, toFileName(style, file)), toText(style, text));
  }
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(root, join(folder, 'node_modules', 'capix'));
  await symlink(join(root, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  await symlink(join(bench, 'node_modules', 'tsx'), join(folder, 'node_modules', 'tsx'));
  await writeMark({ folder, style }, 0);
  return folder;
}

export function writeMark({ folder, style }, round) {
  return writeFile(
    join(folder, 'src', 'capabilities', toFileName(style, 'listMarks.ts')),
    toText(style, styles[style].toMark(round)),
  );
}

/** None of the texts below has types, so that as JavaScript they differ by the names of files alone. */
function toFileName(style, file) {
  return style === 'script' ? file.replace(/\.ts$/, '.js') : file;
}

function toText(style, text) {
  return style === 'script' ? text.replaceAll(".ts'", ".js'") : text;
}

const input = 'z.object({ id: z.string(), count: z.number().optional() })';

const capixStyle = {
  toThing: (name) =>
    `import { capability } from 'capix';\nimport * as z from 'zod';\nexport const ${name} = capability(${input}, ({ id }) => ({ id, name: '${name}' }));\n`,
  toMark: (round) =>
    `import { capability } from 'capix';\nexport const listMarks = capability(() => 'round ${round}');\nexport const createMark = capability(() => 'round ${round}');\n`,
  files: {
    'src/server.ts': `import { createServer, restTransport } from 'capix';
import * as all from './capabilities/index.ts';
const { listMarks, createMark, ...things } = all;
const overrides = Object.fromEntries(Object.keys(things).map((name) => ['things.' + name, { method: 'GET', path: '/' + name }]));
const transports = [restTransport({ port: Number(process.env.PORT), overrides })];
await createServer({ capabilities: { things, marks: { listMarks, createMark } }, transports }).start();
`,
  },
};

const styles = {
  capix: capixStyle,
  script: capixStyle,
  worker: {
    toThing: (name) =>
      `import * as z from 'zod';\nexport const ${name} = { input: ${input}, handle: ({ id }) => ({ id, name: '${name}' }) };\n`,
    toMark: (round) =>
      `import * as z from 'zod';\nexport const listMarks = { input: z.object({}), handle: () => 'round ${round}' };\n`,
    files: {
      'src/server.ts': `import * as all from './capabilities/index.ts';
const { listMarks, ...things } = all;
const routes = new Map(Object.entries({ marks: listMarks, ...things }).map(([name, operation]) => ['/' + name, operation]));
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const operation = routes.get(pathname);
    if (operation === undefined) return new Response('', { status: 404 });
    return Response.json({ data: operation.handle(operation.input.parse(Object.fromEntries(searchParams))) });
  },
};
`,
      'wrangler.json':
        '{"name": "bench", "main": "src/server.ts", "compatibility_date": "2026-04-01"}',
      // What the tool asks the network for at every start and reload; asking is no part of what is measured.
      'node_modules/.mf/cf.json': '{}',
    },
  },
};
