import { readFile } from 'node:fs/promises';
import type { Project } from '../../manifest/project.ts';

/** The line that the capabilities file lacks to read the folder beside it; undefined where it reads it. */
export async function findMissingLine({ configFile }: Project): Promise<string | undefined> {
  const reads = /['"]\.\/capabilities(\/[^'"]*)?['"]/.test(await readFile(configFile, 'utf8'));
  return reads ? undefined : "export * as capabilities from './capabilities/index.js';";
}
