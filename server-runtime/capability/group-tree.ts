import type { AnyCapability } from './capability.ts';

/**
 * Groups of capabilities, nested to any depth: `{users: {getUser}, products: {variants: {list}}}`. A module namespace is a
 * group; its exports that are neither groups nor capabilities are passed over.
 */
export interface GroupTree {
  readonly [name: string]: AnyCapability | GroupTree | unknown;
}
