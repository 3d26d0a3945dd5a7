import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defaultErrors,
  defineGuard,
  defineInputGuard,
} from '../../../server-runtime/index.ts';
import { callHere } from '../../../source/invoke/call-here.ts';

const refuse = () => {
  throw defaultErrors.Unauthorized();
};
const mustBeUser = defineGuard(refuse, { name: 'mustBeUser' });
const mustOwnItem = defineInputGuard(refuse, { name: 'mustOwnItem' });
const items = {
  getGuarded: capability(() => null).guard(mustBeUser),
  getOwned: capability(z.object({ id: z.string().optional() }), () => null).inputGuard(mustOwnItem),
  getRefused: capability(refuse),
  getBroken: capability((): null => {
    throw new Error('no database');
  }),
};

const loaded = {
  kind: 'loaded',
  project: { root: '/shop', name: 'shop', entryFile: '/shop/src/capabilities.ts' },
  registry: compileRegistry({ items }),
  restOptions: {},
  files: [],
} as const;
const callers = {
  'without a header': { headers: {} },
  'with a header': { headers: { authorization: 'Bearer x' } },
};
const cases = Object.keys(items).flatMap((name) =>
  Object.entries(callers).map(([who, { headers }]) => [name, who, headers] as const),
);

async function toHints(
  name: string,
  headers: Readonly<Record<string, string>>,
  surface: 'command' | 'screen',
): Promise<string> {
  const request = { key: `items.${name}`, input: { json: {}, files: {} }, headers };
  const { failure } = await callHere(loaded, request, { surface });
  return failure?.hints?.join('\n') ?? '';
}

it.each(cases)(
  'hints of a screen talk of the means of a screen, those of a command of its options: %s %s',
  async (name, _who, headers) => {
    const inScreen = await toHints(name, headers, 'screen');
    expect(inScreen).not.toBe('');
    expect(inScreen).not.toMatch(/(^|\s)--?\w|`capix /);
    expect(await toHints(name, headers, 'command')).not.toMatch(/Ctrl-|\bform\b|Fill in/);
  },
);

it('says where to give the header that a guard misses', async () => {
  expect(await toHints('getGuarded', {}, 'screen')).toContain(
    'Fill in its header in the form, or choose a server that runs with Ctrl-T.',
  );
  expect(await toHints('getGuarded', {}, 'command')).toContain('Give it a header with -H');
});
