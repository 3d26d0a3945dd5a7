import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStartScreen } from '../../../source/app/read-start-screen.ts';
import { writeTree } from '../../helpers/scaffold.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

it('opens at home without a file', () => {
  expect(readStartScreen({ environment: {} })).toBeUndefined();
  expect(readStartScreen({ environment: { HOME: '/nowhere/at/all' } })).toBeUndefined();
});

it('reads the file of the user, wherever settings are kept', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { '.config/capix/config.json': '{"start": "dev"}' });
  expect(readStartScreen({ environment: { HOME: folder } })).toBe('dev');
  expect(readStartScreen({ environment: { HOME: '/', XDG_CONFIG_HOME: join(folder, '.config') } })).toBe('dev');
});

it.each<readonly [string, RegExp]>([
  ['{"start": "call"}', /config\.json, start: .*"home"/],
  ['{"keys": {"capability.call": "x"}}', /config\.json: .*"keys"/],
  ['[]', /expected object/],
  ['{', /config\.json: .*JSON/],
])('refuses a file with what is not allowed, with its place: %s', async (text, message) => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'capix/config.json': text });
  expect(() => readStartScreen({ environment: { XDG_CONFIG_HOME: folder } })).toThrow(message);
});
