import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A disk for the bundles of a project that can be full; it then takes a part of each. */
export interface FullDisk {
  /** For the variable `NODE_OPTIONS` of the processes. */
  readonly nodeOptions: string;
  readonly fill: () => Promise<void>;
  /** Resolves when it was tried to write more than once. */
  readonly triedAgain: () => Promise<void>;
  /** Makes room; expects that nothing was left of what could not be written. */
  readonly free: () => Promise<void>;
}

/** `folder`: absolute path of the project. */
export async function openFullDisk(folder: string): Promise<FullDisk> {
  const place = await temporaryFolder();
  const [full, tries, patch] = ['full', 'tries', 'fill.cjs'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  await writeTree(place, {
    'fill.cjs': `
      const fs = require('node:fs');
      const { writeFileSync } = fs;
      fs.writeFileSync = (file, data, ...more) => {
        if (!String(file).includes('.capix') || data.length === 0 || !fs.existsSync(${JSON.stringify(full)})) return writeFileSync(file, data, ...more);
        writeFileSync(file, data.subarray(0, 10));
        fs.appendFileSync(${JSON.stringify(tries)}, 'x');
        throw Object.assign(new Error("ENOSPC: no space left on device, open '" + file + "'"), { code: 'ENOSPC' });
      };
      require('node:module').syncBuiltinESMExports();`,
  });
  const bundles = async () =>
    (await readdir(join(folder, 'node_modules/.capix'))).filter((name) => name.endsWith('.mjs'));
  return {
    nodeOptions: `--require=${patch}`,
    fill: () => writeTree(place, { full: '', tries: '' }),
    triedAgain: () => expect.poll(async () => (await readFile(tries, 'utf8')).length).toBeGreaterThan(1),
    free: async () => {
      // A part that was written would keep the disk full.
      await expect.poll(bundles).toEqual([]);
      await rm(full);
    },
  };
}
