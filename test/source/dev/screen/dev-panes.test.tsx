import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useState } from 'react';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  DevPanes,
  hasRoomForAll,
  type PaneName,
} from '../../../../source/dev/screen/dev-panes.tsx';
import { DevStore } from '../../../../source/dev/screen/dev-store.ts';

import type { DevSession } from '../../../../source/dev/session/dev-session.ts';
import { textWidth } from '../../../../source/kit/text.ts';
import { useBodySize } from '../../../../source/kit/use-ui.ts';
import { ScreenFrame } from '../../../../source/screens/screen-frame.tsx';
import { type RenderedScreen, renderScreen } from '../../../helpers/render-screen.tsx';

let screen: RenderedScreen;
let focus: (name: PaneName) => void;
afterEach(() => screen.unmount());

/** A server that has answered one request and written one line. */
function toStore(url = 'http://localhost:1'): DevStore {
  const store = new DevStore();
  const routes = [
    { method: 'GET', path: '/texts', key: 'texts.listTexts' },
    { method: 'GET', path: '/texts/:id', key: 'texts.getText' },
  ];
  store.take({
    kind: 'ready',
    cause: { kind: 'start' },
    durationMs: 5,
    urls: [url],
    routes,
  });
  store.take({ kind: 'output', stream: 'stdout', lines: ['reading request-1'] });
  store.take({ kind: 'requests', requests: [toRequest(1)] });
  return store;
}

function toRequest(count: number) {
  return {
    id: `7-${count}`,
    at: 0,
    method: 'GET',
    url: '/texts',
    capability: 'texts.listTexts',
    status: 200,
    durationMs: 11 + count,
    bytes: 5,
    requestId: `request-${count}`,
    details: { headers: [], answerHeaders: [], hasRun: true, guards: [], logs: [] },
  } as const;
}

function open({ columns = 120, rows = 40, store = toStore() } = {}): RenderedScreen {
  // No key of the views reaches the session.
  const dev = { store, session: {} as DevSession, root: '/texts', name: 'texts' };
  function Panes() {
    const size = useBodySize();
    const [pane, setPane] = useState<PaneName>('routes');
    focus = setPane;
    return (
      <DevPanes {...size} dev={dev} open={pane} onOpen={setPane} isSplit={hasRoomForAll(size)} />
    );
  }
  const Screen = () => (
    <ScreenFrame screen="dev">
      <Panes />
    </ScreenFrame>
  );
  screen = renderScreen(Screen, { route: { screen: 'dev' }, columns, rows });
  return screen;
}

describe('in a wide window', () => {
  it('shows routes, requests and log together, and names what has the keys', async () => {
    const frame = await open().waitFor('reading request-1');
    expect(frame).toMatch(/─\[1 routes 2\]─+ │ ─ 2 requests 1 ─+\n/);
    expect(frame).toMatch(/❯ +GET +\/texts +1 +0 % +12 ms +200 +│/);
    expect(frame).toMatch(/· +200 +GET +\/texts /);
    expect(frame).toMatch(/\n─ 3 logs 1 ─+\n/);
    expect(Math.max(...screen.lines().map(textWidth))).toBeLessThanOrEqual(120);
    expect(screen.lines()).toHaveLength(40);
  });

  it('leads from a route to its requests, to one of them, which is shown alone, and back', async () => {
    await open().waitFor('reading request-1');
    screen.press('j\r');
    await screen.waitFor('No request fits the filter.');
    expect(screen.frame()).toMatch(/ 1 routes 2 .*\[2 requests 1\]/);
    focus('routes');
    await screen.waitFor('[1 routes 2]');
    screen.press('k\r');
    await screen.waitFor(/❯ +200 +GET/);
    screen.press('\r');
    await screen.waitFor(/\n 200 {2}GET \/texts/);
    expect(screen.lines()[2]).toMatch(/^ 1 routes 2 +\[2 requests 1\] +3 logs 1/);
    focus('routes');
    await screen.waitFor(/│ {2}200 {2}GET \/texts/);
    focus('requests');
    await screen.waitFor(/\n 200 {2}GET \/texts/);
    screen.press('\r');
    await screen.waitFor(/❯ +200 +GET/);
  });

  it('gives letters to the view with the keys alone, also to a search that another view has left open', async () => {
    await open().waitFor('reading request-1');
    focus('logs');
    await screen.waitFor('[3 logs 1]');
    screen.press('/abc');
    await screen.waitFor(/ \/ abc/);
    focus('routes');
    await screen.waitFor('[1 routes 2]');
    screen.press('j');
    await screen.waitFor(/❯ +GET +\/texts\/:id/);
    focus('logs');
    await screen.waitFor(/ \/ abc/);
  });

  it('leads from a line of the log to the request that wrote it', async () => {
    await open().waitFor('reading request-1');
    focus('logs');
    await screen.waitFor('[3 logs 1]');
    screen.press('\r');
    await screen.waitFor('Enter its request');
    screen.press('\r');
    await screen.waitFor(/\[2 requests 1\][^]*\n 200 {2}GET \/texts/);
  });
});

it('tells one figure for a request that was sent again: that of the server', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(201, { 'x-request-id': 'request-2' }).end();
  });
  await new Promise<void>((listening) => void server.listen(0, 'localhost', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const store = toStore(`http://localhost:${port}`);
  await open({ store }).waitFor('reading request-1');
  focus('requests');
  await screen.waitFor('[2 requests 1]');
  screen.press('a');
  const sent = await screen.waitFor('Sent again: 201');
  expect(sent).toMatch(/Sent again: 201(?! *(in|,|[\d.]+ ?m?s))/);
  store.take({ kind: 'requests', requests: [toRequest(2)] });
  const compared = await screen.waitFor(/Sent again: .*, 12 ms before, 13 ms now/);
  expect(compared.match(/Sent again: .*\d m?s/g)).toHaveLength(1);
});

it.each([
  [119, 40],
  [120, 18],
  [40, 12],
])('shows one at a time in a window of %i x %i', async (columns, rows) => {
  await open({ columns, rows }).waitFor('[1 routes 2]');
  expect(screen.lines()[2]).toMatch(/^ \[1 routes 2\] +2 requests 1 +3 logs 1/);
  focus('logs');
  await screen.waitFor('reading request-1');
  expect(screen.frame()).not.toContain('/texts/:id');
});
