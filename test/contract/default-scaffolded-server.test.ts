import { beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, readAnswer } from '../helpers/ask.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { cliEntry } from '../helpers/run-capix.ts';
import { scaffold } from '../helpers/scaffold.ts';
import { type RunningProject, startProject } from '../helpers/start-project.ts';

let folder: string;
let project: RunningProject;
beforeAll(async () => {
  folder = await scaffold();
  project = await startProject(folder);
});

async function get(path: string, init?: RequestInit) {
  const { status, body } = await readAnswer(await fetch(project.url + path, init));
  return { status, body };
}

describe('a scaffolded server', () => {
  it('prints a start line, then its routes: getItem, listItems, createItem of items', async () => {
    await project.dev.waitFor(/items\.createItem\n/);
    expect(project.dev.output().split('\n').slice(0, 5)).toEqual([
      `[capix] Server started on ${project.url}`,
      '[capix] Routes:',
      '  GET   /items/:id  items.getItem',
      '  GET   /items      items.listItems',
      '  POST  /items      items.createItem',
    ]);
  });

  it('serves on port 3000 where PORT does not say another', async () => {
    const dev = startInBackground([process.execPath, cliEntry, 'dev'], { cwd: folder });
    // Another program of this machine may have the port: then it is the one that is asked for.
    await dev.waitFor(/Server started on http:\/\/localhost:3000\n|port 3000 is (?:taken|in use)/i);
    await dev.stop();
  });

  it('GET /items is an empty list at first', async () => {
    expect(await get('/items')).toEqual({ status: 200, body: { data: [] } });
  });

  it('POST /items with a name is the new item, with its id', async () => {
    expect(await get('/items', { method: 'POST', ...jsonBody({ name: 'Tea' }) })).toEqual({
      status: 200,
      body: { data: { id: '1', name: 'Tea' } },
    });
    expect((await get('/items')).body).toEqual({ data: [{ id: '1', name: 'Tea' }] });
  });

  it('GET /items/:id is the item', async () => {
    expect(await get('/items/1')).toEqual({
      status: 200,
      body: { data: { id: '1', name: 'Tea' } },
    });
  });
});
