// Boundary: pages of other sites, before a server under `capix dev`. The rules themselves are in ../dev-server.test.ts.
import { expect, test } from 'vitest';
import { devProject, textServer } from '../../helpers/dev-project.ts';
import { openDevJson } from '../../helpers/open-dev.ts';

async function ask(files: Readonly<Record<string, string>> = {}) {
  const url = await openDevJson(await devProject(files)).url();
  return async (origin: string) => {
    const { status } = await fetch(`${url}/texts`, { headers: { origin } });
    return status;
  };
}

test('a page of another site gets 403 from a new project, and pages of this machine an answer', async () => {
  const statusFor = await ask({ 'capix.json': '{"dev":{"allowedHosts":["shop.test"]}}' });
  expect(await statusFor('http://evil.test')).toBe(403);
  expect(await statusFor('http://shop.test')).toBe(200);
  expect(await statusFor('http://localhost:5173')).toBe(200);
});

test('a page of another site is answered where the code says so', async () => {
  const code = textServer['src/server.ts'].replace(
    'restTransport()',
    "restTransport({ cors: { origin: '*' } })",
  );
  expect(await (await ask({ 'src/server.ts': code }))('http://evil.test')).toBe(200);
});
