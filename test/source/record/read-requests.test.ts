import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeDevJournal } from '../../../source/files/server-state.ts';
import { readRequests } from '../../../source/record/read-requests.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('passes over what is not a request, and joins a failure with the request that it is of', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  const request = { event: 'request', method: 'GET', url: '/a', durationMs: 1, time: '' };
  const events = [
    { event: 'output', line: 'x' },
    { ...request, status: 500, requestId: 'one' },
    { event: 'failure', requestId: 'one', guards: [], logs: [] },
    {},
    { ...request, status: 200, requestId: 'two' },
  ];
  await writeDevJournal(root, 7, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const found = await readRequests(root, 7);
  expect(found.map(({ requestId, failure }) => [requestId, failure?.requestId])).toEqual([
    ['one', 'one'],
    ['two', undefined],
  ]);
});
