import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import CallScreen from '../../../source/call/call-screen.tsx';
import { textWidth } from '../../../source/kit/text.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { allWindowSizes } from '../../helpers/window-sizes.ts';

const wide = z.object(
  Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`field${index}`, z.string().describe('A long note')]),
  ),
);
const address = z.object({ street: z.string(), city: z.string().default('Paris') });
const mustBeUser = defineGuard(() => {}, {
  name: 'mustBeUser',
  security: { type: 'http', scheme: 'bearer' },
});
const mustHaveKey = defineGuard(() => {}, {
  name: 'mustHaveKey',
  security: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
});
const shop = {
  items: {
    listItems: capability(() => []),
    getItem: capability(z.object({ id: z.string() }), () => null),
    createItem: capability(wide, () => null),
    replaceItem: capability(
      z.object({ address, size: z.enum(['s', 'l']).default('s'), isNew: z.boolean() }),
      () => null,
    ),
    sortItems: capability(z.array(z.string()), () => null),
    sendItem: capability(
      z.object({ to: address.extend({ zip: z.string() }).optional() }),
      () => null,
    ),
  },
  users: {
    getMe: capability(() => null)
      .guard(mustBeUser)
      .guard(mustHaveKey),
  },
};

let screen: RenderedScreen;
afterEach(() => screen.unmount());

/** In a folder of its own: the process that validates has nothing to load there. */
async function load(): Promise<Manifest> {
  const manifest = await toTestManifest(shop);
  return { ...manifest, project: { ...manifest.project, root: await temporaryFolder() } };
}

function open(
  key: string,
  options: Partial<Parameters<typeof renderScreen>[1]> = {},
): RenderedScreen {
  screen = renderScreen(CallScreen, { route: { screen: 'call', key }, ...options });
  return screen;
}

async function openLoaded(key: string, options: Partial<Parameters<typeof renderScreen>[1]> = {}) {
  open(key, options).load(await load());
  await screen.waitFor('No call yet');
  return screen;
}

/** A server that answers every request alike; gives its port. */
async function serve(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

const down = '\u001B[B';
/** Opens the list of targets, and chooses the one behind that of the form. */
const targetKey = '\u0014\r';
const enter = '\r';

async function callServer(
  key: string,
  { status, body }: { readonly status: number; readonly body: unknown },
) {
  const port = await serve(status, typeof body === 'string' ? body : JSON.stringify(body));
  await openLoaded(key, { environment: { PORT: port } });
  screen.press(targetKey);
  await screen.waitFor(`http://localhost:${port}`);
  screen.press(enter);
  return screen.waitFor(new RegExp(`── ${status} `));
}

describe('states of the form', () => {
  it('says that it loads until the capability is there', async () => {
    await open('items.getItem').waitFor('Loading the project');
    screen.load(await load());
    await screen.waitFor(/❯ id\*/);
  });

  it('says that a capability takes no input', async () => {
    const frame = (await openLoaded('items.listItems')).frame();
    expect(frame).toMatch(/GET \/items +in this process +It takes no input\./);
    expect(frame).toMatch(/❯ headers +not set/);
  });

  it('has one field', async () => {
    expect((await openLoaded('items.getItem')).frame()).toMatch(/❯ id\* +· +string/);
  });

  it('has many fields, and scrolls to the one that is filled in', async () => {
    await openLoaded('items.createItem');
    expect(screen.frame()).not.toContain('field39');
    screen.press('\u001B[A\u001B[A');
    expect(await screen.waitFor(/❯ field39\*/)).not.toContain('field0*');
  });

  it('has groups, pickers and toggles, with their defaults', async () => {
    const frame = (await openLoaded('items.replaceItem')).frame();
    expect(frame).toMatch(/address\* +object/);
    expect(frame).toMatch(/❯ +street\* +· +string/);
    expect(frame).toMatch(/city +"Paris" +string/);
    expect(frame).toMatch(/size +< "s" > +'s' \| 'l'/);
    expect(frame).toMatch(/isNew\* +< not set > +boolean/);
  });

  it('shows and requires the fields of an object that may be left out once it is there', async () => {
    const frame = (await openLoaded('items.sendItem')).frame();
    expect(frame).toMatch(/❯ to +not set +object[^]*Space fill in/);
    expect(frame).not.toContain('street');
    screen.press(' ');
    await screen.waitFor(/to +\{ \} +object[^]*street\* +·[^]*zip\* +·/);
    screen.press('\u001B[B');
    await screen.waitFor(/❯ +street\* /);
    screen.press('x');
    await screen.waitFor(/❯ +street\* +x/);
    screen.press('\u001B[A');
    await screen.waitFor(/❯ to /);
    screen.press('\u007F');
    expect(await screen.waitFor(/to +not set/)).not.toContain('street');
  });

  it('asks for the items of an input that is a list', async () => {
    await openLoaded('items.sortItems');
    screen.press('+');
    await screen.waitFor('[1 item]');
    screen.press('b');
    await screen.waitFor(/❯ +1 +b/);
    screen.press('\u001Bia');
    await screen.waitFor(/❯ +2 +a/);
    screen.press('\u001By');
    await expect
      .poll(() => screen.written())
      .toBe(`copied: ${JSON.stringify(['b', 'a'], undefined, 2)}\n`);
  });

  it('shows the help by its letter once the answer has the keys', async () => {
    await openLoaded('items.getItem');
    screen.press('?');
    await screen.waitFor(/❯ id\* +\?/);
    screen.press('\u000F');
    await screen.waitFor('? help');
    screen.press('?');
    await screen.waitFor('an action, a screen or a capability');
  });

  it('says that there is no such capability', async () => {
    open('items.getIten').load(await load());
    await screen.waitFor('items.getIten');
    expect(screen.frame()).not.toContain('No call yet');
  });

  it('keeps what was typed under the reason why the newest code cannot be loaded', async () => {
    await openLoaded('items.getItem');
    screen.press('Tea');
    await screen.waitFor(/id\* +Tea/);
    screen.fail({ code: 'BuildFailed', message: 'src/a.ts:1:2: Unexpected "="' });
    expect(await screen.waitFor('Unexpected "="')).toMatch(/id\* +Tea/);
  });
});

describe('headers', () => {
  it('asks for those that the guards look at, masks them, and copies none', async () => {
    await openLoaded('users.getMe', { columns: 120 });
    expect(screen.frame()).toMatch(
      /headers +\[2 items\] +for mustBeUser, mustHaveKey[^]*❯ +1 +authorization: /,
    );
    screen.press(`Bearer abc${down}k-1`);
    await screen.waitFor(/2 +x-api-key: \*\*\* /);
    screen.press('\u001Bi');
    await screen.waitFor('[3 items]');
    screen.press('Accept: text/plain');
    const frame = await screen.waitFor(/3 +Accept: text\/plain/);
    expect(frame).toMatch(/1 +authorization: /);
    expect(frame).not.toContain('k-1');
    screen.press('\u0019');
    await expect
      .poll(() => screen.written())
      .toBe(
        `copied: curl 'http://localhost:3000/users/me' -H 'authorization: '"$AUTHORIZATION" -H 'x-api-key: '"$X_API_KEY" -H 'accept: text/plain'\n`,
      );
    screen.press('\u001Bl');
    await screen.waitFor(/❯ +1 +authorization: Bearer \*\*\* /);
  });

  it('takes those of a recorded request and its server along, masked, and keeps them for no other call', async () => {
    const seen: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      seen.push(headers.authorization, headers['x-tenant']);
      response.end('{}');
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    const headers = { authorization: 'Bearer abc', 'x-tenant': 'north' };
    const route = {
      screen: 'call',
      key: 'users.getMe',
      input: '{}',
      headers,
      server: url,
    } as const;
    open('users.getMe', { route, columns: 120 }).load(await load());
    expect(await screen.waitFor(`dev ${url}`)).toMatch(
      /authorization: Bearer \*\*\* [^]*x-tenant: north/,
    );
    screen.press('\u0019');
    await expect
      .poll(() => screen.written())
      .toBe(
        `copied: curl '${url}/users/me' -H 'authorization: '"$AUTHORIZATION" -H 'x-tenant: north'\n`,
      );
    await screen.waitFor('── 200 ');
    expect(seen).toEqual(['Bearer abc', 'north']);
    expect(screen.frame()).not.toContain('abc');
  });
});

describe('states of the answer', () => {
  it('shows an answer without anything in it', async () => {
    expect(await callServer('items.listItems', { status: 200, body: { data: [] } })).toContain(
      'data: [0]',
    );
  });

  it('shows one value', async () => {
    await callServer('items.listItems', { status: 200, body: { data: ['Pen'] } });
    await screen.waitFor('0: "Pen"');
  });

  it('shows many, no more at once than there is room for', async () => {
    const data = Array.from({ length: 20_000 }, (_, index) => ({ name: `item ${index}` }));
    await callServer('items.listItems', { status: 200, body: { data } });
    await screen.waitFor(/name *\n[^\n]*item 0 /);
    screen.press('\u000FG');
    await screen.waitFor(/… and 19000 more, which the pager shows *\n[^]*▸ headers/);
    expect(screen.lines()).toHaveLength(24);
    screen.press('t');
    await screen.waitFor('… and 19000 more');
    screen.press('g');
    await screen.waitFor('name: "item 0"');
  });

  it('sorts a table by a field, and says where there is none of this name', async () => {
    const data = ['Pen', 'Ink', 'Cup'].map((name, price) => ({ name, price }));
    await callServer('items.listItems', { status: 200, body: { data } });
    await screen.waitFor(/Pen[^]*Ink[^]*Cup/);
    screen.press('\u000FS');
    await screen.waitFor('Sort by');
    screen.press('na\r');
    await screen.waitFor(/name↑[^]*Cup[^]*Ink[^]*Pen/);
    screen.press('S');
    await screen.waitFor('Sort by');
    screen.press('-price\r');
    await screen.waitFor(/price↓[^]*Cup[^]*Ink[^]*Pen/);
    screen.press('S');
    await screen.waitFor('Sort by');
    screen.press('size\r');
    await screen.waitFor('No field begins with size');
    screen.press('S');
    await screen.waitFor('Sort by');
    screen.press('\r');
    await screen.waitFor(/name +price[^]*Pen[^]*Ink[^]*Cup/);
  });

  it('shows what is wrong, and what is no JSON as text without its escape sequences', async () => {
    const frame = await callServer('items.listItems', {
      status: 502,
      body: '\u001B[31mBad gateway\u001B[0m',
    });
    expect(frame).toContain('Bad gateway');
    expect(frame).not.toContain('\u001B');
  });

  it('says why there is no answer', async () => {
    await openLoaded('items.listItems', { environment: { PORT: '1' } });
    screen.press('\u0014');
    const targets = await screen.waitFor('http://localhost:1  nothing answers');
    expect(targets).toMatch(/● in this process\n❯ . http:.*asks before it changes data/);
    screen.press('\u001B');
    expect(await screen.waitFor('No call yet')).toContain('in this process');
    screen.press(targetKey);
    await screen.waitFor('http://localhost:1');
    screen.press(enter);
    expect(await screen.waitFor('No answer')).toMatch(/fetch failed|ECONNREFUSED|bad port/);
  });

  it('opens a long text, and calls nothing by Enter', async () => {
    const text = `${'long '.repeat(60)}end\nlast line`;
    await callServer('items.listItems', { status: 200, body: { data: text } });
    expect(screen.frame()).not.toContain('last line');
    screen.press('\u000Fj\r');
    await screen.waitFor(/end *\n +last line/);
    screen.press('\r');
    await screen.waitUntilGone('last line');
  });

  it('copies a part of the answer', async () => {
    await callServer('items.listItems', { status: 200, body: { data: { name: 'Pen' } } });
    screen.press('\u000Fjjy');
    await expect.poll(() => screen.written()).toBe('copied: "Pen"\n');
  });
});

const answerKey = '\u000F';

describe('the parts of an answer', () => {
  it('are body, headers and what was printed, and the size stands in the head', async () => {
    await callServer('items.listItems', { status: 200, body: '{"data":[1,\n2]}' });
    expect(screen.frame()).toMatch(
      /── 200 {2}[\d.]+ m?s {2}15 B[^]*▾ body {2}\{1\}[^]*data: \[2\][^]*▸ headers {2}\d/,
    );
    screen.press(`${answerKey}G${enter}`);
    await screen.waitFor(/date: .* GMT/);
  });

  it('are cut where they are large, with a word about it', async () => {
    const data = Array.from({ length: 1500 }, (_, index) => index);
    await callServer('items.listItems', { status: 200, body: { data } });
    screen.press(`${answerKey}G`);
    await screen.waitFor('… and 500 more, which the pager shows');
  });

  it('narrows the answer by a query while it is typed, and copies what it finds', async () => {
    const body = {
      data: [
        { name: 'Pen', price: 2 },
        { name: 'Ink', price: 12 },
      ],
    };
    await callServer('items.listItems', { status: 200, body });
    screen.press(`${answerKey}$`);
    await screen.waitFor('Enter keep');
    screen.press('.data[?@.price>10');
    await screen.waitFor('not complete yet');
    screen.press('].name\r');
    await screen.waitFor('1 found');
    await screen.waitFor(/❯ +body {2}"Ink"/);
    expect(screen.frame()).not.toContain('Pen');
    screen.press('y');
    await expect.poll(() => screen.written()).toBe('copied: "Ink"\n');
    screen.press('\u001B');
    await screen.waitFor('Pen');
  });

  it('is written to a file, but not over one without a yes', async () => {
    const workingDirectory = await temporaryFolder();
    await writeFile(join(workingDirectory, 'answer.json'), 'mine');
    const port = await serve(200, '{"data":1}');
    await openLoaded('items.listItems', { environment: { PORT: port }, workingDirectory });
    screen.press(targetKey);
    await screen.waitFor(`http://localhost:${port}`);
    screen.press(enter);
    await screen.waitFor(/── 200 /);
    screen.press(`${answerKey}w`);
    await screen.waitFor('Write to answer.json');
    screen.press(enter);
    await screen.waitFor('answer.json exists.');
    expect(await readFile(join(workingDirectory, 'answer.json'), 'utf8')).toBe('mine');
    screen.press('y');
    await screen.waitFor('Wrote answer.json');
    expect(await readFile(join(workingDirectory, 'answer.json'), 'utf8')).toBe(
      '{\n  "data": 1\n}\n',
    );
  });

  it('opens in the pager', async () => {
    await callServer('items.listItems', { status: 200, body: { data: 1 } });
    screen.press(`${answerKey}o`);
    const file = { name: 'answer.json', text: '{\n  "data": 1\n}\n' };
    await expect.poll(() => screen.edited).toEqual([file]);
  });

  it('says that it is for another input, once the form says something else', async () => {
    const port = await serve(200, '{"data":1}');
    await openLoaded('items.getItem', { environment: { PORT: port } });
    screen.press(targetKey);
    await screen.waitFor(`http://localhost:${port}`);
    screen.press(`7${enter}`);
    await screen.waitFor(/── 200 /);
    expect(screen.frame()).not.toContain('for another input');
    screen.press('8');
    await screen.waitFor('for another input');
  });
});

describe('saved calls', () => {
  it('are written from the form, and filled in after what they need', async () => {
    const port = await serve(200, '{"data":{"id":"7","name":"Pen"}}');
    const manifest = await load();
    const { root } = manifest.project;
    open('items.getItem', { environment: { PORT: port }, workingDirectory: root }).load(manifest);
    await screen.waitFor('No call yet');
    screen.press(targetKey);
    await screen.waitFor(`http://localhost:${port}`);
    screen.press(`1${enter}`);
    await screen.waitFor(/── 200 /);
    screen.press('\u001Bs');
    await screen.waitFor('Save as getItem');
    screen.press(enter);
    await screen.waitFor('Wrote calls/getItem.json');
    const file = join(root, 'calls', 'getItem.json');
    const body = { data: { id: '7', name: 'Pen' } };
    const saved = { call: 'items.getItem', input: { id: '1' }, expect: { status: 200, body } };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(saved);

    const chained = { ...saved, input: { id: '{{getItem.id}}' }, expect: { status: 200 } };
    await writeFile(join(root, 'calls', 'next.json'), JSON.stringify(chained));
    screen.unmount();
    open('items.getItem', { environment: { PORT: port }, workingDirectory: root }).load(manifest);
    await screen.waitFor('No call yet');
    screen.press(targetKey);
    await screen.waitFor(`http://localhost:${port}`);
    screen.press('\u0012');
    await screen.waitFor('@next  {"id":"{{getItem.id}}"}');
    screen.press(`j${enter}`);
    await screen.waitFor(/❯ id\* +7 /);
  });
});

describe('sizes', () => {
  it.each(allWindowSizes)('fills a window of %i by %i and no more', async (columns, rows) => {
    await openLoaded('items.createItem', { columns, rows });
    expect(screen.lines()).toHaveLength(rows);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(columns);
    expect(screen.frame()).not.toContain('\u001B');
  });

  it('says in full right below a field what does not fit beside it', async () => {
    await openLoaded('items.createItem', { columns: 40, rows: 20 });
    expect(screen.frame()).toMatch(/❯ field0\* .*… ┃\n {2}string, A long note .*\n {2}field1\*/);
  });

  it('leaves room between a note and the answer', async () => {
    await openLoaded('items.createItem', { columns: 100 });
    expect(screen.lines().filter((line) => /[^ ]│/.test(line))).toEqual([]);
  });

  it('needs no sign beyond ASCII where the terminal has none', async () => {
    expect(
      (await openLoaded('items.createItem', { environment: { TERM: 'linux' } })).frame(),
    ).toMatch(/^[\u0020-\u007E\n]*$/);
  });
});
