import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeServerState } from '../../../source/files/server-state.ts';
import { findServer } from '../../../source/home/use-home-facts.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('asks the host of the address of capix dev, which need not be localhost', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'node_modules'));
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.7', ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const state = { pid: process.pid, startedAt: 0, phase: 'ready' } as const;
  await writeServerState(root, { ...state, urls: [`http://127.0.0.7:${port}/`] });
  expect(await findServer(root, 1)).toMatchObject({ kind: 'dev', answers: true });
  await writeServerState(root, { ...state, urls: [`http://localhost:${port}/`] });
  expect(await findServer(root, 1)).toMatchObject({ kind: 'dev', answers: false });
});
