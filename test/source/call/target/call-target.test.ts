import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  asksFirst,
  expandHeaders,
  readEnvironments,
  toCallTargets,
  toNextTarget,
  toPickedTarget,
  toTargetText,
} from '../../../../source/call/run/call-target.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

const staging = { url: 'https://staging.example.com', headers: { authorization: 'Bearer s3' } };
const known = { address: { url: 'http://localhost:34666', isRunning: true }, environments: { staging } };

it('calls the dev server that runs, and none that is only guessed, until another one is chosen', () => {
  expect(toTargetText(toPickedTarget(toCallTargets(known), undefined))).toBe('dev http://localhost:34666');
  const without = toCallTargets({ ...known, address: { url: 'http://localhost:3000', isRunning: false } });
  expect(toTargetText(toPickedTarget(without, undefined))).toBe('in this process');
  expect(toTargetText(toPickedTarget(without, 'port'))).toBe('http://localhost:3000');
});

it('goes through all targets and around', () => {
  const targets = toCallTargets(known);
  let target = toPickedTarget(targets, undefined);
  const seen = targets.map(() => {
    target = toNextTarget(targets, target);
    return toTargetText(target);
  });
  expect(seen).toEqual(['staging https://staging.example.com', 'in this process', 'dev http://localhost:34666']);
});

it('asks before what changes data, but in this process and in dev', () => {
  const [process, dev, named] = toCallTargets(known);
  const asking = [process, dev, named].map((target) => target && asksFirst(target, { intent: 'update' }));
  expect(asking).toEqual([false, false, true]);
  expect(named && asksFirst(named, { intent: 'query' })).toBe(false);
});

it('reads environments of package.json, whose variables get their values when they are called', async () => {
  const root = await temporaryFolder();
  const environments = {
    staging: { url: 'https://staging.example.com/', headers: { Authorization: 'Bearer ${TOKEN}' } },
  };
  await writeFile(join(root, 'package.json'), JSON.stringify({ capix: { environments } }));
  const read = readEnvironments(root)['staging'];
  expect(read).toEqual({ url: 'https://staging.example.com', headers: { authorization: 'Bearer ${TOKEN}' } });
  expect(expandHeaders('staging', read?.headers ?? {}, { TOKEN: 's3' })).toEqual({ authorization: 'Bearer s3' });
  expect(readEnvironments(await temporaryFolder())).toEqual({});
});

it.each([
  ['Bearer ${TOKEN}', 'environment staging, authorization: the variable TOKEN is not set'],
  ['Bearer $TOKEN', 'environment staging, authorization: write ${TOKEN} for $TOKEN'],
])('refuses the header %s without a value for it', (authorization, message) => {
  expect(() => expandHeaders('staging', { authorization }, {})).toThrow(message);
});
