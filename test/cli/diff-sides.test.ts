import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { expectProject } from '../../source/load/expect-project.ts';
import { createRefCopy } from '../../source/sides/git/ref-copy.ts';
import { loadSide } from '../../source/sides/load-sides.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { type GitProject, openGitProject } from '../helpers/git-project.ts';
import { cliEntry } from '../helpers/run-capix.ts';

const users = (input: string, more = ''): string => `
import { capability } from 'capix';
import * as z from 'zod';
export const users = {
  getUser: capability(z.object({ ${input} }), () => ({ id: '1' })).output(z.object({ id: z.string() })),
  ${more}
};
`;

const first = users('id: z.string()');
const second = users(
  'id: z.string(), unit: z.string()',
  'listUsers: capability(z.object({}), () => []),',
);

async function openHistory(): Promise<GitProject> {
  const project = await openGitProject({ 'src/capabilities.ts': first });
  await project.git('tag', 'v1.0.0');
  await project.commit({ 'src/capabilities.ts': second });
  return project;
}

const secondSince = `Added (1)

  users.listUsers  GET /users

Changed (1)

  users.getUser  GET /users/:id
    breaking  \`unit\` was added, required: callers that leave it out are refused (HTTP callers, typed client, agents)

1 breaking, 0 risky, 1 safe
`;

test('a ref is compared with the working tree, and two refs with each other, without touching tree or index', async () => {
  const { root, capix, write, git } = await openHistory();
  await write('src/capabilities.ts', users('id: z.string(), unit: z.string().optional()'));
  await write('staged.txt', 'staged');
  await git('add', 'staged.txt');
  await write('staged.txt', 'changed since');
  const status = await git('status', '--porcelain');
  const index = await stat(join(root, '.git/index'));
  expect((await capix(['diff', 'v1.0.0', 'HEAD'])).stdout).toBe(secondSince);
  const { stdout, exitCode } = await capix(['diff', 'v1.0.0', '--fail-on', 'breaking']);
  expect(stdout).toContain('safe      `unit` was added, optional');
  expect(exitCode).toBe(0);
  expect((await capix(['diff', 'HEAD', '--fail-on', 'breaking'])).stdout).toContain(
    'users.listUsers',
  );
  expect((await stat(join(root, '.git/index'))).mtimeMs).toBe(index.mtimeMs);
  expect(await git('status', '--porcelain')).toBe(status);
  expect(await readdir(join(root, 'node_modules/.capix'))).toEqual([]);
});

test('a project in a folder of its repository, which imports from beside itself, is read at a ref', async () => {
  const project = await openGitProject({ 'README.md': 'shared code beside the project' });
  const api = (shared: string): Record<string, string> => ({
    'shared/fields.ts': `import * as z from 'zod';\nexport const name = ${shared};\n`,
    'api/package.json': '{ "name": "api", "type": "module" }',
    'api/src/capabilities.ts':
      "import { capability } from 'capix';\nimport * as z from 'zod';\nimport { name } from '../../shared/fields.ts';\n" +
      'export const users = { createUser: capability(z.object({ name }), () => 1) };\n',
  });
  await project.commit(api('z.string()'));
  await project.commit(api('z.string().min(3)'));
  const { stdout, stderr } = await project.capix(['diff', 'HEAD~1'], {
    cwd: join(project.root, 'api'),
  });
  expect({ stdout, stderr }).toMatchObject({
    stdout: expect.stringContaining('`name` has the minimum length 3'),
    stderr: '',
  });
});

test('the folder of a ref is gone after Ctrl-C', async () => {
  const project = await openGitProject({ 'src/capabilities.ts': first });
  await project.commit({
    'src/capabilities.ts': `await new Promise((resolve) => setTimeout(resolve, 60_000));\n${second}`,
  });
  const shelf = join(project.root, 'node_modules/.capix');
  const command = startInBackground([process.execPath, cliEntry, 'diff', 'HEAD', 'HEAD~1'], {
    cwd: project.root,
  });
  await expect.poll(() => (existsSync(shelf) ? readdir(shelf) : [])).not.toEqual([]);
  expect((await command.stop('SIGINT')).exitCode, command.output()).toBe(130);
  const left = await readdir(shelf, { withFileTypes: true });
  expect(left.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual([]);
});

test('a comparison that is given up while git writes the files ends git, and leaves nothing that fails later', async () => {
  const project = await openGitProject({ 'src/capabilities.ts': first });
  // Git hands the file to a filter, which keeps it for as long as that git runs.
  const filter =
    'touch "$ROOT/held"; while kill -0 $PPID; do sleep 0.05; done; touch "$ROOT/freed"';
  await project.commit({ '.gitattributes': 'src/capabilities.ts filter=hold\n' });
  await project.git('config', 'filter.hold.smudge', filter.replaceAll('$ROOT', project.root));
  const controller = new AbortController();
  const { root: workingDirectory } = project;
  const options = {
    project: expectProject({ workingDirectory }),
    workingDirectory,
    toEnvFiles: () => [],
  };
  const side = loadSide('HEAD', { ...options, signal: controller.signal });
  await expect.poll(() => existsSync(join(project.root, 'held'))).toBe(true);
  controller.abort();
  await expect(side).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await expect.poll(() => existsSync(join(project.root, 'freed'))).toBe(true);
  expect(await readdir(join(project.root, 'node_modules/.capix'))).toEqual([]);
});

test('other commands of the project leave the folder of a ref alone, however long it takes', async () => {
  const project = await openGitProject({ 'src/capabilities.ts': first });
  await project.commit({ 'src/capabilities.ts': second });
  const copy = await createRefCopy({ root: project.root, commit: 'HEAD' });
  await utimes(dirname(copy.root), 0, 0);
  expect((await project.capix(['list'])).exitCode).toBe(0);
  expect(await readdir(join(copy.root, 'src'))).toEqual(['capabilities.ts']);
  await copy.remove();
  expect(existsSync(copy.root)).toBe(false);
});

test('an OpenAPI document, as JSON and as YAML, of the same contract has no differences, and shows those of another', async () => {
  const { capix, write } = await openHistory();
  const document = (await capix(['openapi'])).stdout;
  await write('openapi.json', document);
  await write('openapi.yaml', stringify(JSON.parse(document)));
  expect((await capix(['diff', 'openapi.json'])).stdout).toBe('No differences\n');
  expect((await capix(['diff', 'openapi.yaml'])).stdout).toBe('No differences\n');
  const { stdout, exitCode } = await capix([
    'diff',
    'v1.0.0',
    'openapi.yaml',
    '--fail-on',
    'breaking',
  ]);
  expect(stdout).toContain('breaking  `unit` was added, required');
  expect(exitCode).toBe(1);
});

test('an OpenAPI 3.0 document of somebody else is compared by routes, with its nulls, references and statuses', async () => {
  const { capix, write } = await openHistory();
  const toDocument = (nullable: boolean, status: string): string =>
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Users', version: '1' },
      servers: [{ url: 'https://api.example.org/v1' }],
      components: {
        schemas: {
          User: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string', nullable } },
          },
        },
      },
      paths: {
        '/people': {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
            },
            responses: {
              [status]: {
                description: 'made',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
              },
            },
          },
        },
      },
    });
  await write('old.json', toDocument(true, '200'));
  await write('new.json', toDocument(false, '201'));
  const { stdout } = await capix(['diff', 'old.json', 'new.json']);
  expect(stdout).toContain('POST /v1/people');
  expect(stdout).toContain('breaking  `name` changed from string | null to string');
  expect(stdout).toContain('breaking  is answered with 201, it was 200');
});

test('a running server is compared by its document', async () => {
  const { capix } = await openHistory();
  const document = (await capix(['openapi'])).stdout;
  const server = createServer((request, response) => {
    if (request.url === '/openapi.json') response.end(document);
    else response.writeHead(404).end();
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await capix(['diff', url])).stdout).toBe('No differences\n');
  expect((await capix(['diff', `${url}/api`])).stderr).toContain(
    `No OpenAPI document at ${url}/api: the answer is 404.`,
  );
});

test('a document is known by what is in it, whatever its file is called, and by way of a pipe', async () => {
  const { capix, write, root } = await openHistory();
  await write('api.openapi', stringify(JSON.parse((await capix(['openapi'])).stdout)));
  expect((await capix(['diff', 'api.openapi'])).stdout).toBe('No differences\n');
  const { stdout } = await execa(
    'bash',
    ['-c', `"$0" "$1" diff <(cat api.openapi)`, process.execPath, cliEntry],
    { cwd: root },
  );
  expect(stdout).toBe('No differences');
});

test('the document of a URL is read up to a size, and Swagger is told by its name', async () => {
  const { capix } = await openHistory();
  const MIB = 1024 * 1024;
  let sent = 0;
  const server = createServer((request, response) => {
    if (request.url === '/swagger') response.end('{"swagger": "2.0"}');
    else if (request.url !== '/large') response.writeHead(404).end();
    else {
      const write = (): void => {
        for (let more = true; more && sent < 400; sent += 1) more = response.write(' '.repeat(MIB));
      };
      response.on('drain', write);
      write();
    }
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await capix(['diff', `${url}/large`])).stderr).toContain(
    'the answer is larger than 64 MiB, which --max-size allows.',
  );
  expect(sent).toBeLessThan(100);
  sent = 0;
  expect((await capix(['diff', `${url}/large`, '--max-size', '2'])).stderr).toContain(
    'the answer is larger than 2 MiB',
  );
  expect((await capix(['diff', `${url}/swagger`])).stderr).toContain('/swagger is Swagger 2.0');
});

test('capix lock keeps the contract, which check tells to be stale and diff compares', async () => {
  const { root, capix, write } = await openHistory();
  expect(await capix(['lock', '--check'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is missing'),
  });
  expect((await capix(['lock'])).stdout).toBe('capix.lock.json was written\n');
  const text = await readFile(join(root, 'capix.lock.json'), 'utf8');
  await write('src/capabilities.ts', `// moved down\n\n${second}`);
  expect((await capix(['lock', '--check'])).stdout).toBe('capix.lock.json is up to date\n');
  await write('src/capabilities.ts', first);
  expect(await capix(['lock', '--check'])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is stale'),
  });
  expect((await capix(['diff', 'capix.lock.json'])).stdout).toContain('users.listUsers');
  await capix(['lock']);
  expect(await readFile(join(root, 'capix.lock.json'), 'utf8')).not.toBe(text);
  expect((await capix(['diff', 'capix.lock.json'])).stdout).toBe('No differences\n');
});

test.each([
  [['diff', 'empty.ts'], 'empty.ts has no capabilities to compare.', 1],
  [['diff', 'empty.json'], 'empty.json is neither an OpenAPI 3 document nor a lock file.', 1],
  [['diff', 'broken.yaml'], 'broken.yaml:1:6: Flow sequence in block collection must', 1],
  [['diff', 'broken.json'], 'broken.json:2:10: "}" is not expected here in JSON.', 1],
  [['diff', 'words'], 'words is neither JSON nor YAML.', 1],
  [
    ['diff', 'swagger.yaml'],
    'swagger.yaml is Swagger 2.0, which is older than OpenAPI 3: `npx swagger2openapi',
    1,
  ],
  [['diff', 'openapi4.json'], 'openapi4.json is OpenAPI 4.0.0: versions 3.0 to 3.2 are read.', 1],
  [
    ['diff', 'merged.json'],
    'merged.json has the marks of a merge: `capix lock` writes a lock file anew.',
    1,
  ],
  [
    ['diff', 'old.lock.json'],
    'another version of capix wrote: run `capix lock` to write it again.',
    1,
  ],
  [['diff', 'src'], 'src is a folder: name its capabilities file.', 1],
  [['diff', 'HEAD:elsewhere'], 'At HEAD:elsewhere: there is no elsewhere/src/capabilities.ts.', 1],
  [['diff', 'no-such-branch'], 'no-such-branch is neither a file, a URL nor a git ref.', 1],
  [['diff', 'http://127.0.0.1:1'], 'No OpenAPI document at http://127.0.0.1:1:', 1],
  [
    ['diff', 'paths.json', '--fail-on', 'breaking'],
    'paths.json has no capabilities to compare.',
    1,
  ],
  [['diff'], 'missing required argument', 2],
])('%j is refused with its reason', async (args, reason, exitCode) => {
  const { capix } = await sharedProject();
  const result = await capix(args);
  expect(result.stderr).toContain(reason);
  expect(result.exitCode).toBe(exitCode);
});

function sharedProject(): Promise<GitProject> {
  return openGitProject({
    'src/capabilities.ts': first,
    'empty.ts': 'export const capabilities = {};\n',
    'empty.json': '{}',
    'broken.yaml': 'a: [b',
    'broken.json': '{\n  "a": 1,}',
    words: 'neither this nor that',
    'swagger.yaml': 'swagger: "2.0"\n',
    'openapi4.json': '{"openapi": "4.0.0", "paths": {}}',
    'merged.json': '{\n<<<<<<< HEAD\n}\n',
    'old.lock.json': '{"capixLock": 1, "capabilities": []}',
    'paths.json': '{"openapi": "3.1.0", "paths": {}}',
  });
}

test('code that no longer loads at a ref is told with the ref', async () => {
  const { capix, commit } = await openGitProject({
    'src/capabilities.ts': "import 'gone-package';\nexport const a = {};\n",
  });
  await commit({ 'src/capabilities.ts': first });
  const { stderr, exitCode } = await capix(['diff', 'HEAD~1']);
  expect(stderr).toMatch(
    /^error: At HEAD~1: src\/capabilities\.ts:1:\d+: Could not resolve "gone-package"/,
  );
  expect(exitCode).toBe(1);
});

test('a project that has moved is compared with where it was, and a branch that is called as a folder is found', async () => {
  const project = await openGitProject({ 'README.md': 'services' });
  const files = (folder: string, source: string) => ({
    [`${folder}/package.json`]: '{ "name": "api", "type": "module" }',
    [`${folder}/src/capabilities.ts`]: source,
  });
  await project.commit(files('api', first));
  await project.git('branch', 'services');
  await project.git('rm', '-rq', 'api');
  await project.commit(files('services/api', second));
  const cwd = join(project.root, 'services/api');
  expect((await project.capix(['diff', 'HEAD~1:api'], { cwd })).stdout).toBe(secondSince);
  const { stderr } = await project.capix(['diff', 'services'], { cwd: project.root });
  expect(stderr).not.toContain('is a folder');
  expect((await project.capix(['diff', 'services:api', 'HEAD'], { cwd })).stdout).toBe(secondSince);
  expect((await project.capix(['diff', 'HEAD~1'], { cwd })).stderr).toContain(
    'At HEAD~1: there is no services/api/src/capabilities.ts.\nWhere the project was in another folder, name that too',
  );
});

test('without a repository or a commit there is no last commit to compare with, as is said in place of its name', async () => {
  const { root, capix } = await openProject({ 'src/capabilities.ts': first });
  expect((await capix(['diff', 'HEAD'])).stderr).toMatch(/^error: No git repository is found here/);
  await execa('git', ['init', '--quiet'], { cwd: root });
  expect((await capix(['diff', 'HEAD'])).stderr).toMatch(
    /^error: The repository has no commit yet/,
  );
  expect((await capix(['diff', 'main'])).stderr).toMatch(
    /^error: main is neither .*\nThe repository has no commit yet/,
  );
});

test('a shallow clone says how to fetch what it lacks', async () => {
  const { root, git, capix } = await openHistory();
  await git('rev-parse', 'HEAD').then((commit) =>
    writeFile(join(root, '.git/shallow'), `${commit.trim()}\n`),
  );
  const { stderr } = await capix(['diff', 'main-of-them']);
  expect(stderr).toContain(
    'main-of-them is neither a file, a URL nor a git ref.\nThe clone is shallow',
  );
});
