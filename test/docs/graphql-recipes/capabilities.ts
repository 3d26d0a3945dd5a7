import * as z from 'zod';
import { capability, defineError, stream } from '../../../server-runtime/index.ts';
import { topic } from '../../../server-runtime/topics/index.ts';

const Book = z
  .object({ id: z.string(), title: z.string(), stock: z.int32(), addedAt: z.date() })
  .meta({ id: 'Book' });
type Book = z.infer<typeof Book>;

const NotFound = defineError(404, 'NotFound');
const SoldOut = defineError(409, 'SoldOut', { meta: z.object({ left: z.int32() }) });

const books = new Map<string, Book>([
  ['1', { id: '1', title: 'Emma', stock: 3, addedAt: new Date('2026-01-31') }],
]);
const changes = topic<Book>('books');

function findBook(id: string): Book {
  const book = books.get(id);
  if (book === undefined) throw NotFound(`There is no book ${id}.`);
  return book;
}

const getBook = capability(z.object({ id: z.string() }), ({ id }) => findBook(id))
  .output(Book)
  .errors(NotFound);

const OrderInput = z.object({ id: z.string(), count: z.int32() });
const orderBook = capability(OrderInput, async ({ id, count }) => {
  const book = findBook(id);
  if (book.stock < count) throw SoldOut(`Only ${book.stock} are left.`, { left: book.stock });
  const rest = { ...book, stock: book.stock - count };
  books.set(id, rest);
  await changes.publish(rest);
  return rest;
})
  .output(Book)
  .errors(NotFound, SoldOut);

const watchBooks = capability((_input: unknown, { signal }) =>
  changes.subscribe({ signal }),
).output(stream(Book));

export const capabilities = { books: { getBook, orderBook, watchBooks } };
