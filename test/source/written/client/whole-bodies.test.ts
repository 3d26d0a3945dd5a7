import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClient } from '../../../../server-runtime/client/index.ts';
import { capability, compileRegistry, uploadedFile } from '../../../../server-runtime/index.ts';
import { readOperations } from '../../../../source/document/operations/read-operations.ts';
import { callServer } from '../../../../source/invoke/call-server.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import type { Listed } from '../../../../source/manifest/manifest.ts';
import { toCapabilityCurl } from '../../../../source/record/curl.ts';
import { toDocsText } from '../../../../source/written/docs/docs-text.ts';
import { openGeneratedClient } from '../../../helpers/generated-client.ts';
import { PATIENCE_MS } from '../../../helpers/patience.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const Event = z.object({ type: z.string(), at: z.number() });
const hooks = {
  sendEvents: capability(
    z.object({ id: z.string(), dry: z.boolean().optional(), events: z.array(Event) }),
    (input) => input,
  )
    .route('POST', '/events/:id')
    .takes({ body: 'events' }),
  sendLines: capability(z.object({ lines: z.array(Event) }), (input) => input).takes({
    body: { field: 'lines', types: ['application/x-ndjson'] },
  }),
  sendXml: capability(z.object({ xml: z.string() }), (input) => input).takes({
    body: { field: 'xml', types: ['application/xml'] },
  }),
  sendFile: capability(
    z.object({ file: uploadedFile({ accept: ['image/*', 'text/plain'] }) }),
    ({ file }) => [file.mimeType, file.buffer.toString()],
  ).takes({ body: 'file' }),
  sendMaybe: capability(z.object({ note: z.string().optional() }), (input) => input).takes({
    body: { field: 'note', types: ['text/plain'] },
  }),
};
const events = [
  { type: "it's", at: 1 },
  { type: '<b>', at: 2 },
];
const inputs = {
  sendEvents: { id: 'a/b', dry: true, events },
  sendLines: { lines: events },
  sendXml: { xml: '<a>é</a>' },
  sendMaybe: {},
} as const;

it('is sent by the written client, whose types have the field by its name', async () => {
  const { api, source } = await openGeneratedClient({ hooks });
  for (const [name, input] of Object.entries(inputs))
    expect(await api['hooks']?.[name]?.(input)).toEqual(input);
  expect(await api['hooks']?.['sendEvents']?.({ id: '1', events: [] })).toEqual({
    id: '1',
    events: [],
  });
  const png = new Blob(['pixels'], { type: 'image/png' });
  expect(await api['hooks']?.['sendFile']?.({ file: png })).toEqual(['image/png', 'pixels']);
  expect(source).toMatch(/HooksSendFileInput = \{\s*readonly file: Blob;?\s*\}/);
  expect(source).toMatch(/HooksSendXmlInput = \{\s*readonly xml: string;?\s*\}/);
  expect(source).toMatch(/HooksSendMaybeInput = \{\s*readonly note\?: string/);
});

it('is sent by the inferred client', async () => {
  const { url } = await openGeneratedClient({ hooks }, { calls: true });
  const api = createClient<{ readonly hooks: typeof hooks }>({ baseUrl: url });
  expect(await api.hooks.sendEvents(inputs.sendEvents)).toEqual(inputs.sendEvents);
  expect(await api.hooks.sendXml(inputs.sendXml)).toEqual(inputs.sendXml);
  const file = new File(['x'], 'a.txt', { type: 'text/plain' });
  expect(await api.hooks.sendFile({ file } as never)).toEqual(['text/plain', 'x']);
});

const description = describeApi({ registry: compileRegistry({ hooks }), restOptions: {} });
const listed = (key: string): Listed =>
  readOperations(description.document).find((each) => each.key === key) as unknown as Listed;

it('is sent by `capix call` to a server, and by the curl command of an input', async () => {
  const { url } = await openGeneratedClient({ hooks });
  const photo = join(await temporaryFolder(), 'photo.png');
  await writeFile(photo, 'pixels');
  const calls = [
    ...Object.entries(inputs).map(([name, json]) => ({
      name,
      json,
      files: {},
      data: json as unknown,
    })),
    { name: 'sendFile', json: {}, files: { file: [photo] }, data: ['image/png', 'pixels'] },
  ];
  for (const { name, json, files, data } of calls) {
    const capabilityOf = listed(`hooks.${name}`);
    const request = {
      baseUrl: url,
      input: { json, files },
      headers: {},
      signal: AbortSignal.timeout(PATIENCE_MS),
    };
    const { status, body } = await callServer(capabilityOf, request);
    expect([name, status, body]).toEqual([name, 200, { data }]);
    if (name === 'sendFile') continue;
    const curl = toCapabilityCurl(capabilityOf, { baseUrl: url, input: json, files });
    const { stdout } = await promisify(execFile)('bash', ['-c', `${curl} -s`]);
    expect(JSON.parse(stdout)).toEqual({ data });
  }
  const input = { baseUrl: 'http://x.test', input: {}, files: { file: ['a.png'] } };
  expect(toCapabilityCurl(listed('hooks.sendFile'), input)).toBe(
    "curl -X POST 'http://x.test/hooks/send-file' -H 'content-type: application/octet-stream' --data-binary '@a.png'",
  );
});

it('is in the samples of the reference', () => {
  const registry = compileRegistry({ hooks });
  const text = toDocsText(describeApi({ registry, restOptions: {} }).document, registry.operations);
  expect(text).toContain(`-H 'content-type: application/xml' --data-binary 'text'`);
  expect(text).toMatch(/-H 'content-type: application\/json' --data-binary '\[\{"type":/);
  expect(text).toContain(`body: JSON.stringify([{"type":`);
  expect(text).toContain(`--data-binary '@file'`);
  expect(text).toContain('body: file, // a Blob');
});
