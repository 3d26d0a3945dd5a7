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
import { type Comment as StoredComment, toComment } from './store.js';
import { expectArticle, viewArticle, viewArticles, viewComment } from './views.js';

export const getFeed = userCap(Page, (page, ctx) => {
  const where = 'authorId in (select followedId from follows where userId = ?)';
  return viewArticles(ctx, { where, values: [ctx.userId], ...page });
})
  .route('GET', '/articles/feed')
  .output(ManyArticles);

export const listArticles = maybeCap(Filter, ({ tag, author, favorited, ...page }, ctx) => {
  const idOf = '(select id from users where username = ?)';
  const filters = [
    ['? in (select value from json_each(tagList))', tag],
    [`authorId = ${idOf}`, author],
    [`slug in (select slug from favorites where userId = ${idOf})`, favorited],
  ] as const;
  const asked = filters.flatMap(([where, value]) =>
    value === undefined ? [] : [{ where, value }],
  );
  const where = ['true', ...asked.map((filter) => filter.where)].join(' and ');
  return viewArticles(ctx, { where, values: asked.map(({ value }) => value), ...page });
})
  .route('GET', '/articles')
  .output(ManyArticles);

export const createArticle = userCap(NewArticle, ({ article: { tagList = [], ...given } }, ctx) => {
  const [at, slug] = [new Date().toISOString(), toSlug(given.title)];
  if (ctx.store.find('select 1 from articles where slug = ?', slug) !== undefined)
    throw Conflict('has already been taken', { subject: 'title' });
  const values = [
    slug,
    given.title,
    given.description,
    given.body,
    JSON.stringify(tagList),
    at,
    at,
    ctx.userId,
  ];
  ctx.store.run('insert into articles values (null, ?, ?, ?, ?, ?, ?, ?, ?)', ...values);
  return { article: viewArticle(ctx, expectArticle(ctx, slug)) };
})
  .route('POST', '/articles')
  .errors(Conflict)
  .output(OneArticle, { status: 201 });

export const getArticle = cap(BySlug, ({ slug }, ctx) => ({
  article: viewArticle(ctx, expectArticle(ctx, slug)),
}))
  .route('GET', '/articles/:slug')
  .errors(NotFound)
  .output(OneArticle);

export const updateArticle = userCap(UpdateArticle, ({ slug, article: given }, ctx) => {
  const old = expectOwn(ctx, expectArticle(ctx, slug));
  const {
    title = old.title,
    description = old.description,
    body = old.body,
    tagList = old.tagList,
  } = given;
  const change =
    'update articles set title = ?, description = ?, body = ?, tagList = ?, updatedAt = ? where slug = ?';
  ctx.store.run(
    change,
    title,
    description,
    body,
    JSON.stringify(tagList),
    new Date().toISOString(),
    slug,
  );
  return { article: viewArticle(ctx, expectArticle(ctx, slug)) };
})
  .route('PUT', '/articles/:slug')
  .errors(Forbidden, NotFound)
  .output(OneArticle);

export const deleteArticle = userCap(BySlug, ({ slug }, ctx) => {
  expectOwn(ctx, expectArticle(ctx, slug));
  ctx.store.run('delete from articles where slug = ?', slug);
})
  .route('DELETE', '/articles/:slug')
  .errors(Forbidden, NotFound)
  .output(noContent);

export const listComments = maybeCap(BySlug, ({ slug }, ctx) => {
  expectArticle(ctx, slug);
  const rows = ctx.store.all('select * from comments where slug = ? order by id', slug);
  return { comments: rows.map((row) => viewComment(ctx, toComment(row))) };
})
  .route('GET', '/articles/:slug/comments')
  .errors(NotFound)
  .output(z.object({ comments: z.array(Comment) }));

export const createComment = userCap(NewComment, ({ slug, comment: { body } }, ctx) => {
  expectArticle(ctx, slug);
  const at = new Date().toISOString();
  const id = ctx.store.run(
    'insert into comments values (null, ?, ?, ?, ?, ?)',
    slug,
    body,
    at,
    at,
    ctx.userId,
  );
  return { comment: viewComment(ctx, expectComment(ctx, slug, id)) };
})
  .route('POST', '/articles/:slug/comments')
  .errors(NotFound)
  .output(z.object({ comment: Comment }), { status: 201 });

export const deleteComment = userCap(ByComment, ({ slug, id }, ctx) => {
  expectArticle(ctx, slug);
  expectOwn(ctx, expectComment(ctx, slug, id));
  ctx.store.run('delete from comments where id = ?', id);
})
  .route('DELETE', '/articles/:slug/comments/:id')
  .errors(Forbidden, NotFound)
  .output(noContent);

export const favorite = userCap(BySlug, ({ slug }, ctx) => {
  const article = expectArticle(ctx, slug);
  ctx.store.run('insert or ignore into favorites values (?, ?)', ctx.userId, slug);
  return { article: viewArticle(ctx, article) };
})
  .route('POST', '/articles/:slug/favorite')
  .errors(NotFound)
  .output(OneArticle);

export const unfavorite = userCap(BySlug, ({ slug }, ctx) => {
  const article = expectArticle(ctx, slug);
  ctx.store.run('delete from favorites where userId = ? and slug = ?', ctx.userId, slug);
  return { article: viewArticle(ctx, article) };
})
  .route('DELETE', '/articles/:slug/favorite')
  .errors(NotFound)
  .output(OneArticle);

export const listTags = cap(z.object({}), (_input, { store }) => ({
  tags: store
    .all('select distinct value as tag from articles, json_each(tagList)')
    .map(({ tag }) => String(tag)),
}))
  .route('GET', '/tags')
  .output(z.object({ tags: z.array(z.string()) }));

function expectOwn<T extends { readonly authorId: number }>({ userId }: Context, thing: T): T {
  if (thing.authorId !== userId) throw Forbidden('forbidden', { subject: 'resource' });
  return thing;
}

function expectComment({ store }: Context, slug: string, id: number): StoredComment {
  const row = store.find('select * from comments where id = ? and slug = ?', id, slug);
  if (row === undefined) throw NotFound('not found', { subject: 'comment' });
  return toComment(row);
}

/** `How to train your dragon` is `how-to-train-your-dragon`. */
function toSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'article' : slug;
}
