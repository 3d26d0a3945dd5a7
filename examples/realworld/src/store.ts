import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export interface User {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly bio: string | null;
  readonly image: string | null;
}

export interface Article {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly tagList: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly authorId: number;
}

export interface Comment {
  readonly id: number;
  readonly slug: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly authorId: number;
}

/** Everything that the application remembers. Relations are sets of `userId article` and `userId userId`. */
export interface Store {
  readonly users: Map<number, User>;
  /** By slug, the oldest first. */
  readonly articles: Map<string, Article>;
  readonly comments: Map<number, Comment>;
  readonly favorites: Set<string>;
  readonly follows: Set<string>;
  readonly nextId: () => number;
}

export function createStore(): Store {
  let last = 0;
  return {
    users: new Map(),
    articles: new Map(),
    comments: new Map(),
    favorites: new Set(),
    follows: new Set(),
    nextId: () => ++last,
  };
}

export function findUserId({ users }: Store, fits: (user: User) => boolean): number | undefined {
  return [...users].find(([, user]) => fits(user))?.[0];
}

/** `How to train your dragon` is `how-to-train-your-dragon`. */
export function toSlug(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'article' : slug;
}

export function toPasswordHash(password: string, salt = randomBytes(16).toString('hex')): string {
  return `${salt}.${scryptSync(password, salt, 32).toString('hex')}`;
}

export function fitsPassword(password: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(toPasswordHash(password, hash.split('.')[0])));
}
