import { expect, it } from 'vitest';
import { findFurtherVerb } from '../../../server-runtime/routing/infer-route.ts';

it.each([
  ['findAndDeleteJob', 'delete'],
  ['getOrCreate', 'create'],
  ['readAndClear', 'clear'],
  ['createOrReplace', 'replace'],
  ['fetchAndLock', 'lock'],
  ['getThenMarkRead', 'mark'],
  ['getV2AndReset', 'reset'],
])('%s also says %s', (name, verb) => {
  expect(findFurtherVerb(name)).toBe(verb);
});

it.each([
  'getTermsAndConditions',
  'findByNameOrEmail',
  'listOrdersAndItems',
  'getOpenAndClosedOrders',
  'findOrGet',
  'getAndroid',
  'listBrandDeletes',
  'getOrders',
  'clearAll',
])('%s says no more than its first word', (name) => {
  expect(findFurtherVerb(name)).toBeUndefined();
});
