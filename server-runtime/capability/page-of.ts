import { z } from 'zod';
import type { InputOf, OutputOf, Schema, StandardSchema } from '../schema/schema.ts';
import type { Joined } from './capability.ts';

declare const PAGE: unique symbol;

// No interfaces: the type of a capability of somebody's project has these fields, and must be written there.
type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string | null | undefined };
type PageInput = { readonly cursor?: string | undefined; readonly limit?: number | undefined };

/** The schema of a page of a list: items, and the cursor of the next page, which the last one has not. */
export interface PageSchema<out In = unknown, out Out = unknown> extends StandardSchema<Page<In>, Page<Out>> {
  readonly [PAGE]: true;
}

/** The input where this is the answer: that of a page has a cursor and a limit. */
export type PagedInput<S, A> = A extends PageSchema ? Joined<S, StandardSchema<PageInput, PageInput>> : S;

/** A caller may not ask for a page that fills the memory. */
const limit = z.coerce.number().int().min(1).max(1000).optional();
const pageInput = z.object({ cursor: z.string().optional(), limit });
const pages = new WeakSet<object>();

/** A page of a list as the answer. Before a handler, it adds `cursor` and `limit` to the input. */
export function pageOf<Item extends Schema>(item: Item): PageSchema<InputOf<Item>, OutputOf<Item>> {
  const page = z.object({ items: z.array(item as unknown as z.ZodType), nextCursor: z.string().nullish() });
  pages.add(page);
  return page as unknown as PageSchema<InputOf<Item>, OutputOf<Item>>;
}

/** The fields of the input that a page asks for; undefined for any other answer. */
export function findPageInput(answer: unknown): Schema | undefined {
  return typeof answer === 'object' && answer !== null && pages.has(answer) ? pageInput : undefined;
}
