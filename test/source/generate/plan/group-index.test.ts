import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addLine,
  findListedGroups,
  listsFile,
  toCapabilityLine,
  toGroupLine,
} from '../../../../source/generate/plan/group-index.ts';
import { applyModuleStyle, inferModuleStyle } from '../../../../source/generate/plan/module-style.ts';

function withCapability(text: string): string {
  const style = inferModuleStyle(text);
  return addLine({ text, style }, toCapabilityLine('getUser', 'get-user', style));
}

describe('a line that is added to an index', () => {
  test.each([
    ['', "export { getUser } from './get-user.js';\n"],
    ['export {};\n', "export { getUser } from './get-user.js';\n"],
    ["export {a} from './a.js';\n", "export {a} from './a.js';\nexport {getUser} from './get-user.js';\n"],
    ['export { a } from "./a.js"\n', 'export { a } from "./a.js"\nexport { getUser } from "./get-user.js"\n'],
    ["export { a } from './a.ts';", "export { a } from './a.ts';\nexport { getUser } from './get-user.ts';\n"],
    ["export { a } from './a';\r\n", "export { a } from './a';\r\nexport { getUser } from './get-user';\r\n"],
    [
      "export * as v from './v/index.ts';\n",
      "export * as v from './v/index.ts';\nexport { getUser } from './get-user.ts';\n",
    ],
    ['// ours\nexport {};\n', "// ours\nexport { getUser } from './get-user.js';\n"],
    [
      "export { a } from './a.js';\n\n\n",
      "export { a } from './a.js';\n\n\nexport { getUser } from './get-user.js';\n",
    ],
  ])('is written as those of %j', (before, after) => {
    expect(withCapability(before)).toBe(after);
  });

  test('lists a group by its index', () => {
    expect(toGroupLine('users', 'users', inferModuleStyle(''))).toBe("export * as users from './users/index.js';");
    expect(toGroupLine('users', 'users', inferModuleStyle("export { a } from './a'"))).toBe(
      "export * as users from './users/index'",
    );
  });

  test('leaves every other line as it was, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r\n', ';', "'", '{', '}', '//') }), (text) => {
        const added = withCapability(text);
        fc.pre(!/export\s*\{\s*\}/.test(text));
        expect(added.startsWith(text)).toBe(true);
        expect(added.slice(text.length).trim().split('\n')).toHaveLength(1);
      }),
    );
  });
});

describe('what an index lists', () => {
  test.each([
    ["export * as users from './users/index.js';", 'users'],
    ["export * as users from './people/index.js';", 'people'],
    ['export*as users from "./order-items/index"', 'order-items'],
    ["export * as users from './users.js';", 'users'],
    ["export * as user from './user/index.js';", undefined],
    ["export * as users from '../elsewhere/index.js';", undefined],
    ["export * as users from './../elsewhere/index.js';", undefined],
    ['export const users = {};', undefined],
    [undefined, undefined],
  ])('%s is the group users in %s', (text, folder) => {
    expect(findListedGroups(text).get('users')).toBe(folder);
  });

  test.each([
    ["export { getUser } from './get-user.js';", true],
    ["export {a, getUser, b} from './get-user.ts'", true],
    ["export { getUser as find } from './get-user.js';", false],
    ["export { find as getUser } from './get-user.js';", true],
    ["export { getUser } from './other.js';", false],
    ["export { getUsers } from './get-user.js';", false],
  ])('%s lists getUser of get-user.ts: %s', (text, expected) => {
    expect(listsFile(text, 'getUser', 'get-user')).toBe(expected);
  });
});

describe('the text of a template in another style', () => {
  test('has the quotes, ends and extensions of its neighbours', () => {
    const style = inferModuleStyle('import { a } from "./a.ts"\r\n');
    expect(applyModuleStyle("import { cap } from '../context.js';\nimport { x } from 'capix';\n", style)).toBe(
      'import { cap } from "../context.ts"\r\nimport { x } from "capix"\r\n',
    );
  });
});
