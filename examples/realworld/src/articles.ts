import { noContent } from 'capix';
import * as z from 'zod';
import { Conflict, type Context, cap, Forbidden, maybeCap, NotFound, userCap } from './context.js';
import {
  ByComment,
  BySlug,
  Comment,
  Filter,
  ManyArticles,
  NewArticle,
  NewComment,
  OneArticle,
  Page,
  UpdateArticle,
} from './schemas.js';
import { type Article, findUserId, toSlug } from './store.js';
import { expectArticle, viewArticle, viewArticles, viewComment } from './views.js';

export const getFeed = userCap(Page, (page, ctx) => {
  const followed = [...ctx.store.articles.values()].filter(({ authorId }) =>
    ctx.store.follows.has(`${ctx.userId} ${authorId}`),
  );
  return viewArticles(ctx, followed, page);
})
  .route('GET', '/articles/feed')
  .output(ManyArticles);

export const listArticles = maybeCap(Filter, ({ tag, author, favorited, ...page }, ctx) => {
  const idOf = (name: string | undefined) => findUserId(ctx.store, ({ username }) => username === name);
  const fits = (article: Article): boolean =>
    (tag === undefined || article.tagList.includes(tag)) &&
    (author === undefined || article.authorId === idOf(author)) &&
    (favorited === undefined || ctx.store.favorites.has(`${idOf(favorited)} ${article.slug}`));
  return viewArticles(ctx, [...ctx.store.articles.values()].filter(fits), page);
})
  .route('GET', '/articles')
  .output(ManyArticles);

export const createArticle = userCap(NewArticle, ({ article: { tagList = [], ...given } }, ctx) => {
  const [createdAt, slug] = [new Date(), toSlug(given.title)];
  if (ctx.store.articles.has(slug)) throw Conflict('has already been taken', { subject: 'title' });
  const article = { ...given, tagList, slug, createdAt, updatedAt: createdAt, authorId: ctx.userId };
  ctx.store.articles.set(slug, article);
  return { article: viewArticle(ctx, article) };
})
  .route('POST', '/articles')
  .errors(Conflict)
  .output(OneArticle, { status: 201 });

export const getArticle = cap(BySlug, ({ slug }, ctx) => ({ article: viewArticle(ctx, expectArticle(ctx, slug)) }))
  .route('GET', '/articles/:slug')
  .errors(NotFound)
  .output(OneArticle);

export const updateArticle = userCap(UpdateArticle, ({ slug, article: given }, ctx) => {
  const old = expectOwn(ctx, expectArticle(ctx, slug));
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const article = { ...old, ...changes, updatedAt: new Date() };
  ctx.store.articles.set(slug, article);
  return { article: viewArticle(ctx, article) };
})
  .route('PUT', '/articles/:slug')
  .errors(Forbidden, NotFound)
  .output(OneArticle);

export const deleteArticle = userCap(BySlug, ({ slug }, ctx) => {
  expectOwn(ctx, expectArticle(ctx, slug));
  const { articles, comments, favorites } = ctx.store;
  articles.delete(slug);
  for (const [id, comment] of comments) if (comment.slug === slug) comments.delete(id);
  for (const favorite of favorites) if (favorite.endsWith(` ${slug}`)) favorites.delete(favorite);
})
  .route('DELETE', '/articles/:slug')
  .errors(Forbidden, NotFound)
  .output(noContent);

export const listComments = maybeCap(BySlug, ({ slug }, ctx) => {
  expectArticle(ctx, slug);
  const comments = [...ctx.store.comments.values()].filter((comment) => comment.slug === slug);
  return { comments: comments.map((comment) => viewComment(ctx, comment)) };
})
  .route('GET', '/articles/:slug/comments')
  .errors(NotFound)
  .output(z.object({ comments: z.array(Comment) }));

export const createComment = userCap(NewComment, ({ slug, comment: { body } }, ctx) => {
  expectArticle(ctx, slug);
  const [id, createdAt] = [ctx.store.nextId(), new Date()];
  const comment = { id, slug, body, createdAt, updatedAt: createdAt, authorId: ctx.userId };
  ctx.store.comments.set(id, comment);
  return { comment: viewComment(ctx, comment) };
})
  .route('POST', '/articles/:slug/comments')
  .errors(NotFound)
  .output(z.object({ comment: Comment }), { status: 201 });

export const deleteComment = userCap(ByComment, ({ slug, id }, ctx) => {
  expectArticle(ctx, slug);
  const comment = ctx.store.comments.get(id);
  if (comment?.slug !== slug) throw NotFound('not found', { subject: 'comment' });
  expectOwn(ctx, comment);
  ctx.store.comments.delete(id);
})
  .route('DELETE', '/articles/:slug/comments/:id')
  .errors(Forbidden, NotFound)
  .output(noContent);

export const favorite = userCap(BySlug, ({ slug }, ctx) => {
  const article = expectArticle(ctx, slug);
  ctx.store.favorites.add(`${ctx.userId} ${slug}`);
  return { article: viewArticle(ctx, article) };
})
  .route('POST', '/articles/:slug/favorite')
  .errors(NotFound)
  .output(OneArticle);

export const unfavorite = userCap(BySlug, ({ slug }, ctx) => {
  const article = expectArticle(ctx, slug);
  ctx.store.favorites.delete(`${ctx.userId} ${slug}`);
  return { article: viewArticle(ctx, article) };
})
  .route('DELETE', '/articles/:slug/favorite')
  .errors(NotFound)
  .output(OneArticle);

export const listTags = cap(z.object({}), (_input, { store }) => ({
  tags: [...new Set([...store.articles.values()].flatMap(({ tagList }) => tagList))],
}))
  .route('GET', '/tags')
  .output(z.object({ tags: z.array(z.string()) }));

function expectOwn<T extends { readonly authorId: number }>({ userId }: Context, thing: T): T {
  if (thing.authorId !== userId) throw Forbidden('forbidden', { subject: 'resource' });
  return thing;
}
