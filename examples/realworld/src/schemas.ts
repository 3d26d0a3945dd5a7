import * as z from 'zod';

export const User = z
  .object({
    email: z.string(),
    token: z.string(),
    username: z.string(),
    bio: z.string().nullable(),
    image: z.string().nullable(),
  })
  .meta({ id: 'User' });

export const Profile = z
  .object({
    username: z.string(),
    bio: z.string().nullable(),
    image: z.string().nullable(),
    following: z.boolean(),
  })
  .meta({ id: 'Profile' });

export const Article = z
  .object({
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    body: z.string(),
    tagList: z.array(z.string()),
    createdAt: z.date(),
    updatedAt: z.date(),
    favorited: z.boolean(),
    favoritesCount: z.int(),
    author: Profile,
  })
  .meta({ id: 'Article' });

export const Comment = z
  .object({
    id: z.int(),
    createdAt: z.date(),
    updatedAt: z.date(),
    body: z.string(),
    author: Profile,
  })
  .meta({ id: 'Comment' });

export const OneUser = z.object({ user: User });
export const OneProfile = z.object({ profile: Profile });
export const OneArticle = z.object({ article: Article });
export const ManyArticles = z.object({
  articles: z.array(Article.omit({ body: true })),
  articlesCount: z.int(),
});

const text = z.string().min(1, "can't be blank");

export const LoginUser = z.object({ user: z.object({ email: text, password: text }) });
export const NewUser = z.object({
  user: z.object({ username: text, email: text, password: text }),
});
export const UpdateUser = z.object({
  user: z.object({
    email: text.optional(),
    password: text.optional(),
    username: text.optional(),
    bio: z.string().nullable().optional(),
    image: z.string().nullable().optional(),
  }),
});
export const ByUsername = z.object({ username: z.string() });
export const BySlug = z.object({ slug: z.string() });
export const NewArticle = z.object({
  article: z.object({
    title: text,
    description: text,
    body: text,
    tagList: z.array(z.string()).optional(),
  }),
});
export const UpdateArticle = BySlug.extend({
  article: z.object({
    title: text.optional(),
    description: text.optional(),
    body: text.optional(),
    tagList: z.array(z.string()).optional(),
  }),
});
export const NewComment = BySlug.extend({ comment: z.object({ body: text }) });
export const ByComment = BySlug.extend({ id: z.int() });
export const Page = z.object({
  limit: z.int().min(0).default(20),
  offset: z.int().min(0).default(0),
});
export const Filter = Page.extend({
  tag: z.string().optional(),
  author: z.string().optional(),
  favorited: z.string().optional(),
});
