import { expect, it } from 'vitest';
import { createClient } from '../../../server-runtime/client/index.ts';
import { bytes, capability } from '../../../server-runtime/index.ts';
import { openGeneratedClient } from '../../helpers/generated-client.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const getLogo = capability(() => Buffer.from('0123456789')).output(bytes('image/png'));
const capabilities = { files: { getLogo } };

it('a written client gets the part that its headers name, and the error where there is none', async () => {
  const { api, source } = await openGeneratedClient(capabilities);
  const call = api['files']?.['getLogo'];
  const part = await call?.safe({}, { headers: { range: 'bytes=2-4' } });
  expect(part).toMatchObject({ ok: true, status: 206 });
  expect(await (part as { readonly data: Blob }).data.text()).toBe('234');
  expect(await call?.safe({}, { headers: { range: 'bytes=99-' } })).toMatchObject({
    ok: false,
    status: 416,
    error: { name: 'RangeNotSatisfiable' },
  });
  expect(source).toMatch(/416: "?RangeNotSatisfiable/);
});

it('an inferred client, which calls by key, gets the whole', async () => {
  const { url } = await startOverSocket({ capabilities, rest: { calls: true } });
  const api = createClient<typeof capabilities>({ baseUrl: url });
  const logo = await api.files.getLogo({}, { headers: { range: 'bytes=2-4' } });
  expect(await logo.text()).toBe('0123456789');
});
