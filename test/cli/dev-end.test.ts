import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { devProject, textFile, textServer } from '../helpers/dev-project.ts';
import { openDevJson, serverProcesses, waitForNoServer } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

describe('the end of capix dev', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('on %s is exit code %i, and no server is left', async (signalName, exitCode) => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    dev.kill(signalName);
    expect(await dev.ended).toMatchObject({ exitCode });
    expect(await serverProcesses(folder)).toEqual([]);
  });

  it('lets the server stop in its own way', async () => {
    const folder = await devProject({
      'src/text.ts': `process.once('SIGTERM', () => { console.log('closing the database'); process.exit(); }); ${textFile('one')}`,
    });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    dev.kill('SIGINT');
    await dev.ended;
    expect(dev.stdout()).toContain('closing the database');
  });

  it('ends a server that does not want to', async () => {
    const folder = await devProject({
      'src/text.ts': `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ${textFile('one')}`,
    });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ exitCode: 130 });
    expect(await serverProcesses(folder)).toEqual([]);
  });

  it('runs no new code where it comes while the version before makes room', async () => {
    const folder = await devProject({
      'src/server.ts': textServer['src/server.ts'].replace(
        'await createServer',
        `process.once('SIGTERM', () => setTimeout(() => process.exit(), 1500));\n    await createServer`,
      ),
      'src/text.ts': `
        console.log('old code');
        export const text = async () => { console.log('asked'); await new Promise(() => {}); };`,
    });
    const dev = openDevJson(folder, ['--stop-first', '--stop-grace', '4']);
    const url = await dev.url();
    const asking = fetch(`${url}/texts`).catch(() => undefined);
    await dev.waitFor('output', ({ line }) => line === 'asked');
    await writeTree(folder, {
      'src/text.ts': `console.log('new code'); await new Promise(() => setInterval(() => {}, 1000)); ${textFile('new')}`,
    });
    await dev.waitFor('starting', ({ cause }) => cause?.kind === 'change');
    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ exitCode: 130 });
    await asking;
    expect(dev.stdout()).not.toContain('new code');
    expect(await serverProcesses(folder)).toEqual([]);
  });

  it('leaves no server when it is killed', async () => {
    const folder = await devProject({
      'src/text.ts': `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ${textFile('one')}`,
    });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    dev.kill('SIGKILL');
    await dev.ended;
    await waitForNoServer(folder);
  });

  it('ends what the server has started, after a reload and at the end', async () => {
    const folder = await devProject();
    const helper = join(folder, 'helper.mjs');
    const starting = (name: string) =>
      `import { spawn } from 'node:child_process';
      spawn(process.execPath, [${JSON.stringify(helper)}, '${name}'], { stdio: 'inherit' });
      export const text = () => '${name}';`;
    await writeTree(folder, {
      'helper.mjs': `console.log('helper ' + process.argv[2]); setInterval(() => {}, 1000);`,
      'src/text.ts': starting('one'),
    });
    const dev = openDevJson(folder);
    await dev.waitFor('output', ({ line }) => line === 'helper one');
    await writeTree(folder, { 'src/text.ts': starting('two') });
    await dev.waitFor('output', ({ line }) => line === 'helper two');
    await expect.poll(() => processesWith(helper)).toEqual([expect.stringMatching(/two$/)]);
    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ exitCode: 130 });
    expect(await processesWith(helper)).toEqual([]);
  });
});

/** Command lines of running processes. */
async function processesWith(text: string): Promise<readonly string[]> {
  const { stdout } = await execa('ps', ['-eo', 'args=']);
  return stdout.split('\n').filter((line) => line.includes(text));
}
