import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../source/cli/cli-error.ts';
import { type CapabilityName, toCapabilityName } from '../../../source/generate/capability-name.ts';

function keyOf({ groups, name }: CapabilityName): string {
  return [...groups, name].join('.');
}

describe('the name of a capability', () => {
  test.each([
    ['users', 'getUser', 'users.getUser'],
    [undefined, 'health', 'health'],
    ['products/variants', 'list', 'products.variants.list'],
    ['products', 'variants/list', 'products.variants.list'],
    [undefined, 'products/variants/list', 'products.variants.list'],
    [undefined, 'users.getUser', 'users.getUser'],
    ['products\\variants', 'list', 'products.variants.list'],
    ['order-items', 'get-by-id', 'orderItems.getById'],
    ['order_items', 'get by id', 'orderItems.getById'],
    ['Users', 'GetUser', 'users.getUser'],
    ['users', 'getURL', 'users.getURL'],
    ['users/', 'list/', 'users.list'],
  ])('of %s %s is %s', (group, name, key) => {
    expect(keyOf(toCapabilityName(group, name))).toBe(key);
  });

  test.each([
    ['..', 'x'],
    ['../users', 'x'],
    ['users/../..', 'x'],
    ['users', '../x'],
    ['/etc', 'x'],
    ['C:\\users', 'x'],
    ['users', '\\x'],
    ['./users', 'x'],
  ])('of %s %s leads out of the folder', (group, name) => {
    expect(() => toCapabilityName(group, name)).toThrow('leads out of the capabilities folder');
  });

  test.each([
    ['users', '2fa'],
    ['users', 'café'],
    ['users', 'a$b'],
    ['users', "x';process.exit()//"],
    ['üsers', 'list'],
    ['users', 'default'],
  ])('of %s %s cannot be one', (group, name) => {
    expect(() => toCapabilityName(group, name)).toThrow(
      'cannot be the name of a capability or group',
    );
  });

  test.each([
    ['users', ''],
    [undefined, '/'],
    ['users', 'index'],
  ])('of %s %s is refused', (group, name) => {
    expect(() => toCapabilityName(group, name)).toThrow(CliError);
  });

  test('is made of identifiers and plain folders whatever is typed, or refused with a reason', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (group, name) => {
          try {
            const { groups, name: last } = toCapabilityName(group, name);
            for (const part of [...groups, last]) {
              expect(part).toMatch(/^[a-zA-Z][a-zA-Z0-9]*$/);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(CliError);
            expect((error as CliError).exitCode).toBe(2);
          }
        },
      ),
    );
  });
});
