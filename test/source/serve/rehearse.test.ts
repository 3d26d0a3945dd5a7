import { expect, it, vi } from 'vitest';
import * as zod from 'zod';
import * as capix from '../../../server-runtime/index.ts';
import { rehearse } from '../../../source/serve/preload.ts';

it('answers every request of the rehearsal, prints nothing and leaves nothing open', async () => {
  const open = countServers();
  const statuses: number[] = [];
  const createServer = (options: capix.ServerOptions) =>
    capix.createServer({
      ...options,
      hooks: { onResponse: ({ status }) => void statuses.push(status) },
    });
  const write = vi.spyOn(process.stdout, 'write');
  await rehearse([zod, { ...capix, createServer }]);
  expect(statuses).toEqual([200, 200, 200]);
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
  await expect.poll(countServers).toBe(open);
});

it('does nothing where the code uses no capix', async () => {
  const open = countServers();
  await rehearse([zod]);
  await expect.poll(countServers).toBe(open);
});

function countServers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
}
