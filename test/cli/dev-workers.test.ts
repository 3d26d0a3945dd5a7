import { expect, it } from 'vitest';
import { devProject } from '../helpers/dev-project.ts';
import { openDevJson } from '../helpers/open-dev.ts';
import { writeTree } from '../helpers/scaffold.ts';

it('runs processes and threads from files in TypeScript, and starts anew when what they are made of changes', async () => {
  const folder = await devProject({
    'src/text.ts': `
      import { fork } from 'node:child_process';
      import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      const ask = async (other, send) => {
        send('hello');
        const [answer] = await once(other, 'message');
        return answer;
      };
      // By its own name, and by the one that it has when it is compiled.
      const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData: 'data' });
      const child = fork('src/child.ts', ['argument']);
      const plain = new Worker(new URL('./plain.mjs', import.meta.url));
      const texts = [
        await ask(thread, (text) => thread.postMessage(text)),
        await ask(child, (text) => child.send(text)),
        await ask(plain, (text) => plain.postMessage(text)),
      ].join(' | ');
      export const text = () => texts;`,
    'src/kind.ts': `export enum Kind { Thread = 'a thread', Child = 'a child' }`,
    'src/thread.ts': `
      import { parentPort, workerData } from 'node:worker_threads';
      import { Kind } from './kind.js';
      parentPort?.once('message', (text: string) => parentPort?.postMessage([Kind.Thread, text, workerData].join(' ')));`,
    'src/child.ts': `
      import { basename } from 'node:path';
      import { Kind } from './kind.ts';
      const [, file = '', ...args]: string[] = process.argv;
      process.once('message', (text) => process.send?.([Kind.Child, text, basename(file), ...args].join(' ')));`,
    'src/plain.mjs': `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => parentPort.postMessage('plain'));`,
  });
  const dev = openDevJson(folder);
  const url = await dev.url();
  const answer = async () =>
    ((await (await fetch(`${url}/texts`)).json()) as { data: string }).data;
  expect(await answer()).toBe('a thread hello data | a child hello child.ts argument | plain');
  await writeTree(folder, {
    'src/kind.ts': `export enum Kind { Thread = 'thread two', Child = 'child two' }`,
  });
  expect((await dev.waitFor('ready')).cause?.files).toEqual(['src/kind.ts']);
  expect(await answer()).toBe('thread two hello data | child two hello child.ts argument | plain');
  await writeTree(folder, {
    'src/plain.mjs': `import { parentPort } from 'node:worker_threads'; parentPort.once('message', () => parentPort.postMessage('plainer'));`,
  });
  expect((await dev.waitFor('ready')).cause?.files).toEqual(['src/plain.mjs']);
  expect(await answer()).toBe(
    'thread two hello data | child two hello child.ts argument | plainer',
  );
  dev.kill('SIGINT');
  await dev.ended;
});
