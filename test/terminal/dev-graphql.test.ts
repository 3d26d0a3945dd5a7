import { expect, it } from 'vitest';
import { graphServer } from '../helpers/graph-server.ts';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';

it('an operation is a row by its name, which opens to its fields, their errors and what they wrote', async () => {
  const { terminal, url } = await openDevScreen({
    files: { 'src/server.ts': graphServer },
    size: [100, 60],
  });
  const ask = (query: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  await ask('query Books { listBooks { id author { id } } }');
  await openTab(terminal, '2', 'requests 1');
  await terminal.waitFor(
    /200 +query +Books +books\.listBooks, authors\.getAuthor \(3 calls\) 404 /,
  );
  terminal.type('\r');
  const books = (await terminal.waitFor(/Field listBooks\.author, one/)).replaceAll(/ *┃?$/gm, '');
  expect(books).toContain('200  query Books');
  expect(books).toMatch(/sent as +POST \/graphql/);
  expect(books).toMatch(/ listBooks {9}books\.listBooks 200 in [\d.]+ m?s\n/);
  expect(books).toMatch(
    / listBooks\.author {2}authors\.getAuthor \(3 calls\) 404 in [\d.]+ m?s, 1 failed\n +NotFound: There is no author 2\./,
  );
  expect(books).toMatch(/Field listBooks\n[^]*Answer\n[^]*"authorId": "3"/);
  expect(books).toMatch(
    /Field listBooks\.author, one of 3 calls\n[^]*NotFound: There is[^]*"id": "2"/,
  );
  terminal.type('\u001B');
  await ask('mutation { authorsLogin(input: { password: "hunter2" }) { id } }');
  await terminal.waitFor(/200 +mutation +\{ authorsLogin \} +authors\.login 500 /);
  terminal.type('\u001B[H\r');
  const login = await terminal.waitFor(/Field authorsLogin/);
  expect(login).toMatch(/Error: broken[^]*src\/server\.ts:\d+[^]*"password": "•••"[^]*entering/);
  expect(terminal.output()).not.toContain('hunter2');
  await ask('{ nothing }');
  terminal.type('\u001B');
  await terminal.waitFor(/200 +POST +\/graphql /);
});
