import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseUserSettings, readUserSettings } from '../../../source/app/user-settings.ts';
import { tokens } from '../../../source/kit/theme/tokens.ts';
import { readSettings } from '../../../source/load/settings/read-settings.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const file = '/home/ada/.config/capix/config.json';
const parse = (settings: unknown) => parseUserSettings(JSON.stringify(settings), file);

it('has no wishes without a file', () => {
  expect(readUserSettings({ environment: {} })).toEqual({ ui: {}, hasMouse: true });
  expect(readUserSettings({ environment: { HOME: '/nowhere/at/all' } })).toEqual({ ui: {}, hasMouse: true });
});

it('reads the file of the user, wherever settings are kept', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, '.config', 'capix'), { recursive: true });
  await writeFile(join(folder, '.config', 'capix', 'config.json'), '{"mouse": false}');
  expect(readUserSettings({ environment: { HOME: folder } }).hasMouse).toBe(false);
  expect(readUserSettings({ environment: { HOME: '/', XDG_CONFIG_HOME: join(folder, '.config') } }).hasMouse).toBe(
    false,
  );
});

it('gives keys, styles and the mouse', () => {
  const theme = { accent: 'magenta', muted: { color: '#5fafff', dim: false, bold: true } };
  const { ui, hasMouse } = parse({ keys: { 'capability.call': 'x', 'move.down': ['down', 'n'] }, theme });
  expect(hasMouse).toBe(true);
  expect(ui.background).toBeUndefined();
  expect(parse({ background: 'light' }).ui.background).toEqual({ isLight: true });
  expect(parse({ theme: { selected: { background: '#303030' } } }).ui.theme).toEqual({
    selected: { backgroundColor: '#303030' },
  });
  expect(ui.theme).toEqual({ accent: { color: 'magenta' }, muted: { color: '#5fafff', bold: true, dimColor: false } });
  const binding = { action: 'call', keys: ['c'], help: 'Call' };
  expect(ui.ownKeys?.toBindings('Capability', [binding])).toEqual([{ ...binding, keys: ['x'] }]);
  expect(parse({ start: 'dev' }).start).toBe('dev');
  expect(parse({})).toEqual({ ui: { ownKeys: undefined, theme: undefined }, hasMouse: true });
  expect(Object.keys(tokens)).toContain('accent');
});

it('has the keys and colours of the project, where the user has not chosen others', async () => {
  const [root, home] = [await temporaryFolder(), await temporaryFolder()];
  await writeTree(root, {
    'package.json': '{"name": "shop"}',
    'capix.config.mjs': `export default {
      keys: { 'capability.call': 'x', 'capability.copy': ['u', 'y'] },
      theme: { accent: 'magenta', muted: { color: '#5fafff', bold: true } },
    };`,
  });
  await writeTree(home, {
    'capix/config.json': '{"keys": {"capability.show": "u"}, "theme": {"accent": "green"}}',
  });
  const { ui } = readUserSettings({ environment: { XDG_CONFIG_HOME: home } }, readSettings(root));
  expect(ui.theme).toEqual({ accent: { color: 'green' }, muted: { color: '#5fafff', bold: true } });
  const toKeys = (action: string) =>
    ui.ownKeys?.toBindings('Capability', [{ action, keys: ['c'], help: action }]).map(({ keys }) => keys);
  expect([toKeys('call'), toKeys('copy'), toKeys('show')]).toEqual([[['x']], [['y']], [['u']]]);
  const unsound = { keys: { 'capability.cal': 'x' } };
  await writeTree(root, { 'capix.config.mjs': `export default ${JSON.stringify(unsound)};` });
  expect(() => readUserSettings({ environment: {} }, readSettings(root))).toThrow(
    /capix\.config\.mjs.*keys\.capability\.cal/,
  );
});

describe('a file with entries that are not allowed', () => {
  it.each<readonly [unknown, RegExp]>([
    [{ keys: { 'capability.cal': 'x' } }, /config\.json, keys\.capability\.cal: is not the name of an action/],
    [{ keys: { 'capability.call': 'xx' } }, /keys\.capability\.call.*name of a key/],
    [{ keys: { 'capability.call': 'ctrl+c' } }, /"ctrl\+c" always leaves/],
    [{ keys: { 'call.send': 'x' } }, /"x" is text where this action works/],
    [{ keys: { 'capability.call': 'x', 'capability.copy': ['x'] } }, /"x" is that of capability\.call, too/],
    [{ theme: { accents: 'red' } }, /theme.*accents/],
    [{ theme: { accent: 'reddish' } }, /theme\.accent/],
    [{ start: 'call' }, /, start: .*"home"/],
    [{ mouse: 'no' }, /, mouse: .*boolean/],
    [{ first: 'list' }, /first/],
    [[], /expected object/],
  ])('is refused with its place: %j', (settings, message) => {
    expect(() => parse(settings)).toThrow(message);
  });

  it('is refused where it is no JSON', () => {
    expect(() => parseUserSettings('{', file)).toThrow(/config\.json: .*JSON/);
  });
});
