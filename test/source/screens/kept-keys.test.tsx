import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import { afterEach, describe, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import CallScreen from '../../../source/call/call-screen.tsx';
import CheckScreen from '../../../source/check/check-screen.tsx';
import DiffScreen from '../../../source/diff/diff-screen.tsx';
import GenerateScreen from '../../../source/generate/generate-screen.tsx';
import HomeScreen from '../../../source/home/home-screen.tsx';
import ListScreen from '../../../source/list/list-screen.tsx';
import ShowScreen from '../../../source/list/show-screen.tsx';
import NewScreen from '../../../source/new/new-screen.tsx';
import OpenApiScreen from '../../../source/openapi/openapi-screen.tsx';
import type { Location } from '../../../source/screens/location.ts';
import { type RenderedScreen, renderScreen, toTestManifest } from '../../helpers/render-screen.tsx';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const getItem = capability(z.object({ id: z.string() }), () => null);
const key = 'items.getItem';
const olderDocument = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Before', version: '1.0.0' },
  paths: {
    '/items': { get: { operationId: 'listItems', responses: { 200: { description: '' } } } },
  },
});

/** Each screen as another one leads to it; the type asks for all but `dev`, which starts a server. */
const screens: {
  readonly [Name in Exclude<Location['screen'], 'dev'>]: readonly [() => ReactNode, Location];
} = {
  home: [HomeScreen, { screen: 'home' }],
  list: [ListScreen, { screen: 'list' }],
  show: [ShowScreen, { screen: 'show', key }],
  check: [CheckScreen, { screen: 'check' }],
  call: [CallScreen, { screen: 'call', key }],
  openapi: [OpenApiScreen, { screen: 'openapi' }],
  // A side that cannot be loaded ends the screen, so it compares a document that is there.
  diff: [DiffScreen, { screen: 'diff', before: 'before.json' }],
  generate: [GenerateScreen, { screen: 'generate', kind: 'capability' }],
  new: [NewScreen, { screen: 'new' }],
};

let screen: RenderedScreen;
afterEach(() => screen.unmount());

describe.each(Object.entries(screens))('%s in 40 columns', (_, [Screen, route]) => {
  it('keeps the way back and the help in its key line, also over what it has loaded', async () => {
    const root = await temporaryFolder();
    await writeFile(join(root, 'before.json'), olderDocument);
    screen = renderScreen(Screen, {
      route,
      columns: 40,
      rows: 12,
      workingDirectory: root,
      environment: { PORT: '1' },
    });
    await screen.waitFor(/Esc (back|cancel) · (\?|Ctrl-P) help[^\n]*$/);

    const manifest = await toTestManifest({ items: { getItem } });
    screen.load({ ...manifest, project: { ...manifest.project, root } });
    await screen.waitFor('00:00:00');
    await screen.waitFor(/Esc (back|cancel) · (\?|Ctrl-P) help[^\n]*$/);
    screen.press('\u0010');
    await screen.waitFor('Esc close');
  });
});
