import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { bareProject } from '../helpers/bare-project.ts';
import { openProject } from '../helpers/fixture-project.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

const library = `
import { bytes, capability } from 'capix';
import { graphqlTransport } from 'capix/graphql';
import * as z from 'zod';
const Book = z.object({ id: z.string(), title: z.string() }).meta({ id: 'Book' });
const books = {
  listBooks: capability(z.object({ after: z.string().optional() }), () => []).output(z.array(Book)),
  createBook: capability(z.object({ title: z.string() }), ({ title }) => ({ id: '1', title })).output(Book),
  getCover: capability(z.object({ id: z.string() }), () => bytes(Buffer.of(1), 'image/png')).output(bytes('image/png')),
  countBooks: capability(() => 3, 'query'),
};
export const capabilities = { books };
`;
const MARK = '# Written by `capix graphql`. Write it again when the API changes; do not edit it.';

it('prints the schema sorted, and what it cannot say to stderr', async () => {
  const { ask } = await openProject({ 'src/capabilities.ts': library });
  const { stdout, stderr, exitCode } = await ask(['graphql']);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')[0]).toBe(MARK);
  const schema = buildSchema(stdout);
  expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual([
    'countBooks',
    'listBooks',
  ]);
  expect(
    Object.keys(schema.getTypeMap())
      .filter((name) => /^[BCJ]/.test(name))
      .sort(),
  ).toEqual(['Book', 'Boolean', 'CreateBookInput', 'JSON']);
  expect(stderr).toMatch(/^books\.getCover: left out: it answers with bytes/m);
  expect(stderr).toMatch(/^books\.countBooks: .*`\.output\(…\)`/m);
  const json = await ask(['graphql', '--json']);
  expect(json.stderr).toBe('');
  expect(JSON.parse(json.stdout).data).toMatchObject({
    schema: stdout,
    notes: expect.arrayContaining([expect.objectContaining({ place: 'books.getCover' })]),
  });
});

it('takes the names and the capabilities of the transport that the project exports', async () => {
  const { ask, write } = await openProject({
    'src/capabilities.ts': `${library}
      export const graphql = graphqlTransport({ fields: { 'books.listBooks': 'shelf' } });`,
  });
  expect((await ask(['graphql'])).stdout).toContain('  shelf(after: String): [Book!]');
  expect((await ask(['show', 'books.listBooks'])).stdout).toMatch(/^ *GraphQL +Query\.shelf$/m);
  const shown = await ask(['show', 'books.createBook', '--json']);
  expect(JSON.parse(shown.stdout).data.graphqlField).toBe('Mutation.createBook');
  expect((await ask(['show', 'books.getCover'])).stdout).not.toContain('GraphQL');
  await write(
    'src/capabilities.ts',
    `${library}export const graphql = graphqlTransport({ capabilities: { books: { listBooks: books.listBooks } } });`,
  );
  const { stdout } = await ask(['graphql']);
  expect(stdout).toContain('listBooks');
  expect(stdout).not.toContain('createBook');
});

it('writes a file that check and sync keep up to date, and replaces no other', async () => {
  const { root, ask, write } = await openProject({ 'src/capabilities.ts': library });
  const file = join(root, 'schema.graphql');
  await write('schema.graphql', 'type Query { a: Int }\n');
  expect(await ask(['graphql', '--output', 'schema.graphql'])).toMatchObject({ exitCode: 1 });
  expect(await readFile(file, 'utf8')).toBe('type Query { a: Int }\n');
  await ask(['graphql', '--output', 'schema.graphql', '--force']);
  expect((await ask(['check', '--json'])).stdout).not.toContain('stale-file');

  await write('src/capabilities.ts', library.replaceAll('listBooks', 'listNovels'));
  expect((await ask(['check', '--json'])).stdout).toMatch(/schema\.graphql .*`capix graphql`/);
  expect((await ask(['sync'])).stdout).toBe('schema.graphql updated\n');
  const { stdout } = await ask(['graphql']);
  expect(await readFile(file, 'utf8')).toBe(stdout);
  expect(stdout).toContain('booksListNovels');
});

it('says which line solves two capabilities of one field', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `import { capability } from 'capix';
      const getUser = capability(() => 1, 'query');
      export const capabilities = { a: { users: { getUser }, getUser } };`,
  });
  const { stderr, exitCode } = await ask(['graphql']);
  expect(stderr).toMatch(/^error: `a\.users\.getUser` and `a\.getUser` are one field in GraphQL/);
  expect(stderr).toContain('graphqlTransport({ fields: {');
  expect(exitCode).toBe(1);
});

it('names the package that is missing', async () => {
  const { folder, entry } = await bareProject({
    'src/capabilities.js': `import { capability } from 'capix'; export const capabilities = { a: { listA: capability(() => 1, 'query') } };`,
  });
  const { stderr, exitCode } = await runCapix(['graphql'], { cwd: folder, entry });
  expect(stderr).toBe(
    'error: Packages are missing, which write the schema of GraphQL. `npm install --save-dev graphql` installs them.\n',
  );
  expect(exitCode).toBe(1);
});

it('is compared for the callers of GraphQL alone, by what the package finds', async () => {
  const exported = (options = '') =>
    `${library}export const graphql = graphqlTransport({ ${options} });`;
  const { ask, write } = await openProject({ 'src/capabilities.ts': library });
  const diff = async () => {
    const { stdout } = await ask(['diff', 'capix.lock.json', '--json']);
    const { server } = JSON.parse(stdout).data as { server: Record<string, unknown>[] };
    return server.map(({ rule, class: type, message, audience }) => [
      rule,
      type,
      message,
      audience,
    ]);
  };
  await ask(['lock']);
  await write('src/capabilities.ts', exported());
  expect(await diff()).toEqual([
    ['graphql-added', 'safe', 'capabilities are fields of GraphQL, too', ['graphql']],
  ]);
  await ask(['lock']);
  expect(await diff()).toEqual([]);
  expect((await ask(['lock', '--check'])).exitCode).toBe(0);

  // Routes and answers are the same, and the fields of GraphQL are not.
  await write(
    'src/capabilities.ts',
    exported(`path: '/graph', fields: { 'books.listBooks': 'shelf' }`),
  );
  expect(await diff()).toEqual([
    ['graphql-moved', 'breaking', 'the path of GraphQL changed', ['graphql']],
    ['graphql-breaking', 'breaking', 'in GraphQL, Query.listBooks was removed', ['graphql']],
  ]);
  expect((await ask(['check', '--json'])).stdout).toContain('stale-lock');
  const { exitCode } = await ask(['diff', 'capix.lock.json', '--fail-on', 'breaking']);
  expect(exitCode).toBe(1);

  await write('src/capabilities.ts', library);
  expect(await diff()).toEqual([
    ['graphql-removed', 'breaking', 'GraphQL is not served any more', ['graphql']],
  ]);
});

it('check lists what is JSON for want of an output, and what is left out and why', async () => {
  const { ask } = await openProject({
    'src/capabilities.ts': `${library}
      export const graphql = graphqlTransport();`,
  });
  const { stdout, exitCode } = await ask(['check', '--json']);
  expect(exitCode).toBe(0);
  const { problems } = JSON.parse(stdout).data as { problems: { code: string }[] };
  expect(problems.filter(({ code }) => code.startsWith('graphql'))).toEqual([
    expect.objectContaining({
      code: 'graphql-gap',
      severity: 'warning',
      keys: ['books.getCover'],
      file: 'src/capabilities.ts',
      message:
        'In GraphQL `books.getCover` is left out: it answers with bytes: ask for them over REST.',
    }),
    expect.objectContaining({
      keys: ['books.countBooks'],
      message: 'In GraphQL `books.countBooks` is JSON: it declares no `.output(…)`.',
      hint: 'Declare what it answers with: `.output(schema)`.',
    }),
  ]);
});

it('check finds fields that collide and links that lead nowhere, with the line that solves it', async () => {
  const project = (options: string): string => `${library}
    capabilities.book = { listBooks: books.listBooks };
    export const graphql = graphqlTransport(${options});`;
  const check = async (options: string) => {
    const { ask } = await openProject({ 'src/capabilities.ts': project(options) });
    const { stdout, exitCode } = await ask(['check', '--json']);
    const { problems } = JSON.parse(stdout).data as { problems: { code: string }[] };
    expect(exitCode).toBe(1);
    return problems.filter(({ code }) => code === 'graphql-field');
  };
  expect(await check('')).toEqual([
    expect.objectContaining({
      severity: 'error',
      keys: ['book.listBooks'],
      message: '`books.listBooks` and `book.listBooks` are one field in GraphQL: `listBooks`.',
      hint: "Name one of them: `graphqlTransport({ fields: { 'book.listBooks': 'bookListBooks' } })`.",
    }),
  ]);
  const fields = "fields: { 'book.listBooks': 'shelf' }";
  const link = (type: string, key: string): string =>
    `{ ${fields}, links: { ${type}: { other: ['${key}', () => ({})] } } }`;
  expect(await check(link('Book', 'books.list'))).toMatchObject([
    { message: 'The link `Book.other` calls `books.list`, and there is no such capability.' },
  ]);
  expect(await check(link('Bok', 'books.listBooks'))).toMatchObject([
    { message: expect.stringContaining('links name the type `Bok`, and no answer has it.') },
  ]);
});

it('check names the packages that a transport of GraphQL needs and are missing, with the command', async () => {
  const toSource = (options: string): string => `
    import { capability, text } from 'capix';
    import { graphqlTransport } from 'capix/graphql';
    export const capabilities = { a: { listA: capability(() => 'a', 'query').output(text()) } };
    export const graphql = graphqlTransport(${options});`;
  const { folder, entry } = await bareProject({
    'src/capabilities.js': toSource('{ webSocket: true }'),
  });
  const check = async (): Promise<unknown> => {
    const { stdout } = await runCapix(['check', '--json'], { cwd: folder, entry });
    const { problems } = JSON.parse(stdout).data as { problems: { code: string }[] };
    return problems.filter(({ code }) => code === 'graphql-field');
  };
  expect(await check()).toMatchObject([
    {
      message: '`graphqlTransport` needs what is not installed: graphql, ws.',
      hint: 'Run `npm install graphql ws`.',
    },
  ]);
  await writeTree(folder, { 'src/capabilities.js': toSource('') });
  expect(await check()).toMatchObject([{ hint: 'Run `npm install graphql`.' }]);
});
