import type { Manifest } from '../manifest/manifest.ts';
import type { Location } from '../screens/location.ts';
import type { PaletteCommand } from '../screens/palette.tsx';

/** The way to every screen and every capability. */
export function toPaletteCommands(
  manifest: Manifest | undefined,
  go: (route: Location) => void,
): readonly PaletteCommand[] {
  const to = (title: string, detail: string, route: Location): PaletteCommand => ({
    id: title,
    title,
    detail,
    run: () => go(route),
  });
  const home = to('home', 'what this project is', { screen: 'home' });
  const create = to('new', 'a new project', { screen: 'new' });
  if (manifest === undefined) return [home, create];
  return [
    home,
    to('list', 'all capabilities', { screen: 'list' }),
    to('check', 'problems', { screen: 'check' }),
    to('dev', 'the server while you work', { screen: 'dev' }),
    to('generate capability', 'a new capability', { screen: 'generate', kind: 'capability' }),
    to('generate group', 'a new group', { screen: 'generate', kind: 'group' }),
    to('openapi', 'the OpenAPI document', { screen: 'openapi' }),
    to('diff', 'compare with a git ref or another file', { screen: 'diff' }),
    create,
    ...manifest.capabilities.flatMap(({ key, method, path }) => [
      to(`show ${key}`, `${method} ${path}`, { screen: 'show', key }),
      to(`call ${key}`, `${method} ${path}`, { screen: 'call', key }),
    ]),
  ];
}
