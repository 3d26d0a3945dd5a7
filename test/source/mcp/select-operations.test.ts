import { describe, expect, it } from 'vitest';
import { capability, compileRegistry } from '../../../server-runtime/index.ts';
import type { McpCommandOptions } from '../../../source/mcp/mcp-command.ts';
import { selectOperations } from '../../../source/mcp/select-operations.ts';

const cap = capability(() => 1);
const { operations } = compileRegistry({
  users: {
    getUser: cap,
    createUser: cap,
    countAll: cap.tool({ readOnly: true }),
    listUsers: cap.tool({ readOnly: false }),
  },
  catalog: { prices: { getPrice: cap }, buy: cap },
});

const select = (selection: Partial<McpCommandOptions>): readonly string[] =>
  selectOperations(operations, { only: [], tag: [], readOnly: false, ...selection }).map(({ key }) => key);

describe('selectOperations', () => {
  it.each<[string, Partial<McpCommandOptions>, readonly string[]]>([
    ['a key', { only: ['users.getUser'] }, ['users.getUser']],
    [
      'keys with *',
      { only: ['users.*User', 'catalog.*'] },
      ['users.getUser', 'users.createUser', 'catalog.prices.getPrice', 'catalog.buy'],
    ],
    ['a group, with the groups in it', { tag: ['catalog'] }, ['catalog.prices.getPrice', 'catalog.buy']],
    ['a group in a group', { tag: ['catalog.prices'] }, ['catalog.prices.getPrice']],
    [
      'what changes nothing, as tools say it',
      { readOnly: true },
      ['users.getUser', 'users.countAll', 'catalog.prices.getPrice'],
    ],
    ['all of these', { only: ['*.get*'], tag: ['users'], readOnly: true }, ['users.getUser']],
  ])('takes %s', (_name, selection, keys) => {
    expect(select(selection)).toEqual(keys);
  });

  it('refuses what fits nothing, and names the nearest', () => {
    expect(() => select({ only: ['users.getUsr'] })).toThrow('option --only: no capability fits `users.getUsr`');
    expect(() => select({ tag: ['user'] })).toThrow('option --tag: no group fits `user`');
    expect(() => select({ only: ['users.getUser+'] })).toThrow('no capability fits');
  });
});
