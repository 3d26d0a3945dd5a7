import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { writeProject } from '../bench/types/write-project.mjs';
import { compilers } from '../helpers/compile-types.ts';

const OPERATIONS = 40;

/** How many types so many checkers make of generic ones in a project of this kind: the same number on every machine. */
async function countInstantiations(
  kind: Parameters<typeof writeProject>[0],
  checkers: number,
): Promise<number> {
  const folder = writeProject(kind, OPERATIONS);
  const args = [
    compilers['TypeScript 7'],
    '-p',
    folder,
    '--extendedDiagnostics',
    '--checkers',
    String(checkers),
  ];
  const { stdout } = await execa(process.execPath, args);
  await rm(folder, { recursive: true });
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]);
}

it.each([
  { checkers: 1, short: 1.5, chain: 1.4 },
  { checkers: 4, short: 2.6, chain: 1.7 },
])(
  'costs little beside its schemas alone, with $checkers checkers',
  async ({ checkers, short, chain }) => {
    const schemas = await countInstantiations('schemas', checkers);
    expect(schemas).toBeGreaterThan(10_000);
    const costOf = async (kind: Parameters<typeof writeProject>[0]) =>
      (await countInstantiations(kind, checkers)) / schemas;
    expect(await costOf('capix')).toBeLessThanOrEqual(short);
    expect(await costOf('capix + client')).toBeLessThanOrEqual(short);
    expect(await costOf('capix, handler last')).toBeLessThanOrEqual(chain);
  },
);
