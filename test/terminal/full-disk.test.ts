import { expect, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { openFullDisk } from '../helpers/open-full-disk.ts';
import { openTerminal } from '../helpers/open-terminal.ts';

const capabilities = (name: string): string =>
  `import { capability } from 'capix';\nexport const capabilities = { items: { ${name}: capability(() => 1, 'query') } };\n`;

it('a save that a full disk has hindered is on the screen once there is space again', async () => {
  const project = await openProject({ 'src/capabilities.ts': capabilities('listOld') });
  const disk = await openFullDisk(project.root);
  const env = { NODE_OPTIONS: disk.nodeOptions };
  const terminal = openTerminal(['list'], { cwd: project.root, columns: 120, rows: 30, env });
  await terminal.waitFor('items.listOld');
  await disk.fill();
  await project.write('src/capabilities.ts', capabilities('listNew'));
  expect(await terminal.waitFor('no space left')).toContain('tries again by itself');
  await disk.triedAgain();
  await disk.free();
  await terminal.waitFor('items.listNew');
  await terminal.close();
});
