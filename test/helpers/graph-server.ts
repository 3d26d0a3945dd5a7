/** A server of books with their authors, of whom one is missing. */
export const graphServer = `
  import { capability, createServer, restTransport, defaultErrors } from 'capix';
  import { graphqlTransport } from 'capix/graphql';
  import * as z from 'zod';
  const Book = z.object({ id: z.string(), authorId: z.string() }).meta({ id: 'Book' });
  const Author = z.object({ id: z.string() }).meta({ id: 'Author' });
  const listBooks = capability(() => [1, 2, 3].map((id) => ({ id: String(id), authorId: String(id) })), 'query').output(z.array(Book));
  const getAuthor = capability(z.object({ id: z.string() }), ({ id }) => {
    if (id === '2') throw defaultErrors.NotFound('There is no author 2.');
    return { id };
  }).output(Author);
  const login = capability(z.object({ password: z.string() }), () => { console.log('entering'); throw new Error('broken'); }).output(Author);
  const links = { Book: { author: ['authors.getAuthor', (book) => ({ id: book.authorId })] } };
  const capabilities = { books: { listBooks }, authors: { getAuthor, login } };
  await createServer({ capabilities, transports: [restTransport(), graphqlTransport({ links })] }).start();`;
