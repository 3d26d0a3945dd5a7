import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';

const program = `
import { capability, createServer, restTransport, silentLogger } from 'capix';

const capabilities = { users: { getUser: capability(() => ({ id: '7' })) } };
const server = createServer({ capabilities, transports: [restTransport({ port: 0 })], logger: silentLogger });
const [{ url }] = await server.start();
const loaded = process.moduleLoadList.filter((name) => /undici/.test(name));
const answer = await (await fetch(url + '/users')).json();
console.log(JSON.stringify({ answer, loaded }));
await server.stop();
`;

test('a server that has started has not loaded the WebSocket of browsers, which newer Node loads with an import of node:http', async () => {
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', program], {
    cwd: packageRoot,
    env: cleanEnvironment(),
    extendEnv: false,
  });
  expect(JSON.parse(stdout)).toEqual({ answer: { data: { id: '7' } }, loaded: [] });
});

test('no file of the package imports node:http or node:https, on whatever Node this is run', async () => {
  const dist = join(packageRoot, 'dist');
  const files = (await readdir(dist, { recursive: true })).filter((file) => /\.c?js$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(dist, file), 'utf8')));
  const importing = files.filter((_file, index) =>
    /(from|import)\s*\(?\s*["']node:https?["']/.test(texts[index] ?? ''),
  );
  expect(importing).toEqual([]);
});

test('every file of the library is ASCII, since Node holds any other one with two bytes for each character', async () => {
  const library = join(packageRoot, 'dist', 'server-runtime');
  const files = (await readdir(library, { recursive: true })).filter((file) =>
    file.endsWith('.js'),
  );
  expect(files.length).toBeGreaterThan(20);
  const texts = await Promise.all(files.map((file) => readFile(join(library, file), 'utf8')));
  expect(files.filter((_file, index) => /[^\0-\x7f]/.test(texts[index] ?? ''))).toEqual([]);
});
