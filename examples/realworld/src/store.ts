import sqlite from 'node-sqlite3-wasm';

type Value = string | number | null;
type Row = Readonly<Record<string, unknown>>;

export interface User {
  readonly id: number;
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
  readonly tagList: string[];
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

/** A database of SQLite in this process. */
export interface Store {
  readonly all: (sql: string, ...values: readonly Value[]) => readonly Row[];
  readonly find: (sql: string, ...values: readonly Value[]) => Row | undefined;
  /** Gives the id of a row that was added. */
  readonly run: (sql: string, ...values: readonly Value[]) => number;
}

/** Opens a file, or a database in memory. */
export function openStore(file = ':memory:'): Store {
  const database = new sqlite.Database(file);
  database.exec(tables);
  return {
    all: (sql, ...values) => database.all(sql, [...values]),
    find: (sql, ...values) => database.get(sql, [...values]) ?? undefined,
    run: (sql, ...values) => Number(database.run(sql, [...values]).lastInsertRowid),
  };
}

const tables = `
  pragma foreign_keys = on;
  create table if not exists users (
    id integer primary key, username text not null unique, email text not null unique, passwordHash text not null, bio text, image text
  );
  create table if not exists articles (
    id integer primary key, slug text not null unique, title text not null, description text not null, body text not null,
    tagList text not null, createdAt text not null, updatedAt text not null, authorId integer not null references users
  );
  create table if not exists comments (
    id integer primary key, slug text not null references articles (slug) on delete cascade, body text not null,
    createdAt text not null, updatedAt text not null, authorId integer not null references users
  );
  create table if not exists favorites (
    userId integer not null references users, slug text not null references articles (slug) on delete cascade, primary key (userId, slug)
  );
  create table if not exists follows (
    userId integer not null references users, followedId integer not null references users, primary key (userId, followedId)
  );
`;

export function toUser(row: Row): User {
  const { bio, image } = row;
  return {
    id: Number(row['id']),
    username: String(row['username']),
    email: String(row['email']),
    passwordHash: String(row['passwordHash']),
    bio: typeof bio === 'string' ? bio : null,
    image: typeof image === 'string' ? image : null,
  };
}

export function toArticle(row: Row): Article {
  return {
    slug: String(row['slug']),
    title: String(row['title']),
    description: String(row['description']),
    tagList: (JSON.parse(String(row['tagList'])) as string[]).sort(),
    ...toWritten(row),
  };
}

export function toComment(row: Row): Comment {
  return { id: Number(row['id']), slug: String(row['slug']), ...toWritten(row) };
}

function toWritten(row: Row) {
  return {
    body: String(row['body']),
    createdAt: new Date(String(row['createdAt'])),
    updatedAt: new Date(String(row['updatedAt'])),
    authorId: Number(row['authorId']),
  };
}
