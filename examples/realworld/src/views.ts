import { type Context, NotFound, toToken } from './context.js';
import { type Article, type Comment, findUserId, type User } from './store.js';

export function viewUser({ store }: Context, userId: number) {
  return { user: { ...expectUser({ store }, userId), token: toToken(userId) } };
}

export function viewProfile({ store, userId }: Context, id: number) {
  return { ...expectUser({ store }, id), following: store.follows.has(`${userId} ${id}`) };
}

export function viewArticle(ctx: Context, article: Article) {
  const fans = [...ctx.store.favorites].filter((favorite) => favorite.endsWith(` ${article.slug}`));
  return {
    ...article,
    tagList: [...article.tagList],
    favorited: fans.includes(`${ctx.userId} ${article.slug}`),
    favoritesCount: fans.length,
    author: viewProfile(ctx, article.authorId),
  };
}

export function viewArticles(
  ctx: Context,
  articles: readonly Article[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  const newest = [...articles].reverse().slice(offset, offset + limit);
  return { articles: newest.map((article) => viewArticle(ctx, article)), articlesCount: articles.length };
}

export function viewComment(ctx: Context, comment: Comment) {
  return { ...comment, author: viewProfile(ctx, comment.authorId) };
}

export function expectArticle({ store }: Context, slug: string): Article {
  const article = store.articles.get(slug);
  if (article === undefined) throw NotFound('not found', { subject: 'article' });
  return article;
}

export function expectUserId({ store }: Context, username: string): number {
  const id = findUserId(store, (user) => user.username === username);
  if (id === undefined) throw NotFound('not found', { subject: 'profile' });
  return id;
}

function expectUser({ store }: Pick<Context, 'store'>, id: number): User {
  const user = store.users.get(id);
  if (user === undefined) throw NotFound('not found', { subject: 'user' });
  return user;
}
