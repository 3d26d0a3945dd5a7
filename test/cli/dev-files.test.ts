import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { devProject, textFile, textServer } from '../helpers/dev-project.ts';
import { exhaustedInotify } from '../helpers/exhausted-inotify.ts';
import { type DevDocument, type OpenDevJson, openDev, openDevJson } from '../helpers/open-dev.ts';
import { cliEntry } from '../helpers/run-capix.ts';
import { writeTree } from '../helpers/scaffold.ts';

describe('a file that is replaced by renaming another over it', () => {
  it('2,000 times at random distances does not end capix dev, and the last one is served', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    const url = await dev.url();
    let hasEnded = false;
    void dev.ended.then(() => {
      hasEnded = true;
    });
    for (let save = 1; save <= 2_000 && !hasEnded; save++) {
      await saveByRenaming(
        join(folder, 'src/text.ts'),
        textFile(`save ${save}`),
        Math.random() < 0.3 ? 0 : 4,
      );
    }
    expect(dev.stderr()).toBe('');
    await expect.poll(() => getText(url)).toBe('save 2000');
  });
});

describe('saves that each come while the server starts', () => {
  it('are not taken for what the server writes itself: the last one is served', async () => {
    const slowText = (text: string) =>
      `console.log('begun ${text}'); await new Promise((go) => setTimeout(go, 200)); ${textFile(text)}`;
    const folder = await devProject({ 'src/text.ts': slowText('save 0') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    await writeTree(folder, { 'src/text.ts': slowText('save 1') });
    for (let save = 2; save <= 6; save++) {
      await dev.waitFor('output', ({ line }) => line === `begun save ${save - 1}`);
      await writeTree(folder, { 'src/text.ts': slowText(`save ${save}`) });
    }
    await expect.poll(() => getText(url)).toBe('save 6');
  });
});

describe('a start that writes files', () => {
  const writing = `
    import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
    appendFileSync('data.sqlite', 'x');
    appendFileSync('startup.log', 'x');
    mkdirSync('src/state', { recursive: true });
    writeFileSync('src/state/last.json', String(Math.random()));
    writeFileSync('src/' + Math.random() + '.tmp', '');`;

  it('is done once for each save, whether it fails or succeeds', async () => {
    const folder = await devProject({
      'src/text.ts': `${writing} throw new Error('no database'); ${textFile('one')}`,
    });
    const dev = openDevJson(folder);
    expect(await dev.waitFor('failed')).toMatchObject({
      error: { message: expect.stringMatching(/no database$/) },
    });
    for (let save = 1; save <= 5; save++) {
      await saveText(folder, `${writing} throw new Error('again ${save}'); ${textFile('one')}`);
      await dev.waitFor('failed');
    }
    for (let save = 1; save <= 5; save++) {
      await saveText(folder, `${writing} ${textFile(`save ${save}`)}`);
      const { urls } = await dev.waitFor('ready');
      expect(await getText(urls?.[0] ?? '')).toBe(`save ${save}`);
    }
    expect(startsOf(dev)).toEqual(['start', ...Array<string>(10).fill('src/text.ts')]);
  });

  it('that it imports itself is not done again for what has not changed', async () => {
    const generated = `import { writeFileSync } from 'node:fs'; writeFileSync('src/names.json', '["one"]');
      export { default as names } from './names.json';`;
    const folder = await devProject({
      'src/generated.ts': generated,
      'src/names.json': '["one"]',
      'src/text.ts': `import { names } from './generated.ts'; export const text = () => names[0];`,
    });
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    await writeTree(folder, {
      'src/text.ts': `import { names } from './generated.ts'; export const text = () => names[0] + '!';`,
    });
    expect(await getText((await dev.waitFor('ready')).urls?.[0] ?? '')).toBe('one!');
    await saveText(folder, textFile('two'));
    await dev.waitFor('ready');
    expect(startsOf(dev)).toHaveLength(3);
  });

  it('that it imports itself when it ends, as it was, is not done again for that', async () => {
    const ending = (text: string) => `
      import { writeFileSync } from 'node:fs';
      import seed from './seed.json';
      process.once('SIGTERM', () => { writeFileSync('src/seed.json', '0'); process.exit(); });
      export const text = () => '${text}' + typeof seed;`;
    const folder = await devProject({ 'src/seed.json': '0', 'src/text.ts': ending('one ') });
    const dev = openDevJson(folder);
    const url = await dev.url();
    for (const text of ['two ', 'three ', 'four ']) {
      await saveText(folder, ending(text));
      await dev.waitFor('ready');
      expect(await getText(url)).toBe(`${text}number`);
    }
    expect(startsOf(dev)).toEqual(['start', 'src/text.ts', 'src/text.ts', 'src/text.ts']);
  });
});

describe('files that are no code', () => {
  it('are written ten times a second, and saves of code are all that restarts the server', async () => {
    const writing = `
      import { writeFileSync } from 'node:fs';
      let count = 0;
      setInterval(() => {
        for (const file of ['data.sqlite', 'data.sqlite-wal', 'src/data.sqlite', 'src/data.json', 'package.log'])
          writeFileSync(file, count % 2 === 0 ? '' : String(count));
        count += 1;
        if (count % 10 === 0) console.log('written');
      }, 100);`;
    const folder = await devProject({ 'src/text.ts': `${writing} ${textFile('one')}` });
    const dev = openDevJson(folder);
    const url = await dev.url();
    await dev.waitFor('output', ({ line }) => line === 'written');
    await saveText(folder, 'export const = 1;');
    await dev.waitFor('failed');
    await dev.waitFor('output', ({ line }) => line === 'written');
    await saveText(folder, textFile('mended'));
    await dev.waitFor('ready');
    expect(await getText(url)).toBe('mended');
    expect(startsOf(dev)).toEqual(['start', 'src/text.ts', 'src/text.ts']);
  });

  it('are the log of capix dev itself, where its output goes into the project', async () => {
    const folder = await devProject({
      'src/text.ts': `throw new Error('no database'); ${textFile('one')}`,
    });
    const log = () => readFile(join(folder, 'dev.log'), 'utf8').catch(() => '');
    const shell = startInBackground(
      [
        '/bin/sh',
        '-c',
        'exec "$0" "$1" dev --plain --port 0 > dev.log 2>&1',
        process.execPath,
        cliEntry,
      ],
      { cwd: folder },
    );
    for (let save = 1; save <= 5; save++) {
      await expect.poll(log).toMatch(/Waiting for a change\.\n$/);
      await saveText(folder, `throw new Error('again ${save}'); ${textFile('one')}`);
      await expect.poll(log).toContain(`again ${save}`);
    }
    await saveText(folder, textFile('mended'));
    await expect.poll(log).toContain('Server started on');
    await shell.stop('SIGTERM');
    expect((await log()).match(/cannot start/g)).toHaveLength(6);
  });
});

describe('what was missing', () => {
  const missing = [
    [`export { text } from './more/text.ts';`, 'src/more/text.ts'],
    // Without its extension.
    [`export { text } from './other/text';`, 'src/other/text.ts'],
    [`export { text } from './third';`, 'src/third/index.ts'],
    // Behind an alias of tsconfig.json.
    [`export { text } from '@lib/text';`, 'src/lib/text.ts'],
    // Outside the folder of the entry.
    [`export { text } from '../lib/text.ts';`, 'lib/text.ts'],
    // Read when the code starts.
    [
      `import { readFileSync } from 'node:fs';
       const text_ = readFileSync('config/greeting.txt', 'utf8').split('"')[1]; export const text = () => text_;`,
      'config/greeting.txt',
    ],
  ] as const;

  it('starts the server when it is there: a file, wherever it is and however it is imported or read', async () => {
    const [[first]] = missing;
    const folder = await devProject({
      'tsconfig.json': '{"compilerOptions": {"paths": {"@lib/*": ["./src/lib/*"]}}}',
      'lib/other.ts': '',
      'config/other.txt': '',
      'src/text.ts': first,
    });
    const dev = openDevJson(folder);
    for (const [text, file] of missing) {
      if (text !== first) await saveText(folder, text);
      await dev.waitFor('failed');
      await writeTree(folder, { [file]: textFile(`there: ${file}`) });
      const { urls } = await dev.waitFor('ready');
      expect(await getText(urls?.[0] ?? '')).toBe(`there: ${file}`);
    }
    const saves = missing.flatMap(([, file]) => ['src/text.ts', file]);
    // The system may tell of a file once more while the next save is written, and the build of that is then told under its name.
    const starts = startsOf(dev).filter(
      (file, at, all) => file === 'src/text.ts' || all.indexOf(file) === at,
    );
    expect(starts).toEqual(['start', ...saves.slice(1)]);
  });

  it('starts the server when it is there: the entry', async () => {
    const folder = await devProject();
    const dev = openDevJson(folder);
    await dev.waitFor('ready');
    await rename(join(folder, 'src/server.ts'), join(folder, 'src/other.ts'));
    await dev.waitFor('failed');
    await writeTree(folder, {
      'src/server.ts': textServer['src/server.ts'],
      'src/text.ts': textFile('back'),
    });
    await dev.waitFor('ready');
  });
});

describe('a system without file watches', () => {
  it.each([
    ['ENOSPC', 0, 'max_user_watches=524288'],
    ['ENOSPC', 2, 'max_user_watches=524288'],
    ['EMFILE', 0, 'max_user_instances=1024'],
  ] as const)(
    '(%s after %i) is polled, and one line says what to set',
    async (code, paths, setting) => {
      const folder = await devProject();
      const dev = openDev(folder, ['--port', '0'], exhaustedInotify(code, paths));
      const line = await dev.waitForLine(
        /^\[capix\] The system has no file watch(es|ers) left, so files are polled/,
      );
      if (process.platform === 'linux') expect(line).toContain(`sudo sysctl fs.inotify.${setting}`);
      const url = (await dev.waitForLine(/started on/)).replace(/.* on /, '');
      for (const text of ['two', 'three']) {
        await saveByRenaming(join(folder, 'src/text.ts'), textFile(text), 0);
        await dev.waitForLine(/src\/text\.ts changed, reloaded/);
        expect(await getText(url)).toBe(text);
      }
      await writeTree(folder, { 'src/text.ts': `export { text } from './more.ts';` });
      await dev.waitForLine(/Could not resolve/);
      await writeTree(folder, { 'src/more.ts': textFile('more') });
      // A poll may tell of the save before once more, and the build of that is told under its name.
      await dev.waitForLine(/src\/(?:more|text)\.ts changed, reloaded/);
      expect(await getText(url)).toBe('more');
      expect(dev.stderr().match(/polled/g)).toHaveLength(1);
    },
  );

  it('is told as a document with --json', async () => {
    const dev = openDevJson(await devProject(), [], exhaustedInotify('ENOSPC', 0));
    expect(await dev.waitFor('watch-trouble')).toMatchObject({
      code: 'FilesPolled',
      message: 'The system has no file watches left, so files are polled for changes.',
      hint: expect.stringContaining('Raise the limit: '),
    });
    await dev.waitFor('ready');
  });
});

/** What each start was for: `start`, or the file that changed. */
function startsOf(dev: OpenDevJson): readonly string[] {
  return dev
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{"event":"starting"'))
    .map((line) => (JSON.parse(line) as DevDocument).cause)
    .map((cause) => cause?.files?.join(' ') ?? cause?.kind ?? '');
}

/** As `capix generate` and many editors save; the other file lies there for up to `lyingMs`. */
async function saveByRenaming(file: string, text: string, lyingMs: number): Promise<void> {
  const other = `${file.replace(/[^/\\]+$/, '.$&')}.${Math.random().toString(16).slice(2, 10)}.tmp`;
  await writeFile(other, text);
  if (lyingMs > 0) await pause(Math.random() * lyingMs);
  await rename(other, file);
}

/** In one step: a file that is emptied and written a moment later may be two saves on a busy machine. */
async function saveText(folder: string, text: string): Promise<void> {
  await saveByRenaming(join(folder, 'src/text.ts'), text, 0);
}

async function getText(url: string): Promise<unknown> {
  return ((await (await fetch(`${url}/texts`)).json()) as { data: unknown }).data;
}
