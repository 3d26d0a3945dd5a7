import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tellServerState } from '../../../../source/dev/session/tell-server-state.ts';
import { readDevJournal } from '../../../../source/files/server-state.ts';
import { readRequests } from '../../../../source/record/read-requests.ts';
import type { RequestRecord } from '../../../../source/record/request-record.ts';
import { ownProcessId } from '../../../../source/system/own-process-id.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const toRequest = (id: number, name = ''): RequestRecord => ({
  id: `record-${id}`,
  at: 0,
  method: 'GET',
  url: '/texts',
  status: 200,
  durationMs: 1,
  requestId: `request-${id}`,
  details: {
    headers: [],
    answerHeaders: [],
    hasRun: true,
    guards: [],
    logs: [],
    marks: { list: [{ kind: 'db', name, atMs: 0, tookMs: 1 }], counts: { db: 1 }, repeated: [] },
  },
});

it('other processes read the last requests: at most 1,000 of them, and fewer where they are long', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  const { take, end } = tellServerState(root);
  const readIds = async () =>
    (await readRequests(root, ownProcessId)).map((each) => each.requestId);
  // As they come at 1,000 in a second: a batch each tenth of it.
  for (let first = 0; first < 3000; first += 100) {
    const requests = Array.from({ length: 100 }, (_, at) => toRequest(first + at));
    take({ kind: 'requests', requests });
  }
  await expect.poll(async () => (await readIds()).at(-1)).toBe('request-2999');
  expect((await readIds())[0]).toBe('request-2000');
  const long = 'select '.repeat(10_000);
  const requests = Array.from({ length: 100 }, (_, at) => toRequest(3000 + at, long));
  take({ kind: 'requests', requests });
  await expect.poll(async () => (await readIds()).at(-1)).toBe('request-3099');
  // 28 of 70,000 characters.
  expect(await readIds()).toHaveLength(28);
  await end();
  expect(await readDevJournal(root, ownProcessId)).toEqual([]);
});
