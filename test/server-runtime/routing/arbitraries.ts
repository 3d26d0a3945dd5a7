import fc from 'fast-check';
import { intents } from '../../../server-runtime/capability/definition.ts';
import { ruleOfPrefix } from '../../../server-runtime/routing/infer-route.ts';
import type { RoutedOperation } from '../../../server-runtime/routing/route.ts';

/** Names that a registry accepts, many of them near the prefix rules. */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,12}$/),
  fc
    .tuple(
      fc.constantFrom(...ruleOfPrefix.keys(), 'un', 'under', 'undo'),
      fc.stringMatching(/^[a-zA-Z0-9]{0,6}$/),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('constructor', 'toString', 'valueOf', 'hasOwnProperty', 'id', 'un'),
);

export const anyGroups: fc.Arbitrary<string[]> = fc.array(anyName, { maxLength: 3 });

/** An operation with any name, groups, intent and `id`; its key is made of groups and name. */
export const anyOperation: fc.Arbitrary<RoutedOperation> = fc
  .record({
    groups: anyGroups,
    name: anyName,
    hasId: fc.boolean(),
    declaredIntent: fc.constantFrom(undefined, ...intents),
  })
  .map((operation) => ({
    ...operation,
    key: [...operation.groups, operation.name].join('.'),
  }));
