import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { writeProject } from '../bench/types/write-project.mjs';
import { compilers } from '../helpers/compile-types.ts';

const OPERATIONS = 40;

/** How many types the compiler makes of generic ones in a project of this kind: the same number on every machine. */
async function countInstantiations(kind: Parameters<typeof writeProject>[0]): Promise<number> {
  const folder = writeProject(kind, OPERATIONS);
  const args = [compilers['TypeScript 7'], '-p', folder, '--extendedDiagnostics', '--singleThreaded'];
  const { stdout } = await execa(process.execPath, args);
  await rm(folder, { recursive: true });
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
}

it('costs the compiler at most 1.6 times what its schemas alone cost, with server, call and client', async () => {
  const schemas = await countInstantiations('schemas');
  expect(schemas).toBeGreaterThan(10_000);
  expect((await countInstantiations('capix + client')) / schemas).toBeLessThanOrEqual(1.6);
});
