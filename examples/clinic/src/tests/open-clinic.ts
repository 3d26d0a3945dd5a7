import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'capix/client';
import { testServer } from 'capix/testing';
import { createApp } from '../app.ts';
import type { capabilities } from '../capabilities.ts';
import type { Mail } from '../services.ts';
import { readSettings } from '../settings.ts';
import { createDatabase } from './create-database.ts';

/** The whole application with a database of its own, and Ada, who owns the clinic. `await using` ends it. */
export async function openClinic() {
  const database = await createDatabase();
  const FILES = await mkdtemp(join(tmpdir(), 'clinic-'));
  const mails: Mail[] = [];
  const settings = readSettings({ DATABASE_URL: database.url, FILES });
  const { app, rest } = createApp(settings);
  const api = await testServer({
    ...app,
    rest,
    webSocket: true,
    replace: {
      sendMail: (mail: Mail) => {
        mails.push(mail);
      },
    },
  });

  /** Signs somebody up, and gives a typed client and the token. */
  const signUp = async (name: string) => {
    const email = `${name.toLowerCase()}@example.org`;
    const json = { name, email, password: 'correct horse' };
    const answer = await api.fetch('/auth/sign-up/email', {
      json,
      headers: { origin: settings.URL },
    });
    const { token } = (await answer.json()) as { readonly token: string };
    const headers = { authorization: `Bearer ${token}` };
    const client = createClient<typeof capabilities>({ transport: api.webSocket(), headers });
    return { client, email, headers };
  };

  const ada = await signUp('Ada');
  const { id: clinicId } = await ada.client.clinics.createClinic({ name: 'Elm Street' });
  return {
    api,
    ada,
    clinicId,
    mails,
    signUp,
    [Symbol.asyncDispose]: async () => {
      await api.stop();
      await database.drop();
      await rm(FILES, { recursive: true });
    },
  };
}

export const visit = {
  doctor: 'Dr. Grey',
  startsAt: '2031-03-04T09:00:00Z',
  patient: 'Tom',
  email: 'tom@example.org',
};
