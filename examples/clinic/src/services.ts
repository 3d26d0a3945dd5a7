import { definePlugin } from 'capix';
import { type Auth, createAuth } from './auth.ts';
import { type Db, openDatabase } from './db/open.ts';
import type { Settings } from './settings.ts';

export interface Mail {
  readonly to: string;
  readonly text: string;
}

/** What handlers find in their context, besides the request. */
export interface Services {
  readonly settings: Settings;
  readonly db: Db;
  readonly auth: Auth;
  readonly sendMail: (mail: Mail) => Promise<void> | void;
}

/** Opens what one server needs. Its plugin hands it to every handler, and closes it after the last one. */
export function createServices(settings: Settings) {
  const { db, migrate, close } = openDatabase(settings.DATABASE_URL);
  const services: Services = {
    settings,
    db,
    auth: createAuth(db, settings),
    // Your provider of mail goes here.
    sendMail: ({ to, text }) => {
      console.log(`Mail to ${to}: ${text}`);
    },
  };
  const plugin = definePlugin({
    name: 'services',
    context: () => services,
    start: migrate,
    stop: close,
  });
  return { ...services, plugin };
}
