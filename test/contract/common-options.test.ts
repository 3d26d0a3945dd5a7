import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { packageRoot } from '../helpers/run-capix.ts';

let project: ContractProject;
beforeAll(async () => {
  project = await makeContractProject();
  await project.write({
    'other/caps.ts':
      "import { capability } from 'capix';\nexport const health = capability(() => 'ok');\n",
  });
});

describe('common options', () => {
  it('--config <path> is the capabilities file, src/capabilities.ts by default', async () => {
    expect((await project.capix('list')).stdout).toContain('items.getItem');
    expect((await project.capix('list', '--config', 'other/caps.ts')).stdout).toMatch(
      /^Capabilities \(1\)\n\n {2}health /,
    );
  });

  it('--help is the help of each command, with an example', async () => {
    const files = await readdir(join(packageRoot, 'commands'), { recursive: true });
    const commands = files
      .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
      .map((file) => file.replace(/([\\/]index)?\.ts$/, '').split(/[\\/]/));
    expect(commands).toHaveLength(21);
    const helps = commands.map(async (words) => ({
      words,
      ...(await askCapix([...words, '--help'])),
    }));
    for (const { words, stdout, exitCode } of await Promise.all(helps)) {
      expect({
        words,
        exitCode,
        isHelp: stdout.startsWith(`Usage: capix ${words.join(' ')}`),
      }).toEqual({
        words,
        exitCode: 0,
        isHelp: true,
      });
      expect(stdout).toMatch(/\nExamples?:\n {2}\$ capix /);
    }
  });
});
