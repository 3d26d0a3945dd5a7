import {
  boolean,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';

const id = () => uuid().primaryKey().defaultRandom();
const moment = () => timestamp({ withTimezone: true });
const now = () => moment().notNull().defaultNow();

// The four tables of better-auth, with its names.
export const user = pgTable('user', {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull().unique(),
  emailVerified: boolean().notNull().default(false),
  image: text(),
  createdAt: now(),
  updatedAt: now(),
});
const userId = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' });

export const session = pgTable('session', {
  id: text().primaryKey(),
  token: text().notNull().unique(),
  userId: userId(),
  expiresAt: moment().notNull(),
  ipAddress: text(),
  userAgent: text(),
  createdAt: now(),
  updatedAt: now(),
});

export const account = pgTable('account', {
  id: text().primaryKey(),
  accountId: text().notNull(),
  providerId: text().notNull(),
  userId: userId(),
  password: text(),
  accessToken: text(),
  refreshToken: text(),
  idToken: text(),
  scope: text(),
  accessTokenExpiresAt: moment(),
  refreshTokenExpiresAt: moment(),
  createdAt: now(),
  updatedAt: now(),
});

export const verification = pgTable('verification', {
  id: text().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: moment().notNull(),
  createdAt: now(),
  updatedAt: now(),
});

// The clinic's own.
export const clinics = pgTable('clinics', {
  id: id(),
  name: text().notNull(),
  hookUrl: text(),
  hookSecret: text(),
});
const clinicId = () =>
  uuid()
    .notNull()
    .references(() => clinics.id);

export const members = pgTable(
  'members',
  {
    clinicId: clinicId(),
    userId: userId(),
    role: text({ enum: ['owner', 'staff', 'assistant'] }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.userId] })],
);

const visit = {
  id: id(),
  clinicId: clinicId(),
  doctor: text().notNull(),
  startsAt: moment().notNull(),
  patient: text().notNull(),
  email: text().notNull(),
};

export const bookings = pgTable('bookings', visit, (table) => [
  unique('one_booking_a_slot').on(table.clinicId, table.doctor, table.startsAt),
]);
const bookingId = () =>
  uuid()
    .notNull()
    .references(() => bookings.id, { onDelete: 'cascade' });

export const history = pgTable('history', {
  id: id(),
  clinicId: clinicId(),
  userId: userId(),
  what: text().notNull(),
  at: now(),
});

export const files = pgTable('files', {
  id: id(),
  bookingId: bookingId(),
  name: text().notNull(),
  type: text().notNull(),
  bytes: integer().notNull(),
});

export const results = pgTable('results', {
  /** The laboratory's own id: a result that comes twice is one row. */
  id: text().primaryKey(),
  bookingId: bookingId(),
  text: text().notNull(),
});

export const proposals = pgTable('proposals', {
  ...visit,
  reason: text().notNull(),
});
