import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerOptions, toSources } from './sources.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
export const root = dirname(dirname(bench));

/** Writes a project of one kind with this many operations. All find the same zod. Gives its folder. */
export function writeProject(kind, count) {
  const folder = mkdtempSync(join(tmpdir(), 'capix-bench-types-'));
  const packages = {
    capix: root,
    zod: join(root, 'node_modules/zod'),
    '@types/node': join(root, 'node_modules/@types/node'),
    '@orpc/server': join(bench, 'node_modules/@orpc/server'),
    '@trpc/server': join(bench, 'node_modules/@trpc/server'),
  };
  for (const [name, target] of Object.entries(packages)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(folder, 'node_modules', name), 'junction');
  }
  for (const [name, text] of Object.entries(toSources(kind, count)))
    writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  );
  return folder;
}
