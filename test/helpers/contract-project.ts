import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askCapix } from './ask-capix.ts';
import type { RunResult } from './run-capix.ts';
import { scaffold, writeTree } from './scaffold.ts';

export interface ContractProject {
  readonly folder: string;
  /** Runs the built tool in the project, without a terminal, in the process of many commands. */
  readonly capix: (...args: readonly string[]) => Promise<RunResult>;
  /** The `data` of a command with `--json`. */
  readonly data: (...args: readonly string[]) => Promise<unknown>;
  readonly read: (path: string) => Promise<string>;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
}

/** A scaffold, and in it `users.getMe` for signed-in users. */
export async function makeContractProject(): Promise<ContractProject> {
  const folder = await scaffold();
  await writeTree(folder, {
    'src/capabilities/index.ts':
      "export * as items from './items/index.ts';\nexport * as users from './users/index.ts';\n",
    'src/capabilities/users/index.ts': "export { getMe } from './get-me.ts';\n",
    'src/capabilities/users/get-me.ts': [
      "import * as z from 'zod';",
      "import { authCap } from '../../context.ts';",
      'export const getMe = authCap(z.object({}), (_input, { user }) => user.id);\n',
    ].join('\n'),
  });
  const capix: ContractProject['capix'] = (...args) => askCapix(args, { cwd: folder });
  return {
    folder,
    capix,
    data: async (...args) =>
      (JSON.parse((await capix(...args, '--json')).stdout) as { readonly data: unknown }).data,
    read: (path) => readFile(join(folder, path), 'utf8'),
    write: (files) => writeTree(folder, files),
  };
}
