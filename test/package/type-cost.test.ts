import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { writeProject } from '../bench/types/write-project.mjs';
import { compilers } from '../helpers/compile-types.ts';

const OPERATIONS = 40;

/** How many types so many checkers make of generic ones in a project of this kind: the same number on every machine. */
async function countInstantiations(kind: Parameters<typeof writeProject>[0], checkers: number): Promise<number> {
  const folder = writeProject(kind, OPERATIONS);
  const args = [compilers['TypeScript 7'], '-p', folder, '--extendedDiagnostics', '--checkers', String(checkers)];
  const { stdout } = await execa(process.execPath, args);
  await rm(folder, { recursive: true });
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
}

it('costs the compiler at most 1.6 times what its schemas alone cost, with server, call and client', async () => {
  const schemas = await countInstantiations('schemas', 1);
  expect(schemas).toBeGreaterThan(10_000);
  expect((await countInstantiations('capix + client', 1)) / schemas).toBeLessThanOrEqual(1.6);
});

it('costs no more where four checkers share the files and the handlers come last', async () => {
  const schemas = await countInstantiations('schemas', 4);
  expect(schemas).toBeGreaterThan(10_000);
  expect((await countInstantiations('capix, handler last', 4)) / schemas).toBeLessThanOrEqual(1.6);
});
