import { type Context, NotFound, toToken } from './context.js';
import { type Article, type Comment, toArticle, toUser, type User } from './store.js';

export function viewUser({ store }: Pick<Context, 'store'>, userId: number) {
  return { user: { ...expectUser({ store }, userId), token: toToken(userId) } };
}

export function viewProfile({ store, userId = 0 }: Context, id: number) {
  const follows = store.find(
    'select 1 from follows where userId = ? and followedId = ?',
    userId,
    id,
  );
  return { ...expectUser({ store }, id), following: follows !== undefined };
}

export function viewArticle(ctx: Context, article: Article) {
  const { store, userId = 0 } = ctx;
  const fans = store.all('select userId from favorites where slug = ?', article.slug);
  return {
    ...article,
    favorited: fans.some((fan) => fan['userId'] === userId),
    favoritesCount: fans.length,
    author: viewProfile(ctx, article.authorId),
  };
}

/** The articles that `where` finds, the newest first. */
export function viewArticles(
  ctx: Context,
  {
    where,
    values,
    limit,
    offset,
  }: {
    readonly where: string;
    readonly values: readonly (string | number)[];
    readonly limit: number;
    readonly offset: number;
  },
) {
  const { store } = ctx;
  const rows = store.all(
    `select * from articles where ${where} order by id desc limit ? offset ?`,
    ...values,
    limit,
    offset,
  );
  const count = store.find(`select count(*) as articles from articles where ${where}`, ...values);
  return {
    articles: rows.map((row) => viewArticle(ctx, toArticle(row))),
    articlesCount: Number(count?.['articles']),
  };
}

export function viewComment(ctx: Context, comment: Comment) {
  return { ...comment, author: viewProfile(ctx, comment.authorId) };
}

export function expectArticle({ store }: Context, slug: string): Article {
  const row = store.find('select * from articles where slug = ?', slug);
  if (row === undefined) throw NotFound('not found', { subject: 'article' });
  return toArticle(row);
}

export function expectUserId({ store }: Context, username: string): number {
  const row = store.find('select id from users where username = ?', username);
  if (row === undefined) throw NotFound('not found', { subject: 'profile' });
  return Number(row['id']);
}

export function expectUser({ store }: Pick<Context, 'store'>, id: number): User {
  const row = store.find('select * from users where id = ?', id);
  if (row === undefined) throw NotFound('not found', { subject: 'user' });
  return toUser(row);
}
