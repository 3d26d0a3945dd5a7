import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, readAnswer } from '../helpers/ask.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { packageRoot, runCapix } from '../helpers/run-capix.ts';
import { readTree, runScript, scaffold, typeErrors } from '../helpers/scaffold.ts';
import { startProject } from '../helpers/start-project.ts';

let folder: string;
let files: Readonly<Record<string, string>>;
let grown: ContractProject;
beforeAll(async () => {
  [folder, grown] = await Promise.all([scaffold(), makeContractProject()]);
  files = Object.fromEntries(
    Object.entries(await readTree(folder)).filter(([path]) => !path.startsWith('node_modules/')),
  );
});

describe('the scaffold', () => {
  it('has its files', () => {
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        ...['context', 'capabilities', 'server', 'capabilities/index'].map(
          (name) => `src/${name}.ts`,
        ),
        ...['index', 'get', 'list', 'create', 'store'].map(
          (name) => `src/capabilities/items/${name}.ts`,
        ),
        'tsconfig.json',
        'package.json',
        '.gitignore',
        '.cursor/rules',
        'AGENTS.md',
        'README.md',
      ]),
    );
  });

  it('has its factories in context.ts, a line for each group and a line for each capability', () => {
    expect(files['src/context.ts']).toMatch(/export const cap =[^]*export const authCap =/);
    expect(files['src/capabilities.ts']).toContain(
      "export * as capabilities from './capabilities/index.ts';",
    );
    expect(files['src/capabilities.ts']).toMatch(
      /export \{ authCap, cap \} from '\.\/context\.ts';/,
    );
    expect(files['src/capabilities/index.ts']).toBe("export * as items from './items/index.ts';\n");
    expect(files['src/capabilities/items/index.ts']).toBe(
      "export { getItem } from './get.ts';\nexport { listItems } from './list.ts';\nexport { createItem } from './create.ts';\n",
    );
  });

  it('passes capix check --strict, tsc --noEmit and its own tests', async () => {
    expect(await typeErrors(folder)).toBe('');
    const { stdout, exitCode } = await runCapix(['check', '--strict'], { cwd: folder });
    expect({ stdout, exitCode }).toEqual({
      stdout: 'No problems in 3 capabilities\n',
      exitCode: 0,
    });
    expect(await runScript(folder, 'test')).toMatchObject({ exitCode: 0 });
  });

  it('depends on the copy of capix that made it, where that is not a release', async () => {
    const { dependencies } = JSON.parse(files['package.json'] ?? '') as {
      dependencies: { capix: string };
    };
    expect(dependencies.capix).toMatch(/^file:/);
    expect(await realpath(join(folder, dependencies.capix.slice('file:'.length)))).toBe(
      await realpath(packageRoot),
    );
  });

  it('has authCap carry its guard, so that nothing declared with it is public by mistake', async () => {
    expect((await grown.capix('list')).stdout).toMatch(/users\.getMe +GET +\/users\/me +1 guard\n/);
  });

  it('gives the first item the id "1", and 404 NotFound for an id that nobody has', async () => {
    const { dev, url } = await startProject(folder);
    expect(await readAnswer(await fetch(`${url}/items/1`))).toMatchObject({
      status: 404,
      body: { error: 'NotFound' },
    });
    const init = { method: 'POST', ...jsonBody({ name: 'Tea' }) };
    expect((await readAnswer(await fetch(`${url}/items`, init))).body).toEqual({
      data: { id: '1', name: 'Tea' },
    });
    await dev.stop();
  });

  it('has a generated capability live at once, in a running dev too', async () => {
    const { dev, url } = await startProject(grown.folder);
    expect((await fetch(`${url}/orders/7`)).status).toBe(404);
    const from = dev.output().length;
    expect(
      (await grown.capix('generate', 'capability', 'orders', 'getOrder', '--input')).exitCode,
    ).toBe(0);
    await dev.waitFor(/GET +\/orders\/:id|orders\.getOrder/, from);
    expect(await (await fetch(`${url}/orders/7`)).json()).toEqual({ data: { id: '7' } });
    await dev.stop();
  });
});
