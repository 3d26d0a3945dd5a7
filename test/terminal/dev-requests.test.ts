import { describe, expect, it } from 'vitest';
import { openDevScreen, openTab } from '../helpers/open-dev-screen.ts';
import { openTalk } from '../helpers/start-web-sockets.ts';

describe('the requests on the dev screen', () => {
  it('counts them by route, and lists and opens them with their secrets masked', async () => {
    const server = `
      import { capability, createServer, restTransport, defineContext, defineGuard } from 'capix';
      import * as z from 'zod';
      const context = defineContext(({ headers }) => ({ user: headers['x-user'] }));
      const mustBeKnown = defineGuard((ctx: { user?: unknown }) => { if (!ctx.user) throw new Error('who?'); }, { name: 'mustBeKnown' });
      const createNote = capability.withContext<{ user?: unknown }>()(z.object({ text: z.string(), password: z.string() }), ({ text }) => { console.log('writing ' + text); return { text }; }).guard(mustBeKnown);
      await createServer({ context, capabilities: { notes: { createNote } }, transports: [restTransport()] }).start();`;
    const { terminal, url } = await openDevScreen({
      files: { 'src/server.ts': server },
      size: [100, 60],
    });
    const headers = {
      'content-type': 'application/json',
      'x-user': 'ada',
      authorization: 'Bearer topsecret',
    };
    const body = JSON.stringify({ text: 'hello', password: 'hunter2' });
    await fetch(`${url}/notes?from=test&api_key=topsecret`, { method: 'POST', headers, body });
    await terminal.waitFor(/POST +\/notes +notes\.createNote +1 +0 %.* 200/);
    await openTab(terminal, '2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor(/x-user: ada/);
    expect(details).toContain('200  POST /notes?from=test&api_key=•••');
    expect(details).toContain('mustBeKnown passed');
    expect(details).toContain('"text": "hello"');
    expect(details).toContain('"password": "•••"');
    expect(details).toContain('authorization: •••');
    expect(details).toContain('writing hello');
    expect(details).toMatch(
      /Headers of the answer[^]*content-type: application\/json[^]*Headers of the request/,
    );
    expect(terminal.output()).not.toMatch(/hunter2|topsecret/);
  });

  it('shows an error with its place in the source', async () => {
    const { terminal, url } = await openDevScreen({
      files: { 'src/text.ts': `export const text = () => {\n  throw new Error('no luck');\n};` },
      size: [100, 40],
      env: {
        VISUAL: `${process.execPath} -e "console.log('edits', ...process.argv.slice(1)); setTimeout(() => {}, 60_000)"`,
      },
    });
    await fetch(`${url}/texts`);
    await terminal.waitFor(/GET +\/texts +texts\.listTexts +1 +100 %/);
    await openTab(terminal, '2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor(/> 2 \| {3}throw new Error\('no luck'\);/);
    expect(details).toMatch(/Error: no luck[^]*src\/text\.ts:2\b/);
    terminal.type('e');
    await terminal.waitFor(/edits .*src\/text\.ts/);
  });

  it('sends a request again, opens the new one with what differs from the old, and copies it as a curl command', async () => {
    const { terminal, url } = await openDevScreen({
      files: { 'src/text.ts': 'let count = 0;\nexport const text = () => `number ${++count}`;' },
      size: [119, 50],
    });
    await fetch(`${url}/texts?a=1`, { headers: { authorization: 'Bearer topsecret' } });
    await openTab(terminal, '2', 'requests 1');
    terminal.type('a');
    await terminal.waitFor(/Sent again: 200/);
    const compared = await terminal.waitFor(/Sent again: 2 lines differ, .* before, .* now/);
    expect(compared).toMatch(/- +"number 1"\n \+ +"number 2"/);
    expect(compared).toContain('[2 requests 2]');
    terminal.type('a');
    await terminal.waitFor(/- +"number 2"\n \+ +"number 3"/);
    terminal.type('\u001B');
    expect(await terminal.waitFor(/Time +Code +Method +Path/)).toContain('[2 requests 3]');
    terminal.type('u');
    await terminal.waitFor('Sent the curl command');
    const copied = /\u001B\]52;c;([^\u0007]+)/.exec(terminal.output())?.[1] ?? '';
    expect(Buffer.from(copied, 'base64').toString()).toMatch(
      new RegExp(`^curl '${url}/texts\\?a=1' .*-H 'authorization: '"\\$AUTHORIZATION"`),
    );
  });

  it('lists a call that did not come over HTTP, and says that it cannot be sent again', async () => {
    const server = `
      import { capability, createServer, restTransport } from 'capix';
      const listTexts = capability(() => ['one']);
      const server = createServer({ capabilities: { texts: { listTexts } }, transports: [restTransport()] });
      await server.start();
      await server.invoke({ capability: 'texts.listTexts' });`;
    const { terminal } = await openDevScreen({ files: { 'src/server.ts': server } });
    await openTab(terminal, '2', 'requests 1');
    await terminal.waitFor(/200 +INVOKE +texts\.listTexts/);
    for (const key of ['y', 'a']) {
      terminal.type(key);
      await terminal.waitFor('This call did not come over HTTP');
    }
  });

  it('shows a connection with its calls, and while it is open, and then who closed it and what it carried', async () => {
    const server = `
      import { capability, createServer, restTransport } from 'capix';
      import { webSocketTransport } from 'capix/websocket';
      const getText = capability(() => 'one');
      const transports = [restTransport({ port: 0 }), webSocketTransport()];
      await createServer({ capabilities: { texts: { getText } }, transports }).start();`;
    const { terminal, url } = await openDevScreen({
      files: { 'src/server.ts': server },
      size: [120, 40],
    });
    const talk = await openTalk(url.replace('http', 'ws'));
    await talk.ask('texts.getText');
    await openTab(terminal, '2', 'requests 2');
    await terminal.waitFor(/200 +WS +texts\.getText[^]*101 +GET +\/_call +open/);
    terminal.type('\r');
    await terminal.waitFor(/Answer[^]*"one"/);
    terminal.type('\u001b');
    await terminal.waitFor((screen) => !screen.includes('Answer'));
    terminal.type('\u001b[B');
    await terminal.waitFor(/❯ 101/);
    terminal.type('\r');
    await terminal.waitFor(/Connection[^]*It is open/);
    talk.webSocket.close(4000, 'That was all');
    const closed = await terminal.waitFor('closed by');
    expect(closed).toMatch(/closed by +the client/);
    expect(closed).toMatch(/code +4000: a code of the application/);
    expect(closed).toMatch(/reason +That was all/);
    expect(closed).toMatch(/open for +[\d.]+ m?s/);
    expect(closed).toMatch(/calls +1\b/);
    expect(closed).toMatch(/messages +1 received, 1 sent/);
    terminal.type('a');
    await terminal.waitFor('This opened a WebSocket, which no request repeats');
    terminal.type('\u001b');
    await terminal.waitFor(/101 +GET +\/_call +[\d.]+ m?s/);
  });

  it('filters them by text and by route', async () => {
    const { terminal, url } = await openDevScreen();
    await fetch(`${url}/texts`);
    await fetch(`${url}/nothing`);
    await openTab(terminal, '2', 'requests 2');
    terminal.type('/404');
    await terminal.waitFor('1 of 2');
    expect(terminal.screen()).not.toMatch(/GET +\/texts/);
  });

  it('shows what was sent where it does not fit, and opens it in call', async () => {
    const { terminal, url } = await openDevScreen({
      files: { 'src/capabilities.ts': notes, 'src/server.ts': notesServer },
      size: [100, 80],
    });
    const body = JSON.stringify({ text: 'hello', size: 'large', token: 'topsecret' });
    const headers = {
      'content-type': 'application/json',
      'x-tenant': 'north',
      cookie: 'sid=topsecret',
    };
    await fetch(`${url}/notes`, { method: 'POST', headers, body });
    await openTab(terminal, '2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor('Input, as it was sent');
    expect(details).toMatch(/400 {2}POST \/notes/);
    expect(details).toMatch(/size: Invalid input: expected number, received string/);
    expect(details).toMatch(/"text": "hello",\n +"size": "large",\n +"token": "•••"/);
    // A window that is back at its size before the tool looks has cut its rows all the same: the signal alone has them drawn anew.
    const { length } = terminal.output();
    process.kill(terminal.pid, 'SIGWINCH');
    await terminal.waitFor(() => terminal.output().slice(length).includes('Input, as it was sent'));
    terminal.resize(40, 12);
    // Drawn anew: what the window has kept of the wider frame has longer rows.
    await terminal.waitFor((screen) => {
      const rows = screen.split('\n');
      return (
        /Esc back .*\? help/.test(screen) &&
        rows.length === 12 &&
        rows.every((row) => row.length <= 40)
      );
    });
    terminal.resize(100, 80);
    await terminal.waitFor(
      (screen) => screen.includes('u curl') && screen.split('\n').length === 80,
    );
    terminal.type('c');
    const form = await terminal.waitFor(/call[^]*large/);
    expect(form).toContain('hello');
    expect(form).toContain(`dev ${url}`);
    expect(form).toContain('x-tenant: north');
    expect(form).toMatch(/cookie: \*{5}/);
    expect(terminal.output()).not.toContain('topsecret');
  });

  it('shows the log lines of a request as the log does, leads from a line of the log back to it, and has no code of capix dev in stacks', async () => {
    const { terminal, url } = await openDevScreen({
      files: {
        'src/text.ts': `
          console.log('not of a request');
          export const text = () => {
            console.log(JSON.stringify({ level: 40, msg: 'pool is full', size: 7 }));
            console.error('on stderr');
            throw new Error('no luck');
          };`,
      },
      size: [119, 80],
    });
    await fetch(`${url}/texts`);
    await openTab(terminal, '2', 'requests 1');
    terminal.type('\r');
    const details = await terminal.waitFor(/Log\n/);
    expect(details).toMatch(
      /Log\n +warn pool is full {2}size=7\n ! on stderr\n ! Error: no luck {2}GET \/texts/,
    );
    expect(details).not.toMatch(/not of a request/);
    terminal.type('\t');
    await terminal.waitFor('[3 logs');
    terminal.type(' /pool\r');
    await terminal.waitFor(/held, \d+ newer[^]*1 of \d/);
    terminal.type('\r');
    await terminal.waitFor('Enter its request');
    terminal.type('\r');
    await terminal.waitFor(/\[2 requests[^]*500 {2}GET \/texts[^]*Log\n/);
    expect(details).toMatch(/Error: no luck[^]*at .*src\/text\.ts:6[^]*Log\n/);
    expect(terminal.output()).not.toMatch(/dist\/(source|chunks|server-runtime)/);
  });

  it('keeps to a route, and is held still while more come, and says so', async () => {
    const { terminal, url } = await openDevScreen();
    await fetch(`${url}/nothing`);
    await fetch(`${url}/texts`);
    await terminal.waitFor('requests 2');
    terminal.type('\r');
    await terminal.waitFor(/ \/ texts\.listTexts +1 of 2/);
    expect(terminal.screen()).not.toContain('/nothing');
    terminal.type(' ');
    await terminal.waitFor('held, 0 newer');
    await fetch(`${url}/texts?later=1`);
    await terminal.waitFor('held, 1 newer, Space goes on');
    expect(terminal.screen()).not.toContain('later');
    terminal.type(' \u001B');
    expect(await terminal.waitFor('/nothing')).toContain('later=1');
  });

  it('shows time, size and id of each where there is room', async () => {
    const { terminal, url } = await openDevScreen({ size: [119, 20] });
    const { headers } = await fetch(`${url}/texts`);
    await openTab(terminal, '2', 'requests 1');
    const row = await terminal.waitFor(/❯.*/);
    expect(row).toMatch(
      new RegExp(
        `\\d\\d:\\d\\d:\\d\\d +200 +GET +/texts +texts\\.listTexts +[\\d.]+ m?s +\\d+ B +${headers.get('x-request-id')}`,
      ),
    );
  });

  it('are seen also of a server that opens its port by itself', async () => {
    const { terminal, url } = await openDevScreen({
      files: {
        'src/server.ts': `import { createServer } from 'node:http'; createServer((_, response) => response.end()).listen(0);`,
      },
    });
    await terminal.waitFor('The server has started no routes of capabilities.');
    terminal.type('2');
    await terminal.waitFor(`No request has come yet: curl ${url}`);
    await fetch(`${url}/own`);
    await terminal.waitFor(/200 +GET +\/own/);
  });

  it('have come to a server without capabilities, or have not, as that says', async () => {
    const { terminal } = await openDevScreen({
      files: {
        'src/server.ts': `import { createServer, restTransport } from 'capix'; await createServer({ capabilities: {}, transports: [restTransport()] }).start();`,
      },
      size: [120, 40],
    });
    const shown = await terminal.waitFor(/No request has come yet: curl[^]*localhost/);
    expect(shown).not.toContain('by itself');
  });
});

const notes = `
  import { capability } from 'capix';
  import * as z from 'zod';
  const input = z.object({ text: z.string(), size: z.number(), token: z.string() });
  export const capabilities = { notes: { createNote: capability(input, ({ text }) => text) } };`;
const notesServer = `
  import { createServer, restTransport } from 'capix';
  import { capabilities } from './capabilities.ts';
  await createServer({ capabilities, transports: [restTransport()] }).start();`;
