import { chmod, mkdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { devProject, textFile } from '../helpers/dev-project.ts';
import { openDev, openDevJson } from '../helpers/open-dev.ts';
import { openTerminal } from '../helpers/open-terminal.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

describe('the lines of requests', () => {
  it('are one each, without their secrets', async () => {
    const dev = openDev(await devProject(), ['--port', '0']);
    const url = (await dev.waitForLine(/started on/)).replace(/.* on /, '');
    await fetch(`${url}/texts?limit=1&token=topsecret`);
    await fetch(`${url}/nothing`);
    const lines = [await dev.waitForLine(/GET \/texts\?/), await dev.waitForLine(/GET \/nothing/)];
    expect(lines[0]).toMatch(
      /^\[capix\] GET \/texts\?limit=1&token=••• 200 in [\d.]+ m?s {2}texts\.listTexts$/,
    );
    expect(lines[1]).toMatch(/^\[capix\] GET \/nothing 404 in [\d.]+ m?s$/);
  });

  it('are documents with --json, with the id that the caller has', async () => {
    const dev = openDevJson(await devProject());
    const { headers } = await fetch(`${await dev.url()}/texts`);
    expect(await dev.waitFor('request')).toMatchObject({
      method: 'GET',
      url: '/texts',
      capability: 'texts.listTexts',
      status: 200,
      requestId: headers.get('x-request-id'),
    });
  });

  it('are documents with --json, and so is a failure', async () => {
    for (const command of ['dev', 'start']) {
      const { stdout, exitCode } = await runCapix([command, 'nothing.js', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'NoEntry' } });
      expect(stdout.trimEnd()).not.toContain('\n');
      expect(exitCode).toBe(1);
    }
  });

  it('are followed by what a save made worse, until it is mended', async () => {
    const toText = (count: number): string =>
      `import { trace } from 'capix';
       export const text = async () => {
         for (let at = 0; at < ${count}; at += 1) await trace('db', 'select ' + at, async () => {});
         return 'one';
       };`;
    const folder = await devProject({ 'src/text.ts': toText(2) });
    const dev = openDev(folder, ['--port', '0']);
    const url = (await dev.waitForLine(/started on/)).replace(/.* on /, '');
    const ask = async (): Promise<void> => {
      await (await fetch(`${url}/texts`)).text();
      await dev.waitForLine(/GET \/texts 200/);
    };
    await ask();
    for (const [count, told] of [
      [41, /^\[capix\] GET \/texts: queries 2 → 41 since \d\d:\d\d:\d\d$/],
      [3, /^\[capix\] GET \/texts costs no more than before \d\d:\d\d:\d\d\.$/],
    ] as const) {
      await writeTree(folder, { 'src/text.ts': toText(count) });
      await dev.waitForLine(/reloaded in/);
      await ask();
      expect(await dev.waitForLine(/ (since|than before) /)).toMatch(told);
    }
  });

  it('do not come with --no-requests, and nothing looks on at what the server writes', async () => {
    const folder = await devProject({
      'src/text.ts': `
        console.log('tapped: ' + Object.hasOwn(process.stdout, 'write'));
        export const text = () => { console.log('asked'); return 'one'; };`,
    });
    const dev = openDevJson(folder, ['--no-requests']);
    const url = await dev.url();
    await fetch(`${url}/texts`);
    await dev.waitFor('output', ({ line }) => line === 'asked');
    // A reload comes after whatever the request would have told.
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    expect(dev.stdout()).toContain('tapped: false');
    expect(dev.stdout()).not.toContain('"event":"request"');
  });
});

describe('the entry', () => {
  it('is src/server.ts of the project around the working directory', async () => {
    const folder = await devProject();
    const dev = openDevJson(join(folder, 'src'));
    expect((await dev.waitFor('ready')).routes).toMatchObject([{ path: '/texts' }]);
  });

  it('is named where it is missing', async () => {
    const { stderr, exitCode } = await runCapix(['dev'], { cwd: await temporaryFolder() });
    expect(stderr).toMatch(
      /^error: Could not find src\/server\.ts to start\.\n.*capix dev <entry>/,
    );
    expect(exitCode).toBe(1);
  });
});

describe('--open', () => {
  it('opens the browser once, when the server has started', async () => {
    const folder = await devProject();
    const programs = join(folder, 'bin');
    await mkdir(programs);
    const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
    await writeTree(programs, { [opener]: `#!/bin/sh\necho "$@" >> "${folder}/opened.txt"\n` });
    await chmod(join(programs, opener), 0o755);
    const env = { PATH: `${programs}${delimiter}${process.env['PATH']}` };
    const dev = openDevJson(folder, ['--open'], env);
    const url = await dev.url();
    const opened = () => readFile(join(folder, 'opened.txt'), 'utf8').catch(() => '');
    await expect.poll(opened).toBe(`${url}\n`);
    await writeTree(folder, { 'src/text.ts': textFile('two') });
    await dev.waitFor('ready');
    dev.kill('SIGINT');
    await dev.ended;
    expect(await opened()).toBe(`${url}\n`);
  });
});

describe('--plain', () => {
  it('writes lines in a terminal too', async () => {
    const terminal = openTerminal(['dev', '--plain', '--port', '0'], { cwd: await devProject() });
    onTestFinished(() => terminal.close());
    await terminal.waitFor(
      /\[capix\] Server started on http:\/\/localhost:\d+\n\[capix\] Routes:\n {2}GET {3}\/texts/,
    );
    expect(terminal.isAlternate()).toBe(false);
    terminal.type('\u0003');
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
  });
});
