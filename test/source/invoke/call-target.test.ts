import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  expandHeaders,
  readEnvironments,
  toCallTargets,
  toChosenTarget,
} from '../../../source/invoke/call-target.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const staging = { url: 'https://staging.example.com', headers: { authorization: 'Bearer s3' } };
const known = {
  address: { url: 'http://localhost:34666', isRunning: true },
  devServers: [{ url: 'http://localhost:34666', isRunning: true }],
  environments: { staging },
};

it('calls the dev server that runs, and none that is only guessed, until another one is chosen', () => {
  expect(toChosenTarget(toCallTargets(known), undefined).text).toBe('dev http://localhost:34666');
  const without = toCallTargets({
    ...known,
    address: { url: 'http://localhost:3000', isRunning: false },
    devServers: [],
  });
  expect(toChosenTarget(without, undefined).text).toBe('in this process');
  expect(toChosenTarget(without, 'port').text).toBe('http://localhost:3000');
});

it('offers every target, and asks before what changes data, but in this process and in dev', () => {
  expect(toCallTargets(known).map(({ text, asksFirst }) => [text, asksFirst])).toEqual([
    ['in this process', false],
    ['dev http://localhost:34666', false],
    ['staging https://staging.example.com', true],
  ]);
});

it('offers each dev server that runs', () => {
  const second = { url: 'http://localhost:4000', isRunning: true };
  const targets = toCallTargets({ ...known, devServers: [known.address, second] });
  expect(targets.map(({ id, text }) => [id, text])).toEqual([
    ['process', 'in this process'],
    ['dev', 'dev http://localhost:34666'],
    ['dev http://localhost:4000', 'dev http://localhost:4000'],
    ['environment staging', 'staging https://staging.example.com'],
  ]);
});

it('reads environments of the settings, whose variables get their values when they are called', async () => {
  const root = await temporaryFolder();
  const environments = {
    staging: { url: 'https://staging.example.com/', headers: { Authorization: 'Bearer ${TOKEN}' } },
  };
  await writeFile(join(root, 'capix.json'), JSON.stringify({ environments }));
  const read = readEnvironments(root)['staging'];
  expect(read).toEqual({
    url: 'https://staging.example.com',
    headers: { authorization: 'Bearer ${TOKEN}' },
  });
  expect(expandHeaders('staging', read?.headers ?? {}, { TOKEN: 's3' })).toEqual({
    authorization: 'Bearer s3',
  });
  expect(readEnvironments(await temporaryFolder())).toEqual({});
});

it('refuses a header without a value for its variable', () => {
  expect(() => expandHeaders('staging', { authorization: 'Bearer ${TOKEN}' }, {})).toThrow(
    'environment staging, authorization: the variable TOKEN is not set',
  );
});
